//! A program without `std` and without an allocator.
//!
//! For a target without an operating system (`thumbv7em-none-eabihf`, …) it is enough to depend on cteinsum without its
//! default features. Here it runs on a machine that has one, by `RUSTFLAGS="--cfg cteinsum_no_std"`: if cteinsum brought
//! `std` in, there would be two panic handlers, and if it brought `alloc` in, rustc would miss the global allocator.
#![no_std]
#![no_main]

use core::panic::PanicInfo;

use cteinsum::{Scalar, conj, einsum, num_complex::Complex, try_einsum};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// What rustc's own debug builds ask for on a machine with an operating system.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[link(name = "c")]
unsafe extern "C" {}

/// A step of a Kalman filter: the covariance `F P Fᵀ + Q`.
fn predict<T: Scalar, const N: usize>(f: &[[T; N]; N], p: &[[T; N]; N], q: &mut [[T; N]; N]) {
    einsum!("ij,jk,lk->il", f, p, f, out = q, beta = T::ONE);
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let f = [[1.0, 0.5], [0.0, 1.0]];
    let p = [[4.0, 0.0], [0.0, 16.0]];
    let mut q = [[1.0, 0.0], [0.0, 1.0]];
    predict(&f, &p, &mut q);
    if q != [[9.0, 8.0], [8.0, 17.0]] {
        return 1;
    }
    let state: [f64; 2] = einsum!("ij,j->i", f, [2.0, 4.0]);
    if state != [4.0, 4.0] {
        return 2;
    }
    let x = [Complex::new(3.0, 4.0), Complex::new(0.0, 1.0)];
    if einsum!("i,i->", conj(&x), x) != Complex::new(26.0, 0.0) {
        return 3;
    }
    // Real and complex arrays in one call.
    let turned: [Complex<f64>; 2] = einsum!("ij,j->i", f, x);
    if turned != [Complex::new(3.0, 4.5), Complex::new(0.0, 1.0)] {
        return 7;
    }
    let mut both = [[Complex::new(0.0, 1.0); 2]; 2];
    einsum!("ij,jk->ik", f, p, out = &mut both, beta = Complex::new(2.0, 0.0));
    if both[0] != [Complex::new(4.0, 2.0), Complex::new(8.0, 2.0)] {
        return 8;
    }
    let sum: [Complex<f64>; 2] = einsum!([i] = f[i, j] * x[j] - f[i, j] * state[j]);
    if sum != [Complex::new(-3.0, 4.5), Complex::new(-4.0, 1.0)] {
        return 9;
    }
    let damped: [[f64; 2]; 2] = einsum!([i, k] = 0.5 * f[i, j] * q[j, k] - 2.0 * p[k, i]);
    if damped != [[-1.5, 8.25], [4.0, -23.5]] {
        return 5;
    }
    let doubled: [f64; 2] = einsum!([i] = 2.0 * f[i, j] * state[j]);
    if doubled != [12.0, 8.0] {
        return 6;
    }
    let images = [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]];
    let turned: [[[i32; 2]; 2]; 3] = match try_einsum!("...ij,,->...ji", images, 2, -1) {
        Ok(turned) => turned,
        Err(never) => match never {},
    };
    if turned[2] != [[-18, -22], [-20, -24]] {
        return 4;
    }
    0
}
