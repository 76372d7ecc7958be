//! Seeded random arrays with hostile strides, and element types to fill them with.

use num_complex::Complex;

use crate::element::Element;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub(super) fn pick<X: Copy>(&mut self, from: &[X]) -> X {
        from[self.below(from.len())]
    }
    pub(super) fn shuffle<X>(&mut self, items: &mut [X]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// An element type under test: small whole numbers, so that every order of summation gives the same value.
pub(super) trait Sample: Element {
    fn small(rng: &mut Rng) -> Self;
    /// What an output is filled with where it must not be read.
    fn poison() -> Self;
    /// The bits, for comparisons that NaN takes part in.
    fn bits(self) -> [u64; 4];
}

fn digit(rng: &mut Rng) -> i8 {
    rng.below(7) as i8 - 3
}

macro_rules! float {
    ($($t:ty),*) => {$(
        impl Sample for $t {
            fn small(rng: &mut Rng) -> Self { <$t>::from(digit(rng)) }
            fn poison() -> Self { <$t>::NAN }
            fn bits(self) -> [u64; 4] { [u64::from(self.to_bits()), 0, 0, 0] }
        }
        impl Sample for Complex<$t> {
            fn small(rng: &mut Rng) -> Self {
                Complex::new(<$t>::from(digit(rng)), <$t>::from(digit(rng)))
            }
            fn poison() -> Self { Complex::new(<$t>::NAN, <$t>::NAN) }
            fn bits(self) -> [u64; 4] {
                [u64::from(self.re.to_bits()), u64::from(self.im.to_bits()), 0, 0]
            }
        }
    )*};
}
macro_rules! integer {
    ($($t:ty),*) => {$(
        impl Sample for $t {
            fn small(rng: &mut Rng) -> Self { rng.next() as $t }
            fn poison() -> Self { 77 }
            fn bits(self) -> [u64; 4] { [self as u64, ((self as u128) >> 64) as u64, 0, 0] }
        }
    )*};
}
float!(f32, f64);
integer!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

/// A user's element type: integers modulo 10007, with an inverse order of "conjugation" to tell A from B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Modular(pub(super) u32);
impl Element for Modular {
    const ZERO: Self = Modular(0);
    const ONE: Self = Modular(1);
    fn add(a: Self, b: Self) -> Self {
        Modular((a.0 + b.0) % 10007)
    }
    fn mul(a: Self, b: Self) -> Self {
        Modular((u64::from(a.0) * u64::from(b.0) % 10007) as u32)
    }
    fn conj(a: Self) -> Self {
        Modular((10007 - a.0) % 10007)
    }
}
impl Sample for Modular {
    fn small(rng: &mut Rng) -> Self {
        Modular(rng.below(10007) as u32)
    }
    fn poison() -> Self {
        Modular(u32::MAX / 2)
    }
    fn bits(self) -> [u64; 4] {
        [u64::from(self.0), 0, 0, 0]
    }
}

/// A user's element type that is larger than any register and of odd size: max-plus over three slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tropical([i32; 5]);
impl Element for Tropical {
    const ZERO: Self = Tropical([i32::MIN; 5]);
    const ONE: Self = Tropical([0; 5]);
    fn add(a: Self, b: Self) -> Self {
        Tropical(core::array::from_fn(|i| a.0[i].max(b.0[i])))
    }
    fn mul(a: Self, b: Self) -> Self {
        Tropical(core::array::from_fn(|i| a.0[i].saturating_add(b.0[i])))
    }
}
impl Sample for Tropical {
    fn small(rng: &mut Rng) -> Self {
        Tropical(core::array::from_fn(|_| rng.below(1000) as i32))
    }
    fn poison() -> Self {
        Tropical([i32::MAX / 4; 5])
    }
    fn bits(self) -> [u64; 4] {
        [0, 1, 2, 3].map(|i| self.0[i] as u64)
    }
}

/// The smallest and largest offset that axes of these lengths and strides reach.
fn extent(axes: &[(usize, isize)]) -> (isize, isize) {
    axes.iter().fold((0, 0), |(low, high), &(len, stride)| {
        let last = len.saturating_sub(1) as isize * stride;
        (low + last.min(0), high + last.max(0))
    })
}

/// An array that holds all offsets of the axes, and the index of offset 0. `pad` elements before shift its alignment.
pub(super) fn array<T: Element>(
    axes: &[(usize, isize)],
    pad: usize,
    mut fill: impl FnMut() -> T,
) -> (Vec<T>, usize) {
    let (low, high) = extent(axes);
    let len = (high - low) as usize + 1 + pad;
    ((0..len).map(|_| fill()).collect(), pad + (-low) as usize)
}

/// Strides that put the axes of lengths `lens` in memory without overlap: in random order, with gaps and reversals,
/// and, where `broadcast` allows, zero.
pub(super) fn strides(rng: &mut Rng, lens: &[usize], broadcast: bool) -> Vec<isize> {
    let mut order: Vec<usize> = (0..lens.len()).collect();
    if rng.chance(60) {
        rng.shuffle(&mut order);
    }
    let mut strides = vec![0isize; lens.len()];
    let mut step = if rng.chance(15) { 2 } else { 1 };
    for &axis in order.iter().rev() {
        if broadcast && rng.chance(8) {
            continue;
        }
        strides[axis] = if rng.chance(12) { -step } else { step };
        step *= lens[axis].max(1) as isize;
        if rng.chance(15) {
            step += 1 + rng.below(3) as isize;
        }
    }
    strides
}
