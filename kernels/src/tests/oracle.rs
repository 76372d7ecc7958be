//! The independent answer: one loop over the whole index space, written without any code of the kernels.

use crate::element::Element;
use crate::{Axis, Contraction, Reduction, Scale};

/// Calls `f` at every combination of indices of `axes` with the offsets in A, B and C.
fn odometer(axes: &[Axis], mut f: impl FnMut([isize; 3])) {
    if axes.iter().any(|axis| axis.len == 0) {
        return;
    }
    let mut index = vec![0usize; axes.len()];
    loop {
        let mut at = [0isize; 3];
        for (axis, &i) in axes.iter().zip(&index) {
            let i = i as isize;
            at = [at[0] + i * axis.a, at[1] + i * axis.b, at[2] + i * axis.c];
        }
        f(at);
        let mut d = axes.len();
        loop {
            if d == 0 {
                return;
            }
            d -= 1;
            index[d] += 1;
            if index[d] < axes[d].len {
                break;
            }
            index[d] = 0;
        }
    }
}

fn axes(groups: &[&[Axis]]) -> Vec<Axis> {
    groups
        .iter()
        .flat_map(|group| group.iter().copied())
        .collect()
}

/// The offsets of the elements of C.
pub(super) fn outputs(c: &Contraction) -> Vec<isize> {
    let mut all = Vec::new();
    odometer(&axes(&[&c.batch, &c.m, &c.n]), |at| all.push(at[2]));
    all
}

/// Runs the contraction on `c`, where `origin` is the index of the element at offset 0.
pub(super) fn contract<T: Element>(
    step: &Contraction,
    (a, a0): (&[T], usize),
    (b, b0): (&[T], usize),
    (c, c0): (&mut [T], usize),
    scale: Scale<T>,
) {
    let at =
        |origin: usize, offset: isize| origin.checked_add_signed(offset).expect("in the array");
    let mut outer: Vec<[isize; 3]> = Vec::new();
    odometer(
        &axes(&[
            &strip(&step.batch, [true, true, true]),
            &strip(&step.m, [true, false, true]),
            &strip(&step.n, [false, true, true]),
        ]),
        |o| outer.push(o),
    );
    let inner = strip(&step.k, [true, true, false]);
    for o in outer {
        let mut sum = T::ZERO;
        let mut terms = 0;
        odometer(&inner, |i| {
            let x = a[at(a0, o[0] + i[0])];
            let y = b[at(b0, o[1] + i[1])];
            let x = if scale.conj_a { T::conj(x) } else { x };
            let y = if scale.conj_b { T::conj(y) } else { y };
            sum = T::add(sum, T::mul(x, y));
            terms += 1;
        });
        put(&mut c[at(c0, o[2])], sum, terms, scale);
    }
}

/// Runs the reduction on `c`.
pub(super) fn reduce<T: Element>(
    step: &Reduction,
    (a, a0): (&[T], usize),
    (c, c0): (&mut [T], usize),
    scale: Scale<T>,
) {
    let at =
        |origin: usize, offset: isize| origin.checked_add_signed(offset).expect("in the array");
    let mut outer: Vec<[isize; 3]> = Vec::new();
    odometer(&strip(&step.kept, [true, false, true]), |o| outer.push(o));
    let inner = strip(&step.summed, [true, false, false]);
    for o in outer {
        let mut sum = T::ZERO;
        let mut terms = 0;
        odometer(&inner, |i| {
            let x = a[at(a0, o[0] + i[0])];
            sum = T::add(sum, if scale.conj_a { T::conj(x) } else { x });
            terms += 1;
        });
        put(&mut c[at(c0, o[2])], sum, terms, scale);
    }
}

fn put<T: Element>(c: &mut T, sum: T, terms: usize, scale: Scale<T>) {
    let new = if terms == 0 {
        T::ZERO
    } else {
        T::mul(scale.alpha, sum)
    };
    *c = match scale.beta {
        None => new,
        Some(beta) => T::add(T::mul(beta, *c), new),
    };
}

/// The axes without the strides of arrays that do not carry them.
fn strip(axes: &[Axis], [a, b, c]: [bool; 3]) -> Vec<Axis> {
    axes.iter()
        .map(|axis| Axis {
            len: axis.len,
            a: if a { axis.a } else { 0 },
            b: if b { axis.b } else { 0 },
            c: if c { axis.c } else { 0 },
        })
        .collect()
}
