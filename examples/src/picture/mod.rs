//! A picture as a tensor train, fitted by gradient descent.
//!
//! A pixel of a picture of 2ᴺ × 2ᴺ has an address of N digits in base four: which quarter of the picture, which quarter
//! of that, and so on. The picture is then a tensor with an index for the colour and N indices of length four, and can be
//! written as a tensor train (Oseledets, *SIAM J. Sci. Comput.* 33, 2011, 2295; quantized: Khoromskij, *Constr. Approx.*
//! 34, 2011, 257). The shorter the bonds, the fewer numbers.

pub mod options;
pub mod png;
pub mod scene;
pub mod train;

/// Number of quarterings: pictures have 256 × 256 pixels.
pub const LEVELS: usize = 8;
/// Pixels along each side.
pub const SIDE: usize = 1 << LEVELS;

/// The address of a pixel: its quarters from the largest to the smallest, as one number in base four.
pub fn address(x: usize, y: usize) -> usize {
    (0..LEVELS).rev().fold(0, |address, bit| {
        4 * address + 2 * (y >> bit & 1) + (x >> bit & 1)
    })
}
