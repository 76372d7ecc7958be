//! Products so small that to look up what was prepared for them takes longer than they do.
//!
//! No kernels of its own: what the decision table gives to the tiny kernel or calls an inner product, found out by a few
//! comparisons.

use super::axis::Axis;
use super::decide::{self, NO_AXIS};
use super::little;
pub use super::little::{Along, Little, Rest};
use super::operands::Operands;
use super::scale::Scale;
use super::sum;
use super::tiny;
use crate::element::Element;

/// The longest that the axes of such products are.
pub const MOST: usize = tiny::MOST;

/// A product of `m` rows, `n` columns and `k` terms: lengths, and strides in A, B and C. A vector has one row or one column,
/// and no stride there.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    /// The rows.
    pub m: usize,
    /// The columns.
    pub n: usize,
    /// The terms.
    pub k: usize,
    /// The strides of rows and terms in A.
    pub a: [isize; 2],
    /// The strides of terms and columns in B.
    pub b: [isize; 2],
    /// The strides of rows and columns in C; [`NO_STRIDE`] where there is no axis.
    pub c: [isize; 2],
}

/// Along what is no axis of C.
pub const NO_STRIDE: isize = NO_AXIS.c;

/// A product, ready to run.
#[derive(Clone, Copy)]
pub struct Ready<T>(Form<T>);

#[derive(Clone, Copy)]
enum Form<T> {
    Tiny(tiny::Product<T>),
    Inner(Axis, Operands<T>),
}

impl<T> core::fmt::Debug for Ready<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ready").finish_non_exhaustive()
    }
}

impl<T: Element> Ready<T> {
    /// Runs it.
    ///
    /// # Safety
    ///
    /// It is the answer of [`ready`], of which the promise holds.
    #[inline]
    pub unsafe fn run(&self) {
        match &self.0 {
            // Behind a constant condition, so that it is not compiled for types without the kernel.
            Form::Tiny(product) => {
                if const { tiny::serves(T::KIND) } {
                    // SAFETY: the caller's promise; the axes fit.
                    unsafe { product.run() }
                }
            }
            // SAFETY: the caller's promise.
            Form::Inner(k, operands) => unsafe { sum::dot(k, operands) },
        }
    }
}

/// `C <- alpha * A B + beta * C`, if a [`Prepared`](crate::Prepared) contraction of these groups would run in the
/// [`Tiny`](crate::Kernel::Tiny) kernel, or is an inner product of one block for [`Dot`](crate::Kernel::Dot).
///
/// To run it is as safe as [`Prepared::run`](crate::Prepared::run) is with these arrays. Elements have no conjugates.
#[inline(always)]
pub fn ready<T: Element>(
    small: Small,
    [a, b]: [*const T; 2],
    c: *mut T,
    (alpha, beta): (T, Option<T>),
) -> Option<Ready<T>> {
    let Small { m, n, k, .. } = small;
    let ([am, ak], [bk, bn], [cm, cn]) = (small.a, small.b, small.c);
    let scale = plain(alpha, beta);
    if m == 1 && n == 1 && small.c == [NO_STRIDE; 2] {
        let inner = Form::Inner(Axis::new(k, ak, bk, 0), Operands { a, b, c, scale });
        return (2..=sum::ONE_BLOCK).contains(&k).then_some(Ready(inner));
    }
    if !decide::is_tiny_product(T::KIND, [m, n, k], [am, bn], [cm, cn]) {
        return None;
    }
    let swapped = cn.unsigned_abs() < cm.unsigned_abs();
    let pick = |one, other| if swapped { other } else { one };
    Some(Ready(Form::Tiny(tiny::Product {
        lens: if swapped { [n, m, k] } else { [m, n, k] },
        a: if swapped { b } else { a },
        in_a: [pick(am, bn), pick(ak, bk)],
        b: if swapped { a } else { b },
        in_b: [pick(bk, ak), pick(bn, am)],
        c,
        in_c: [pick(cm, cn), pick(cn, cm)],
        update: scale.update(),
    })))
}

/// `C <- A B`, if [`ready`] would give it to the `Tiny` kernel and it is so small that its loops are written out: from two
/// to four rows, columns and terms, the rows or the columns dense in C and where they come from.
///
/// To run it is as safe as [`Prepared::run`](crate::Prepared::run) is with these arrays.
#[inline(always)]
pub fn little<T: Element>(small: Small, [a, b]: [*const T; 2], c: *mut T) -> Option<Little<T>> {
    let Small { m, n, k, .. } = small;
    let ([am, ak], [bk, bn], [cm, cn]) = (small.a, small.b, small.c);
    let few = |len: usize| len.wrapping_sub(2) <= little::MOST - 2;
    if !(const { little::serves(T::KIND) } && few(m) && few(n) && few(k)) {
        return None;
    }
    // The first rule is that of `ready`: where the columns are dense in C, the rows cannot be.
    if cn == 1 && bn == 1 {
        return Some(Little {
            a: Along(b, bk),
            b: Along(a, ak),
            c: Along(c, cm),
            rest: Rest::new(am, [n, m, k]),
        });
    }
    (cm == 1 && am == 1).then(|| Little {
        a: Along(a, ak),
        b: Along(b, bk),
        c: Along(c, cn),
        rest: Rest::new(bn, [m, n, k]),
    })
}

/// Runs what [`little`] found.
///
/// # Safety
///
/// As for [`Ready::run`].
#[inline]
pub unsafe fn run_little<T: Element>(
    a: Along<*const T>,
    b: Along<*const T>,
    c: Along<*mut T>,
    rest: Rest,
) {
    // Behind a constant condition, so that it is not compiled for types without the kernel.
    if const { little::serves(T::KIND) } {
        // SAFETY: the caller's promise.
        unsafe { little::run(a, b, c, rest) }
    }
}

/// These kernels are for types that have no conjugates.
#[inline(always)]
fn plain<T>(alpha: T, beta: Option<T>) -> Scale<T> {
    Scale {
        alpha,
        beta,
        conj_a: false,
        conj_b: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Contraction;
    use crate::{Kernel, PackBuffer, Prepared, Team};

    /// The same decision as the table's and the same bits, for lengths around what is small and strides of every kind.
    #[test]
    fn what_is_small_is_what_the_table_gives_to_these_kernels() {
        let lens = [0, 1, 2, 3, 4, 8, 15, 16, 17];
        let a: Vec<f64> = (0..1200).map(|i| f64::from(i * 37 % 101).sqrt()).collect();
        let b: Vec<f64> = a.iter().map(|x| 1.0 / (1.0 + x)).collect();
        let (mut small, mut unrolled) = (0, 0);
        for (m, n, k) in (0..729).map(|i| (lens[i / 81], lens[i / 9 % 9], lens[i % 9])) {
            for turned in 0..8 {
                let bit = |at: usize| turned >> at & 1 == 1;
                // Axes of length 1 are left out where labels are.
                let axis = |len, a, b, c| match len {
                    1 => NO_AXIS,
                    _ => Axis::new(len, a, b, c),
                };
                let ([am, ak], [bk, bn], [cm, cn]) = (
                    if bit(0) {
                        [1, 2 * m as isize]
                    } else {
                        [k as isize, 1]
                    },
                    if bit(1) {
                        [-1, -(k as isize)]
                    } else {
                        [n as isize, 1]
                    },
                    if bit(2) {
                        [1, m as isize + 1]
                    } else {
                        [n as isize, 1]
                    },
                );
                let axes = [axis(m, am, 0, cm), axis(n, 0, bn, cn), axis(k, ak, bk, 0)];
                let [rows, columns, terms] = axes;
                let same = Small {
                    m,
                    n,
                    k,
                    a: [rows.a, terms.a],
                    b: [terms.b, columns.b],
                    c: [rows.c, columns.c],
                };
                let list = |axis: Axis| [axis].into_iter().filter(|axis| axis.len != 1).collect();
                let contraction = Contraction {
                    batch: Default::default(),
                    m: list(axes[0]),
                    n: list(axes[1]),
                    k: list(axes[2]),
                };
                let step = Prepared::contraction::<f64>(&contraction, 2);
                let mut c = [vec![f64::NAN; 500], vec![f64::NAN; 500]];
                let operands = [
                    a.as_ptr(),
                    if bit(1) {
                        &raw const b[1199]
                    } else {
                        b.as_ptr()
                    },
                ];
                let [one, other] = &mut c;
                let ready = ready::<f64>(same, operands, one.as_mut_ptr(), (1.0, None));
                let ran = ready.is_some_and(|ready| {
                    // SAFETY: the strides stay within the arrays for lengths up to 17.
                    unsafe { ready.run() };
                    true
                });
                let is_small = matches!(step.route().kernel, Kernel::Tiny | Kernel::Dot);
                assert_eq!(ran, is_small, "{m} {n} {k} {turned}: {}", step.route());
                if ran {
                    let ([a, b], c) = (operands, other.as_mut_ptr());
                    let (mut team, mut pack) = (Team::serial(), PackBuffer::new());
                    // SAFETY: as above.
                    unsafe { step.run(a, b, c, Scale::overwrite(), &mut team, &mut pack) };
                    let bits = |c: &[f64]| c.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(one), bits(other), "{m} {n} {k} {turned}");
                    small += 1;
                }
                let mut c = vec![f64::NAN; 500];
                if let Some(found) = little::<f64>(same, operands, c.as_mut_ptr()) {
                    let Little { a, b, c: to, rest } = found;
                    // SAFETY: as above.
                    unsafe { run_little(a, b, to, rest) };
                    let bits = |c: &[f64]| c.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&c), bits(other), "{m} {n} {k} {turned}");
                    unrolled += 1;
                }
            }
        }
        assert!(small > 1000 || !super::super::OPTIMISED, "{small}");
        // 27 lengths by the layouts in which rows or columns are dense on both sides.
        assert!(unrolled >= 81 || !super::super::OPTIMISED, "{unrolled}");
    }
}
