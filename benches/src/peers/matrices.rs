//! Libraries that multiply matrices: `c = op(a) op(b)`, all of them row-major; `transposed` says which are read so.

use std::hint::black_box;

use faer::{Accum, MatMut, MatRef, Par};
use nalgebra::{DMatrixView, DMatrixViewMut};

use crate::clock::Contender;

/// faer called directly, one thread.
pub(super) fn faer<'a, T: faer::traits::ComplexField + Copy>(
    [m, k, n]: [usize; 3],
    a: &'a [T],
    b: &'a [T],
    out: &'a mut [T],
    transposed: [bool; 2],
) -> Contender<'a> {
    let one = T::one_impl();
    Box::new(move |runs| {
        for _ in 0..runs {
            let (a, b) = (black_box(a), black_box(b));
            let a = match transposed[0] {
                false => MatRef::from_row_major_slice(a, m, k),
                true => MatRef::from_row_major_slice(a, k, m).transpose(),
            };
            let b = match transposed[1] {
                false => MatRef::from_row_major_slice(b, k, n),
                true => MatRef::from_row_major_slice(b, n, k).transpose(),
            };
            let out = MatMut::from_row_major_slice_mut(out, m, n);
            faer::linalg::matmul::matmul(out, Accum::Replace, a, b, one, Par::Seq);
        }
    })
}

/// nalgebra: its matrices are column-major, so that it computes the transposed product. It has no function for a first
/// operand that is read transposed.
pub(super) fn nalgebra<'a, T: nalgebra::ComplexField + Copy>(
    [m, k, n]: [usize; 3],
    a: &'a [T],
    b: &'a [T],
    out: &'a mut [T],
    transposed: bool,
) -> Contender<'a> {
    Box::new(move |runs| {
        for _ in 0..runs {
            let (a, b) = (black_box(a), black_box(b));
            let (a, mut out) = (
                DMatrixView::from_slice(a, k, m),
                DMatrixViewMut::from_slice(out, n, m),
            );
            if transposed {
                DMatrixView::from_slice(b, k, n).tr_mul_to(&a, &mut out);
            } else {
                DMatrixView::from_slice(b, n, k).mul_to(&a, &mut out);
            }
        }
    })
}

/// The element types of matrixmultiply.
pub(super) trait Gemm: Copy {
    /// Its function: sizes, and a pointer with two strides for each matrix.
    const GEMM: GemmFn<Self>;
    const ZERO: Self;
    const ONE: Self;
}
type GemmFn<T> = unsafe fn(
    usize,
    usize,
    usize,
    T,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    *mut T,
    isize,
    isize,
);
impl Gemm for f32 {
    const GEMM: GemmFn<f32> = ::matrixmultiply::sgemm;
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
}
impl Gemm for f64 {
    const GEMM: GemmFn<f64> = ::matrixmultiply::dgemm;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

/// matrixmultiply, one thread.
pub(super) fn matrixmultiply<'a, T: Gemm>(
    [m, k, n]: [usize; 3],
    a: &'a [T],
    b: &'a [T],
    out: &'a mut [T],
    transposed: [bool; 2],
) -> Contender<'a> {
    assert!(a.len() == m * k && b.len() == k * n && out.len() == m * n);
    let strides = |transposed, rows: usize, columns: usize| match transposed {
        false => (columns as isize, 1),
        true => (1, rows as isize),
    };
    let (a_strides, b_strides) = (strides(transposed[0], m, k), strides(transposed[1], k, n));
    Box::new(move |runs| {
        for _ in 0..runs {
            let (a, b) = (black_box(a).as_ptr(), black_box(b).as_ptr());
            let (c, n_stride) = (out.as_mut_ptr(), n as isize);
            // SAFETY: each matrix has as many elements as its sizes say, dense in these strides; `out` is borrowed mutably.
            unsafe {
                T::GEMM(
                    m,
                    k,
                    n,
                    T::ONE,
                    a,
                    a_strides.0,
                    a_strides.1,
                    b,
                    b_strides.0,
                    b_strides.1,
                    T::ZERO,
                    c,
                    n_stride,
                    1,
                );
            }
        }
    })
}
