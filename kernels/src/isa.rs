//! Instruction sets: the same Rust code, compiled once for each, chosen at run time.
//!
//! A kernel is a [`Vectorize`] value whose `run` is `#[cfg_attr(optimised, inline(always))]`. [`vectorize`] calls it from a function
//! compiled for the best instruction set of the machine, into which it is inlined and there vectorised. What differs
//! between the sets is how wide registers are and whether a multiplication and an addition are one instruction with
//! one rounding ([`mul_add`]).
//!
//! The environment variable `CTEINSUM_ISA` (`portable`, `avx2`, `avx512` on x86-64; `portable`, `neon` on AArch64; read
//! once) lowers the choice, for tests. A set of another architecture lowers nothing.

use std::sync::OnceLock;

use num_complex::Complex;

use super::kind::Kind;
use crate::element::Element;

/// An instruction set, as a type that kernels are compiled for.
pub(crate) trait Isa: Copy + 'static {
    /// Its name.
    const LEVEL: Level;
    /// Whether `a * b + c` is one instruction with one rounding.
    const FMA: bool;
}

/// Plain loops for whatever the target guarantees: SSE2, wasm, NEON as the compiler finds it.
#[derive(Clone, Copy)]
pub(crate) struct Portable;
/// NEON, which every AArch64 has.
#[cfg(neon_vectors)]
#[derive(Clone, Copy)]
pub(crate) struct Neon;
/// AVX2 and FMA.
#[cfg(x86_vectors)]
#[derive(Clone, Copy)]
pub(crate) struct Avx2;
/// AVX-512 (F, BW, CD, DQ, VL).
#[cfg(x86_vectors)]
#[derive(Clone, Copy)]
pub(crate) struct Avx512;

impl Isa for Portable {
    const LEVEL: Level = Level::Portable;
    const FMA: bool = cfg!(target_arch = "aarch64");
}
#[cfg(neon_vectors)]
impl Isa for Neon {
    const LEVEL: Level = Level::Neon;
    const FMA: bool = true;
}
#[cfg(x86_vectors)]
impl Isa for Avx2 {
    const LEVEL: Level = Level::Avx2;
    const FMA: bool = true;
}
#[cfg(x86_vectors)]
impl Isa for Avx512 {
    const LEVEL: Level = Level::Avx512;
    const FMA: bool = true;
}

/// The instruction sets that differ here. A machine has those of one architecture, in their order here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Portable,
    #[cfg_attr(not(neon_vectors), allow(dead_code))]
    Neon,
    Avx2,
    Avx512,
}

static LEVEL: OnceLock<Level> = OnceLock::new();

/// Whether this is the instruction set in use; `false` as long as nobody has asked which one is. It never calls anything,
/// so that a function that begins with it keeps its arguments in registers.
#[cfg(x86_vectors)]
#[inline]
pub(crate) fn is_known_to_be(level: Level) -> bool {
    LEVEL.get().is_some_and(|&known| known == level)
}

/// The instruction set in use in this process.
#[inline]
pub(crate) fn level() -> Level {
    *LEVEL.get_or_init(|| {
        let allowed = match std::env::var("CTEINSUM_ISA").as_deref() {
            Ok("portable") => Level::Portable,
            Ok("avx2") => Level::Avx2,
            _ => Level::Avx512,
        };
        detect().min(allowed)
    })
}

#[cfg(x86_vectors)]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Portable,
    }
}

#[cfg(not(x86_vectors))]
fn detect() -> Level {
    if cfg!(neon_vectors) {
        Level::Neon
    } else {
        Level::Portable
    }
}

impl Level {
    /// Whether this is `other`, for constant conditions.
    pub(crate) const fn is(self, other: Level) -> bool {
        self as u8 == other as u8
    }

    /// Whether this includes `other`, for constant conditions.
    #[cfg(any(x86_vectors, neon_vectors))]
    pub(crate) const fn reaches(self, other: Level) -> bool {
        self as u8 >= other as u8
    }

    /// The highest instruction set that loops over elements of this kind gain from, up to `self`: 8-bit and 128-bit
    /// integers have no multiplication in registers, and what other types do is unknown.
    pub(crate) const fn for_kind(self, kind: Kind) -> Level {
        match kind {
            Kind::U8 | Kind::U128 | Kind::Other => Level::Portable,
            _ => self,
        }
    }
}

/// Code to be compiled for each instruction set. Mark `run` and all that it calls in its loops `#[cfg_attr(optimised, inline(always))]`.
///
/// What is compiled three times for every element type is most of the compile time of this crate: keep `run` to the
/// innermost loops.
pub(crate) trait Vectorize {
    /// What `run` gives.
    type Output;
    /// The highest instruction set that gains anything. Code that waits for memory gains nothing from AVX-512.
    const MOST: Level;
    /// The code.
    fn run<I: Isa>(self) -> Self::Output;
}

/// Runs `code` as compiled for the best instruction set that it gains from and the machine has.
#[cfg_attr(optimised, inline(always))] // else the code is copied on its way, and waits for what was only just written
pub(crate) fn vectorize<V: Vectorize>(code: V) -> V::Output {
    #[cfg(x86_vectors)]
    {
        if const { V::MOST.reaches(Level::Avx512) } && level() == Level::Avx512 {
            // SAFETY: `detect` found these features.
            return unsafe { avx512(code) };
        }
        if const { V::MOST.reaches(Level::Avx2) } && level() >= Level::Avx2 {
            // SAFETY: `detect` found these features; those of AVX-512 include them.
            return unsafe { avx2(code) };
        }
    }
    #[cfg(neon_vectors)]
    if const { V::MOST.reaches(Level::Neon) } && level() == Level::Neon {
        return code.run::<Neon>();
    }
    code.run::<Portable>()
}

#[cfg(x86_vectors)]
#[target_feature(enable = "avx2,fma")]
fn avx2<V: Vectorize>(code: V) -> V::Output {
    code.run::<Avx2>()
}

#[cfg(x86_vectors)]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
fn avx512<V: Vectorize>(code: V) -> V::Output {
    code.run::<Avx512>()
}

/// `value` as the type that it has.
///
/// # Safety
///
/// `T` and `U` are the same type.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn same<T: Copy, U: Copy>(value: T) -> U {
    // SAFETY: a copy of a value to its own type.
    unsafe { core::mem::transmute_copy(&value) }
}

/// `a * b + c`, with one rounding where the instruction set has it and the type is a float.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn mul_add<I: Isa, T: Element>(a: T, b: T, c: T) -> T {
    macro_rules! fused {
        ($float:ty) => {{
            // SAFETY: `T` is the float.
            let (a, b, c): ($float, $float, $float) = unsafe { (same(a), same(b), same(c)) };
            // SAFETY: as above.
            return unsafe { same(a.mul_add(b, c)) };
        }};
        (complex $float:ty) => {{
            // SAFETY: `T` is the complex number.
            let (a, b, c) = unsafe {
                (
                    same::<T, Complex<$float>>(a),
                    same::<T, Complex<$float>>(b),
                    same::<T, Complex<$float>>(c),
                )
            };
            let sum = Complex::new(
                (-a.im).mul_add(b.im, a.re.mul_add(b.re, c.re)),
                a.im.mul_add(b.re, a.re.mul_add(b.im, c.im)),
            );
            // SAFETY: as above.
            return unsafe { same(sum) };
        }};
    }
    if const { I::FMA && T::KIND.is(Kind::F64) } {
        fused!(f64);
    }
    if const { I::FMA && T::KIND.is(Kind::F32) } {
        fused!(f32);
    }
    if const { I::FMA && T::KIND.is(Kind::C64) } {
        fused!(complex f64);
    }
    if const { I::FMA && T::KIND.is(Kind::C32) } {
        fused!(complex f32);
    }
    T::add(c, T::mul(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is compiled for an instruction set says which one it is.
    struct Which;
    impl Vectorize for Which {
        type Output = Level;
        const MOST: Level = Level::Avx512;
        fn run<I: Isa>(self) -> Level {
            I::LEVEL
        }
    }

    #[test]
    fn what_runs_is_the_level_and_the_mask_lowers_it() {
        assert_eq!(vectorize(Which), level());
        let best = detect();
        let mask = std::env::var("CTEINSUM_ISA").unwrap_or_default();
        let expected = match mask.as_str() {
            "portable" => Level::Portable,
            "avx2" if best == Level::Avx512 => Level::Avx2,
            _ => best,
        };
        assert_eq!(level(), expected, "CTEINSUM_ISA={mask}");
        if cfg!(all(optimised, target_arch = "aarch64")) {
            assert_eq!(best, Level::Neon);
        }
    }
}
