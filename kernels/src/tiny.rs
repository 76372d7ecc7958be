//! Matrix products of a few rows, columns and terms: sums in registers, nothing set up.
//!
//! Rows are the direction in which C is densest, one lane each; columns are taken eight at a time, then four, then one. The registers of the
//! last rows are loaded and stored in part. Where A is not dense along the rows it is gathered on the stack first, by squares
//! turned in registers if it is dense along the terms. A sum
//! is one term after the other, whatever its lane.

use core::array::from_fn;
use core::mem::MaybeUninit;

use super::OPTIMISED;
use super::axis::{Axis, size};
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::kind::Kind;
use super::lanes::{Few, Lanes};
use super::operands::Operands;
use super::square::square_of_eight;
use super::team::Team;
use super::walk::walk;
use crate::element::Element;

/// Most rows, columns or terms.
pub(crate) const MOST: usize = 16;

/// Whether the kernel is made for elements of this kind: registers have them, or at least the machine, and the build is
/// optimised.
pub(crate) const fn serves(kind: Kind) -> bool {
    OPTIMISED
        && matches!(
            kind,
            Kind::F32
                | Kind::F64
                | Kind::U16
                | Kind::U32
                | Kind::U64
                | Kind::MaxF32
                | Kind::MaxF64
                | Kind::MinF32
                | Kind::MinF64
        )
}

/// Whether the kernel is made for products of this form.
pub(crate) fn fits(kind: Kind, [m, n, k]: [&Axis; 3]) -> bool {
    serves(kind) && m.len <= MOST && n.len <= MOST && k.len <= MOST
}

/// Runs the products on up to `width` threads, whole items of the batch each.
///
/// # Safety
///
/// As for `Prepared::run`; the axes fit, and `T` has no conjugate.
pub(crate) unsafe fn run<T: Element>(
    batch: &[Axis],
    axes: &[&Axis; 3],
    operands: &Operands<T>,
    width: usize,
    team: &mut Team,
) {
    if batch.is_empty() {
        // SAFETY: the caller's promise.
        return unsafe { item(axes, operands) };
    }
    let width = width.min(team.threads());
    team.for_ranges(size(batch), width, &|items| {
        walk(batch, items, &mut |at| {
            // SAFETY: an item of the batch; no other task has it.
            unsafe { item(axes, &operands.at(at)) };
        });
    });
}

/// One product. All goes by reference: a copy of what was only just written waits for it.
#[inline]
pub(crate) unsafe fn item<T: Element>(axes: &[&Axis; 3], operands: &Operands<T>) {
    vectorize(&Product { axes, operands });
}

/// A, dense along the rows.
type Gathered<T> = [MaybeUninit<T>; MOST * MOST];

/// Gathers A. Where it is dense along the terms it is turned, 8 by 8; squares at the end overlap those before them.
#[cfg_attr(optimised, inline(always))]
unsafe fn gather<T: Element, I: Isa>(m: &Axis, k: &Axis, a: *const T, to: &mut Gathered<T>) {
    let to = to.as_mut_ptr().cast::<T>();
    let squares = |len: usize| (0..len.div_ceil(8)).map(move |q| (8 * q).min(len - 8));
    // SAFETY: elements of A, and as many places: `m.len` times `k.len`, which is no more than there are.
    unsafe {
        if k.a == 1 && m.len >= 8 && k.len >= 8 {
            for i in squares(m.len) {
                for p in squares(k.len) {
                    let row = |y| a.offset((i + y) as isize * m.a).add(p);
                    let column = |x| to.add((p + x) * m.len + i);
                    square_of_eight::<T, I>(from_fn(row), from_fn(column));
                }
            }
        } else {
            for i in 0..m.len {
                for p in 0..k.len {
                    let a = a.offset(i as isize * m.a + p as isize * k.a);
                    to.add(p * m.len + i).write(*a);
                }
            }
        }
    }
}

/// One product: rows, columns and terms.
struct Product<'a, T> {
    axes: &'a [&'a Axis; 3],
    operands: &'a Operands<T>,
}

impl<T: Element> Vectorize for &Product<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx512.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let [m, n, k] = *self.axes;
        let mut a = [const { MaybeUninit::<T>::uninit() }; MOST * MOST];
        let (rows, terms, operands, axes);
        let gathered;
        let dense = if m.a == 1 {
            self
        } else {
            // SAFETY: the promise of `run`.
            unsafe { gather::<T, I>(m, k, self.operands.a, &mut a) };
            let along = m.len as isize;
            (rows, terms) = (Axis { a: 1, ..*m }, Axis { a: along, ..*k });
            axes = [&rows, n, &terms];
            let a = a.as_ptr().cast();
            operands = Operands {
                a,
                ..*self.operands
            };
            gathered = Product {
                axes: &axes,
                operands: &operands,
            };
            &gathered
        };
        // SAFETY: the promise of `run`; rows are dense in A.
        unsafe { dense.run_dense::<I>() }
    }
}

impl<T: Element> Product<'_, T> {
    /// The product, its rows dense in A.
    ///
    /// # Safety
    ///
    /// As for [`run`]; the machine has the instructions of `I`.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn run_dense<I: Isa>(&self) {
        #[cfg(neon_vectors)]
        use super::lanes::Two;
        #[cfg(any(x86_vectors, neon_vectors))]
        use super::lanes::{MaxPlus, MinPlus};
        #[cfg(x86_vectors)]
        use super::lanes::{U16x16, U16x32, U32x8, U32x16, U64x8};
        #[cfg(neon_vectors)]
        use core::arch::aarch64::{float32x4_t, float64x2_t, uint16x8_t, uint32x4_t};
        #[cfg(x86_vectors)]
        use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
        #[cfg(any(x86_vectors, neon_vectors))]
        macro_rules! half {
            ($level:ident $kind:ident => $lanes:ty) => {
                if const { I::LEVEL.is(Level::$level) && T::KIND.is(Kind::$kind) }
                    && self.axes[0].len <= <$lanes>::LEN
                {
                    // SAFETY: the instruction set is there (AVX-512 includes AVX2); the rest is as below.
                    return unsafe { strips::<T, $lanes>(self) };
                }
            };
        }
        // A store of half a register takes longer than one of a whole register of half the size.
        #[cfg(x86_vectors)]
        half!(Avx512 F64 => __m256d);
        #[cfg(x86_vectors)]
        half!(Avx512 F32 => __m256);
        #[cfg(neon_vectors)]
        half!(Neon F64 => float64x2_t);
        #[cfg(neon_vectors)]
        half!(Neon F32 => float32x4_t);
        macro_rules! lanes {
            ($vectors:ident: $($level:ident $kind:ident => $lanes:ty,)*) => {$(
                #[cfg($vectors)]
                if const { I::LEVEL.is(Level::$level) && T::KIND.is(Kind::$kind) } {
                    // SAFETY: the instruction set is there, `T` is the type of the lanes; the rest is the promise of
                    // `run`.
                    return unsafe { strips::<T, $lanes>(self) };
                }
            )*};
        }
        lanes! { x86_vectors:
            Avx512 F64 => __m512d,
            Avx512 F32 => __m512,
            Avx512 U64 => U64x8,
            Avx512 U32 => U32x16,
            Avx512 U16 => U16x32,
            Avx2 F64 => __m256d,
            Avx2 F32 => __m256,
            Avx2 U32 => U32x8,
            Avx2 U16 => U16x16,
            Avx512 MaxF64 => MaxPlus<__m512d>,
            Avx512 MaxF32 => MaxPlus<__m512>,
            Avx512 MinF64 => MinPlus<__m512d>,
            Avx512 MinF32 => MinPlus<__m512>,
            Avx2 MaxF64 => MaxPlus<__m256d>,
            Avx2 MaxF32 => MaxPlus<__m256>,
            Avx2 MinF64 => MinPlus<__m256d>,
            Avx2 MinF32 => MinPlus<__m256>,
        }
        lanes! { neon_vectors:
            Neon F64 => Two<float64x2_t>,
            Neon F32 => Two<float32x4_t>,
            Neon U32 => Two<uint32x4_t>,
            Neon U16 => uint16x8_t,
            Neon MaxF64 => Two<MaxPlus<float64x2_t>>,
            Neon MaxF32 => Two<MaxPlus<float32x4_t>>,
            Neon MinF64 => Two<MinPlus<float64x2_t>>,
            Neon MinF32 => Two<MinPlus<float32x4_t>>,
        }
        // SAFETY: the promise of `run`.
        unsafe { strips::<T, Few<I, T, 4>>(self) }
    }
}

/// The product, a register of rows by a few columns at a time.
#[cfg_attr(optimised, inline(always))]
unsafe fn strips<T: Element, L: Lanes>(product: &Product<'_, T>) {
    let [m, n, _] = product.axes.map(|axis| axis.len);
    for i in (0..m).step_by(L::LEN) {
        let rows = L::LEN.min(m - i);
        // SAFETY: rows and columns of the product.
        unsafe {
            let mut j = 0;
            while j + 8 <= n {
                columns::<T, L, 8>(product, i, rows, j);
                j += 8;
            }
            if j + 4 <= n {
                columns::<T, L, 4>(product, i, rows, j);
                j += 4;
            }
            if j + 2 <= n {
                columns::<T, L, 2>(product, i, rows, j);
                j += 2;
            }
            if j < n {
                columns::<T, L, 1>(product, i, rows, j);
            }
        }
    }
}

/// `N` columns of `rows` rows.
#[cfg_attr(optimised, inline(always))]
unsafe fn columns<T: Element, L: Lanes, const N: usize>(
    product: &Product<'_, T>,
    i: usize,
    rows: usize,
    j: usize,
) {
    let [m, n, k] = product.axes;
    let Operands { a, b, c, scale } = product.operands;
    let update = scale.update();
    let (i, j) = (i as isize, j as isize);
    // SAFETY: elements of the product; `L::Elem` is `T`.
    unsafe {
        let mut a = a.offset(i);
        let mut b = b.offset(j * n.b);
        let mut sums = [L::zero(); N];
        for _ in 0..k.len {
            let lanes = L::load_some(a.cast(), rows);
            for (j, sum) in sums.iter_mut().enumerate() {
                let b = L::splat(b.wrapping_offset(j as isize * n.b).cast());
                *sum = L::mul_add(lanes, b, *sum);
            }
            a = a.wrapping_offset(k.a);
            b = b.wrapping_offset(k.b);
        }
        let c = c.offset(i * m.c + j * n.c);
        if update.is_plain() && m.c == 1 {
            for (q, sum) in sums.into_iter().enumerate() {
                sum.store_some(c.offset(q as isize * n.c).cast(), rows);
            }
        } else {
            // A copy: the sums themselves stay in registers.
            let sums = core::hint::black_box(sums);
            for (q, sum) in sums.iter().enumerate() {
                let c = c.offset(q as isize * n.c);
                update.run(c, m.c, (&raw const *sum).cast(), rows);
            }
        }
    }
}
