//! The steps of a plan as plain loops, compiled once for an element type.
//!
//! The kernels are compiled for each call site, which takes rustc a while; a build with debug assertions, which asks
//! for quick builds and not for speed, interprets the plan instead. It is also what the kernels are tested against.

use super::OnParts;
use super::scale::{Overwrite, Scale};
use crate::scalar::Scalar;
use cteinsum_plan::fixed::{FixedAxis, FixedGroup, FixedPlace, FixedPlan, FixedStep};

/// Runs all steps.
///
/// # Safety
///
/// As for `contract_into`, of a call whose plan this is; `scratch` has room for `plan.scratch` elements.
pub(super) unsafe fn run<T: Scalar, S: Scale<T>>(
    plan: &FixedPlan,
    operands: &[*const T],
    out: *mut T,
    scratch: *mut T,
    scale: S,
) {
    for step in &plan.steps[..plan.count] {
        let place = |place| match place {
            FixedPlace::Operand(p) => operands[p],
            FixedPlace::Scratch(offset) => scratch.wrapping_add(offset).cast_const(),
            FixedPlace::Output => out.cast_const(),
            FixedPlace::Absent => core::ptr::null(),
        };
        let (a, b, c) = (
            place(step.left),
            place(step.right),
            place(step.result).cast_mut(),
        );
        if step.parts {
            // SAFETY: as below; so many elements of the scratch memory are the result's.
            unsafe {
                (0..step.cleared).for_each(|i| c.add(i).write(T::ZERO));
                T::__on_parts(Interpreted(step), a, b, c);
            }
        } else if step.result == FixedPlace::Output {
            // SAFETY: the caller's promise. A step reads operands and what earlier steps have written, and writes the
            // output or a part of the scratch memory that no array in use overlaps.
            unsafe { run_step(step, a, b, c, scale) };
        } else {
            // SAFETY: as above.
            unsafe { run_step(step, a, b, c, Overwrite) };
        }
    }
}

/// A step of the parts of complex numbers.
struct Interpreted<'a>(&'a FixedStep);

impl OnParts for Interpreted<'_> {
    unsafe fn run<R: Scalar>(self, a: *const R, b: *const R, c: *mut R) {
        // SAFETY: the caller's promise.
        unsafe { run_step(self.0, a, b, c, Overwrite) }
    }
}

/// # Safety
///
/// The pointers are to the elements of index 0 of the arrays of the step; the operands are readable, the result is
/// writable (and initialised if `scale` reads it) and apart from them.
unsafe fn run_step<T: Scalar, S: Scale<T>>(
    step: &FixedStep,
    a: *const T,
    b: *const T,
    c: *mut T,
    scale: S,
) {
    let (kept, summed) = if step.vec_summed {
        (FixedAxis::ONE, step.vec)
    } else {
        (step.vec, FixedAxis::ONE)
    };
    let binary = step.right != FixedPlace::Absent;
    for_each(&step.outer, FixedAxis::ONE, |outer| {
        for_each(&step.rows, kept, |row| {
            let mut sum = T::ZERO;
            for_each(&step.sums, summed, |k| {
                // SAFETY: the offsets are those of an index of the step.
                unsafe {
                    let x = a.offset(outer.a + row.a + k.a).read();
                    let x = if step.conj_left { T::conj(x) } else { x };
                    let product = if binary {
                        let y = b.offset(outer.b + row.b + k.b).read();
                        T::mul(x, if step.conj_right { T::conj(y) } else { y })
                    } else {
                        x
                    };
                    sum = T::add(sum, product);
                }
            });
            // SAFETY: as above, and `scale` reads only an initialised output.
            unsafe {
                let c = c.offset(outer.c + row.c);
                c.write(scale.finish_one(sum, || c.read()));
            }
        });
    });
}

/// Calls `f` with the offsets of every index of a group and an axis inside of it (its `len` is of no meaning).
fn for_each(group: &FixedGroup, inner: FixedAxis, mut f: impl FnMut(FixedAxis)) {
    for i in 0..group.rounds() {
        let (mut rest, mut at) = (
            i,
            FixedAxis {
                len: 1,
                a: 0,
                b: 0,
                c: 0,
            },
        );
        for axis in (0..group.count()).rev() {
            let FixedAxis { len, a, b, c } = group.axis(axis);
            let index = (rest % len) as isize;
            rest /= len;
            at.a += index * a;
            at.b += index * b;
            at.c += index * c;
        }
        for _ in 0..inner.len {
            f(at);
            at.a += inner.a;
            at.b += inner.b;
            at.c += inner.c;
        }
    }
}
