//! The matrix product of `faer`, for each item of the batch.
//!
//! `faer` is called on one thread; the team shares out C. An element has the same bits in a part as in the whole,
//! because `faer` cuts K at fixed blocks and a part takes the same branch of it: parts are cut at multiples of the
//! register tile, never to a single row or column, and stay above the size below which `faer` does not pack.

use faer::linalg::matmul::matmul_with_conj;
use faer::traits::ComplexField;
use faer::{Accum, Conj, MatMut, MatRef, Par};
use num_complex::Complex;

use super::axis::{Axis, size};
use super::kind::Kind;
use super::operands::Operands;
use super::scale::Update;
use super::share::Share;
use super::team::Team;
use super::walk::{Offset, walk};
use crate::element::Element;

/// Rows of the largest register tile of `faer` (f32 under AVX-512).
const ROWS: usize = 96;
/// Columns of the largest.
const COLUMNS: usize = 8;

/// Multiplications up to which `faer` packs nothing.
const UNPACKED: usize = 4096;

/// Runs the products on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`; C is initialised, and `T` is a type that `faer` knows.
pub(crate) unsafe fn run<T: Element>(
    batch: &[Axis],
    [m, n, k]: [&Axis; 3],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let width = width.min(team.threads());
    if batch.is_empty() && width == 1 {
        // SAFETY: the caller's promise.
        return unsafe { item(m, n, k, operands) };
    }
    let items = size(batch);
    // The parts of one product stay well above the size at which `faer` changes its branch; whole items may be small.
    let work = m.len.saturating_mul(n.len).saturating_mul(k.len);
    let width = if items >= 4 * width {
        width
    } else {
        width.min(work / (4 * UNPACKED)).max(1)
    };
    let share = Share::new(items, (m.len, ROWS), (n.len, COLUMNS), width);
    team.for_ranges(share.parts(), share.parts(), &|parts| {
        for part in parts {
            let part = share.part(part);
            let corner = Offset::default()
                .along(m, part.rows.start)
                .along(n, part.columns.start);
            let m = Axis {
                len: part.rows.len(),
                ..*m
            };
            let n = Axis {
                len: part.columns.len(),
                ..*n
            };
            walk(batch, part.items, &mut |offset| {
                // SAFETY: a corner of this part in an item of the batch; the part's elements of C are its own.
                unsafe { item(&m, &n, k, operands.at(offset).at(corner)) };
            });
        }
    });
}

/// One product, as the `faer` type that `T` is.
unsafe fn item<T: Element>(m: &Axis, n: &Axis, k: &Axis, operands: Operands<T>) {
    macro_rules! as_type {
        ($($kind:ident: $t:ty),*) => {$(
            if const { T::KIND.is(Kind::$kind) } {
                // SAFETY: `T` is this type.
                unsafe { product::<$t>(m, n, k, operands.cast()) };
                return;
            }
        )*};
    }
    as_type!(F64: f64, F32: f32, C64: Complex<f64>, C32: Complex<f32>);
    unreachable!("the route to faer is taken for its own element types only");
}

/// One product.
unsafe fn product<T: Element + ComplexField>(m: &Axis, n: &Axis, k: &Axis, operands: Operands<T>) {
    let Operands { a, b, c, scale } = operands;
    let accum = match scale.update() {
        Update::Store { .. } => Accum::Replace,
        Update::Add { .. } => Accum::Add,
        Update::Scaled { beta, .. } => {
            for j in 0..n.len {
                for i in 0..m.len {
                    // SAFETY: an element of C, initialised.
                    unsafe {
                        let c = c.offset(i as isize * m.c + j as isize * n.c);
                        *c = Element::mul(beta, *c);
                    }
                }
            }
            Accum::Add
        }
    };
    let conj = |conj: bool| if conj { Conj::Yes } else { Conj::No };
    // SAFETY: the matrices are readable, C writable, initialised and apart from A and B, by the caller's promise.
    unsafe {
        matmul_with_conj(
            MatMut::from_raw_parts_mut(c, m.len, n.len, m.c, n.c),
            accum,
            MatRef::from_raw_parts(a, m.len, k.len, m.a, k.a),
            conj(scale.conj_a),
            MatRef::from_raw_parts(b, k.len, n.len, k.b, n.b),
            conj(scale.conj_b),
            scale.alpha,
            Par::Seq,
        );
    }
    clear_upper_halves();
}

/// Clears the upper halves of the vector registers, which the assembly of `faer` 0.24 leaves behind: as long as they are not
/// empty, instructions of the SSE kind (all floating-point code of a build for x86-64 as such, and libm) take many times as
/// long, in the program that called us.
fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx")]
        fn clear() {
            std::arch::x86_64::_mm256_zeroupper();
        }
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: the machine has AVX.
            unsafe { clear() };
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::axis::Axis;
    use super::super::scale::Scale;
    use super::*;

    /// Bits 2 and 6 of the components in use (XINUSE): the upper parts of registers 0 to 15.
    #[target_feature(enable = "xsave")]
    fn upper_halves_in_use() -> bool {
        // SAFETY: the machine has XGETBV with an argument of 1 (asked by the caller).
        unsafe { std::arch::x86_64::_xgetbv(1) & 0b0100_0100 != 0 }
    }

    #[test]
    fn nothing_is_left_in_the_upper_halves() {
        // Function 0xD, leaf 1, bit 2 of EAX: XGETBV says what is in use.
        let leaf = std::arch::x86_64::__cpuid_count(0xd, 1);
        if !std::arch::is_x86_feature_detected!("avx") || leaf.eax & 4 == 0 {
            return;
        }
        clear_upper_halves();
        // SAFETY: the machine has AVX, hence XSAVE; and XGETBV with an argument.
        if unsafe { upper_halves_in_use() } {
            return; // it does not keep account of them
        }
        let (a, mut c) = (vec![1.0f64; 64 * 64], vec![0.0f64; 64 * 64]);
        let [m, n, k] = [
            Axis::new(64, 64, 0, 64),
            Axis::new(64, 0, 1, 1),
            Axis::new(64, 1, 64, 0),
        ];
        let operands = Operands {
            a: a.as_ptr(),
            b: a.as_ptr(),
            c: c.as_mut_ptr(),
            scale: Scale::overwrite(),
        };
        // SAFETY: 64 by 64 matrices, row by row.
        unsafe { item(&m, &n, &k, operands) };
        // SAFETY: as above.
        assert!(!unsafe { upper_halves_in_use() });
        assert_eq!(c, vec![64.0; 64 * 64]);
    }
}
