//! Copies and transpositions.
//!
//! Where C and A are densest along the same axis, C is filled in runs along it. Elsewhere it is a transposition in
//! the general sense, in [blocks](super::blocks).

use core::mem::MaybeUninit;

use super::OPTIMISED;
use super::axis::{Axis, size};
use super::blocks::{by_elements, in_blocks};
use super::elementwise::in_runs;
use super::far;
use super::isa::vectorize;
use super::operands::Operands;
use super::team::Team;
use super::transpose::Transpose;
use super::walk::Offset;
use crate::element::Element;

/// Bytes of the largest elements for which a cache line holds more than one.
const WIDE: usize = 32;
/// Elements below which blocks are not set up.
const FEW: usize = 256;
/// Runs at least this long need no blocks.
const LONG: usize = 16;

/// `C <- alpha * A + beta * C`, on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn copy<T: Element>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let conj = const { !T::KIND.is_real() } && operands.scale.conj_a;
    if operands.scale.update().is_plain() && !conj {
        let Operands { a, c, .. } = operands;
        let numbers = const { far::serves(T::KIND, size_of::<T>()) };
        // A plain copy moves bits: one function for all types of a size. `MaybeUninit` allows for padding.
        macro_rules! as_bits {
            ($($bits:ty)*) => {$(
                if const { size_of::<T>() == size_of::<$bits>() } {
                    let of = Bits::<MaybeUninit<$bits>> { a: a.cast(), c: c.cast(), numbers };
                    // SAFETY: the caller's promise; `Bits` asks for no alignment.
                    return unsafe { bits(axes, of, width, team) };
                }
            )*};
        }
        as_bits!(u8 u16 u32 u64 u128);
        // SAFETY: the caller's promise.
        return unsafe { bits(axes, Bits { a, c, numbers }, width, team) };
    }
    if const { OPTIMISED }
        && let Some((c_dense, a_dense)) = transposed(axes, size_of::<T>())
    {
        in_blocks(axes, [c_dense, a_dense], width, team, &|q, p, _, at| {
            // SAFETY: a point of the outer loops, by the caller's promise.
            let Operands { a, c, scale, .. } = unsafe { operands.at(at) };
            let update = scale.update();
            by_elements(q, p, |from, to| {
                // SAFETY: elements of the block, by the caller's promise; no other task has this one of C.
                unsafe {
                    let a = *a.offset(from);
                    update.apply(c.offset(to), if conj { T::conj(a) } else { a });
                }
            });
        });
    } else {
        in_runs(axes, width, team, &|at, run| {
            // SAFETY: a run of C, by the caller's promise; no other task has it.
            unsafe { run_with_factors(run, operands.at(at)) };
        });
    }
}

/// Source and destination of a plain copy.
#[derive(Clone, Copy)]
struct Bits<U> {
    a: *const U,
    c: *mut U,
    /// Whether [`far`] serves the elements.
    numbers: bool,
}

// SAFETY: pointers to elements that are themselves `Send`; every piece of a copy writes elements of its own.
unsafe impl<U: Send> Send for Bits<U> {}
// SAFETY: as for `Send`; a shared `Bits` is only copied.
unsafe impl<U: Send + Sync> Sync for Bits<U> {}

impl<U: Copy> Bits<U> {
    /// The same arrays seen from another point.
    ///
    /// # Safety
    ///
    /// The offsets stay inside the arrays.
    unsafe fn at(self, at: Offset) -> Bits<U> {
        // SAFETY: the caller's promise.
        unsafe {
            Bits {
                a: self.a.offset(at.a),
                c: self.c.offset(at.c),
                ..self
            }
        }
    }
}

/// `C <- A`.
///
/// # Safety
///
/// As for `Prepared::run`, but the pointers need not be aligned.
#[inline(never)]
unsafe fn bits<U: Copy + Send + Sync>(axes: &[Axis], of: Bits<U>, width: usize, team: &mut Team) {
    if let (&[run @ Axis { a: 1, c: 1, .. }], 1) = (axes, width) {
        // SAFETY: the only run.
        unsafe { run_of_bits(run, of) };
    } else if let Some((c_dense, a_dense)) = transposed(axes, size_of::<U>()) {
        let bytes = size(axes).saturating_mul(size_of::<U>());
        in_blocks(axes, [c_dense, a_dense], width, team, &|q, p, run, at| {
            // SAFETY: a block, by the caller's promise; no other task writes it.
            let Bits { a, c, .. } = unsafe { of.at(at) };
            vectorize(Transpose {
                q,
                p,
                run,
                bytes,
                a,
                c,
            });
        });
    } else {
        in_runs(axes, width, team, &|at, run| {
            // SAFETY: a run, by the caller's promise; no other task writes it.
            unsafe { run_of_bits(run, of.at(at)) };
        });
    }
}

/// One run along the axis on which C is densest.
unsafe fn run_of_bits<U: Copy>(run: Axis, Bits { a, c, numbers }: Bits<U>) {
    // SAFETY: elements of the run, by the promise of `bits`; C does not overlap A.
    unsafe {
        match (run.a, run.c) {
            (1, 1) => {
                let bytes = run.len * size_of::<U>();
                core::ptr::copy_nonoverlapping(a.cast::<u8>(), c.cast::<u8>(), bytes);
            }
            (0, 1) => {
                let a = a.read_unaligned();
                for i in 0..run.len {
                    c.add(i).write_unaligned(a);
                }
            }
            _ if numbers && far::is_far(&run, size_of::<U>()) => far::copy(&run, a, c),
            _ => {
                for i in 0..run.len as isize {
                    c.offset(i * run.c)
                        .write_unaligned(a.offset(i * run.a).read_unaligned());
                }
            }
        }
    }
}

/// Elements that wait for `alpha` and `beta` at once.
const BUFFER: usize = 64;

/// One run with factors or conjugates: gathered in a buffer where that is needed.
unsafe fn run_with_factors<T: Element>(run: Axis, operands: Operands<T>) {
    let Operands { a, c, scale, .. } = operands;
    let update = scale.update();
    let conj = const { !T::KIND.is_real() } && scale.conj_a;
    // SAFETY: elements of the run, by the promise of `copy`; the buffer is read where it was written.
    unsafe {
        if run.a == 1 && !conj {
            return update.run(c, run.c, a, run.len);
        }
        let mut buffer = [const { MaybeUninit::<T>::uninit() }; BUFFER];
        for start in (0..run.len).step_by(BUFFER) {
            let len = BUFFER.min(run.len - start);
            for (i, value) in buffer[..len].iter_mut().enumerate() {
                let a = *a.offset((start + i) as isize * run.a);
                value.write(if conj { T::conj(a) } else { a });
            }
            let c = c.offset(start as isize * run.c);
            update.run(c, run.c, buffer.as_ptr().cast(), len);
        }
    }
}

/// The axes on which C and A are densest, if blocks pay: they differ, and the runs along the one of C would be short or
/// jump in A.
fn transposed(axes: &[Axis], bytes: usize) -> Option<(usize, usize)> {
    if bytes > WIDE || size(axes) < FEW {
        return None;
    }
    let densest = |stride: fn(&Axis) -> isize| {
        (0..axes.len())
            .filter(|&i| stride(&axes[i]) != 0)
            .min_by_key(|&i| stride(&axes[i]).unsigned_abs())
    };
    let c_dense = densest(|axis| axis.c)?;
    let a_dense = densest(|axis| axis.a)?;
    let broadcast = axes[c_dense].a == 0 && axes[c_dense].len >= LONG;
    (c_dense != a_dense && !broadcast).then_some((c_dense, a_dense))
}
