//! Real operands among complex ones: the kernels against the interpreter, which runtime's tests compare with complex arrays.

use num_complex::Complex;

use super::super::dispatch::{Call, Kernel};
use super::super::lanes::Portable;
use super::super::scale::Scaled;
use super::super::{FixedArray, FixedEinsum, contract_into};
use super::sites::{labels, left_to_right};
use cteinsum_plan::Spec;

/// `ij,jk,kl->il` with the real operands `R`.
struct Chain<const R: u32>;

impl<const R: u32> FixedEinsum for Chain<R> {
    const SPEC: Spec<'static> = Spec::new(
        "",
        &[&labels::<2>("ij"), &labels::<2>("jk"), &labels::<2>("kl")],
        &labels::<2>("il"),
        &left_to_right::<2>(),
    );
    const OPERANDS: &'static [FixedArray<'static>] = &[
        FixedArray::row_major(&[3, 5]),
        FixedArray::row_major(&[5, 7]).conjugated(),
        FixedArray::column_major(&[7, 2]).conjugated(),
    ];
    const OUTPUT: FixedArray<'static> = FixedArray::row_major(&[3, 2]);
    const REAL: u32 = R;
}

fn check<const R: u32>() {
    // As many parts as the largest array has.
    let parts: Vec<f64> = (0..70).map(|i| f64::from(i * 7 % 11 - 5)).collect();
    let z: *const Complex<f64> = parts.as_ptr().cast();
    let (alpha, beta) = (Complex::new(2.0, -1.0), Complex::new(1.0, 3.0));
    let (mut out, mut other) = ([Complex::new(1.0, 2.0); 6], [Complex::new(1.0, 2.0); 6]);
    // SAFETY: 35 complex numbers are at the pointer, the largest operand; all of the outputs is initialised.
    unsafe {
        contract_into::<Chain<R>, Complex<f64>>(&[z; 3], out.as_mut_ptr(), alpha, beta);
        let scaled = Scaled { alpha, beta };
        Call::<Chain<R>, _, _>::new(scaled, other.as_mut_ptr()).run::<Portable>(&[z; 3]);
    }
    assert_eq!(out, other);
    assert!(out.iter().any(|x| *x != Complex::new(1.0, 2.0)));
}

#[test]
fn kernels_of_real_operands_among_complex_ones() {
    check::<0b001>();
    check::<0b010>();
    check::<0b011>();
    check::<0b100>();
    check::<0b110>();
    check::<0b111>();
}
