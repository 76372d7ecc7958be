//! The other einsums of Rust, and libraries that multiply matrices, given the same operands: prepared beforehand where
//! they can be.

mod einsums;
mod laid_out;
mod matrices;

use cteinsum::Complex;
use ndarray::LinalgScalar;

use crate::clock::Contender;
pub(crate) use einsums::{cpueinsum, ndarray_einsum};
pub(crate) use laid_out::Product;

/// An array: its elements, row-major, and its shape.
pub(crate) type Array<'a, T> = (&'a [T], &'a [usize]);

/// Contenders by name.
pub(crate) type Named<'a> = Vec<(&'static str, Contender<'a>)>;

/// A loop as one would write it for these lengths: operands, and what it writes.
pub(crate) type Hand<T> = fn(&[&[T]], &mut [T]);

/// The strides of a row-major array.
fn strides(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as isize;
    }
    strides
}

/// What some contenders must be told, and what else is timed.
pub(crate) struct How<'a, T> {
    /// The order of more than two operands, as SSA pairs.
    pub(crate) tree: &'a [(usize, usize)],
    /// Which of two matrices are read transposed, for libraries that multiply matrices.
    pub(crate) matrices: Option<[bool; 2]>,
    /// A mark: the product of matrices that is left when operands are laid out beforehand.
    pub(crate) laid_out: bool,
    /// A mark: a loop for constant lengths.
    pub(crate) hand: Option<Hand<T>>,
    /// A mark: a copy of as many bytes.
    pub(crate) copy: bool,
}

impl<T> Default for How<'_, T> {
    fn default() -> Self {
        How {
            tree: &[],
            matrices: None,
            laid_out: false,
            hand: None,
            copy: false,
        }
    }
}

/// Element types, and who takes them.
pub(crate) trait Peer: LinalgScalar + cteinsum::Scalar + Default {
    /// An element made of a small whole number.
    fn small(value: usize) -> Self;
    /// Real and imaginary part.
    fn parts(self) -> [f64; 2];
    /// The contenders that write to an array of `outs` each, by name.
    fn writers<'a>(
        spec: &str,
        operands: &[Array<'a, Self>],
        outs: &mut dyn Iterator<Item = &'a mut [Self]>,
        shape: &'a [usize],
        how: &How<'_, Self>,
    ) -> Named<'a>;
    /// The product of matrices that is left of a contraction, by faer.
    fn product<'a>(product: &'a mut Product<Self>) -> Option<Contender<'a>>;
}

macro_rules! floats {
    ($($t:ty, $dtype:ident, $small:expr, $parts:expr, $($real:ident)?;)*) => {$(
        impl Peer for $t {
            fn small(value: usize) -> Self {
                $small(value as u8)
            }
            fn parts(self) -> [f64; 2] {
                $parts(self)
            }
            fn writers<'a>(
                spec: &str,
                operands: &[Array<'a, Self>],
                outs: &mut dyn Iterator<Item = &'a mut [Self]>,
                shape: &'a [usize],
                how: &How<'_, Self>,
            ) -> Named<'a> {
                let mut out = || outs.next().expect("an output for each");
                let mut all = vec![("cpueinsum", cpueinsum(spec, operands, out(), shape, how.tree, ::cpueinsum::Exec::serial()))];
                if let &[a, b] = operands {
                    let dtype = tcontract::api::DType::$dtype;
                    all.push(("tcontract", einsums::tcontract(dtype, spec, [a, b], out(), shape)));
                    if let Some(transposed) = how.matrices {
                        let sizes = [shape[0], a.0.len() / shape[0], shape[1]];
                        all.push(("faer", matrices::faer(sizes, a.0, b.0, out(), transposed)));
                        $(
                            let matrixmultiply = matrices::$real(sizes, a.0, b.0, out(), transposed);
                            all.push((stringify!($real), matrixmultiply));
                            if let [false, second] = transposed {
                                all.push(("nalgebra", matrices::nalgebra(sizes, a.0, b.0, out(), second)));
                            }
                        )?
                    }
                }
                all
            }
            fn product<'a>(product: &'a mut Product<Self>) -> Option<Contender<'a>> {
                let Product { sizes, a, b, c, .. } = product;
                Some(matrices::faer(*sizes, a, b, c, [false; 2]))
            }
        }
    )*};
}
floats! {
    f32, F32, f32::from, |x: f32| [x.into(), 0.0], matrixmultiply;
    f64, F64, f64::from, |x: f64| [x, 0.0], matrixmultiply;
    Complex<f64>, C64, |x: u8| Complex::new(f64::from(x), f64::from((2 * x + 1) % 5)), |x: Complex<f64>| [x.re, x.im],;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Peer for $t {
            fn small(value: usize) -> Self {
                value as Self
            }
            fn parts(self) -> [f64; 2] {
                [self as f64, 0.0]
            }
            fn writers<'a>(
                _: &str,
                _: &[Array<'a, Self>],
                _: &mut dyn Iterator<Item = &'a mut [Self]>,
                _: &'a [usize],
                _: &How<'_, Self>,
            ) -> Named<'a> {
                Vec::new()
            }
            fn product<'a>(_: &'a mut Product<Self>) -> Option<Contender<'a>> {
                None
            }
        }
    )*};
}
integers!(i32 i64);

/// All contenders of a row but ours, by name; each has written its result to an array of `outs`.
pub(crate) fn all<'a, T: Peer>(
    spec: &str,
    operands: &[Array<'a, T>],
    outs: &mut dyn Iterator<Item = &'a mut [T]>,
    shape: &'a [usize],
    how: &How<'_, T>,
) -> Named<'a> {
    let mut all = T::writers(spec, operands, outs, shape, how);
    let out = outs.next().expect("an output for each");
    all.push(("ndarray-einsum", ndarray_einsum(spec, operands, out)));
    all
}
