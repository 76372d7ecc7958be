//! One kernel after the other: the steps of a contraction tree, with their operands and where their results go.

use cteinsum_plan::{Label, Listed, Step};

use super::source::Source;
use super::{Action, Elements, Imaginary, Place, Sharing, scaling};
use crate::engine::plan::Plan;
use crate::engine::strides::row_major;
use crate::engine::workspace::Slots;
use crate::error::EinsumError;
use crate::kernel::{Axis, AxisList, Contraction, Prepared, Reduction};
use crate::tensor::check::checked_len_of;

/// The actions of a call, made one step of the tree after the other.
pub(super) struct Builder<'a> {
    pub(super) plan: Plan<'a>,
    pub(super) sizes: &'a [usize],
    pub(super) sharing: Sharing,
    /// By SSA number.
    pub(super) sources: Vec<Source>,
    pub(super) slots: Slots,
    pub(super) actions: Vec<Action>,
    pub(super) imaginary: Option<Imaginary>,
    pub(super) elements: Elements,
}

impl Builder<'_> {
    /// One step of the tree: sums of one-sided labels first, then the product, into a slot or into `target`.
    pub(super) fn step(&mut self, step: &Step, target: Option<Source>) -> Result<(), EinsumError> {
        let Some(right) = step.right else {
            let mut target = match target {
                Some(target) => target,
                None => self.slot(&step.result, self.sources[step.left].real)?,
            };
            self.reduce(step.left, &step.left_summed, &step.result, &mut target)?;
            self.sources.push(target);
            return Ok(());
        };
        let left = self.summed(step.left, &step.left_labels, &step.left_summed)?;
        let right = self.summed(right, &step.right_labels, &step.right_summed)?;
        let (a, b) = (&self.sources[left], &self.sources[right]);
        // A complex array is a real one with one more axis, of length 2 and stride 1: where a factor is real, that axis is
        // free, and the product takes half the work.
        let parts = a.real || b.real;
        let conj = parts && (a.conj || b.conj);
        let mut target = match target {
            Some(target) => target,
            None => self.slot(&step.result, a.real && b.real)?,
        };
        let labels = [
            &step.batch,
            &step.left_free,
            &step.right_free,
            &step.contracted,
        ];
        self.countable(labels.into_iter().flatten(), parts)?;
        let kernel = {
            let (a, b) = (&self.sources[left], &self.sources[right]);
            let axes = |labels: &[Label]| -> AxisList {
                labels
                    .iter()
                    .map(|&l| Axis {
                        len: self.sizes[usize::from(l)],
                        a: a.stride_in(l, parts),
                        b: b.stride_in(l, parts),
                        c: target.stride_in(l, parts),
                    })
                    .collect()
            };
            let mut contraction = Contraction {
                batch: axes(&step.batch),
                m: axes(&step.left_free),
                n: axes(&step.right_free),
                k: axes(&step.contracted),
            };
            if a.real != b.real {
                let (free, a, b) = match a.real {
                    true => (&mut contraction.n, 0, 1),
                    false => (&mut contraction.m, 1, 0),
                };
                let (len, c) = (2, 1);
                free.push(Axis { len, a, b, c });
            }
            let element = self.elements.part.filter(|_| parts);
            Prepared::contraction_of(
                &contraction,
                element.unwrap_or(self.elements.whole),
                self.sharing.threads,
            )
        };
        let both = self.sources[left].real && self.sources[right].real;
        let (first, second) = match kernel.swapped() {
            true => (right, left),
            false => (left, right),
        };
        self.actions.push(Action {
            kernel: self.sharing.of(kernel),
            left: self.sources[first].place,
            right: Some(self.sources[second].place),
            to: target.place,
            parts,
        });
        self.finish(&mut target, &step.result, both, conj);
        self.free(left);
        self.free(right);
        self.sources.push(target);
        Ok(())
    }

    /// The number of a source without the labels in `summed`: `id` itself if there are none.
    fn summed(
        &mut self,
        id: usize,
        labels: &[Label],
        summed: &[Label],
    ) -> Result<usize, EinsumError> {
        if summed.is_empty() {
            return Ok(id);
        }
        let kept: Vec<Label> = labels
            .iter()
            .copied()
            .filter(|l| !summed.contains(l))
            .listed();
        let mut target = self.slot(&kept, self.sources[id].real)?;
        self.reduce(id, summed, &kept, &mut target)?;
        // Not an SSA value of the tree: it stands in for `id` from here on, and `id` is freed.
        self.free(id);
        self.sources[id] = target;
        Ok(id)
    }

    fn reduce(
        &mut self,
        from: usize,
        summed: &[Label],
        kept: &[Label],
        target: &mut Source,
    ) -> Result<(), EinsumError> {
        self.countable(kept.iter().chain(summed), false)?;
        let source = &self.sources[from];
        let parts = source.real;
        let axes = |labels: &[Label]| -> AxisList {
            labels
                .iter()
                .map(|&l| Axis {
                    len: self.sizes[usize::from(l)],
                    a: source.stride_in(l, parts),
                    b: 0,
                    c: target.stride_in(l, parts),
                })
                .collect()
        };
        let kernel = Prepared::reduction_of(
            &Reduction {
                kept: axes(kept),
                summed: axes(summed),
            },
            self.sharing.threads,
        );
        self.actions.push(Action {
            kernel: self.sharing.of(kernel),
            left: source.place,
            right: None,
            to: target.place,
            parts,
        });
        self.finish(target, kept, parts, false);
        Ok(())
    }

    /// What real kernels leave undone: the result that they wrote is real, or the conjugate of what it should be.
    fn finish(&mut self, target: &mut Source, labels: &[Label], real: bool, conj: bool) {
        match target.place {
            Place::Slot(offset) if conj => {
                target.place = Place::Conjugate(offset);
                target.conj = true;
            }
            Place::Output if real || conj => {
                let axis = |&l: &Label| Axis {
                    len: self.sizes[usize::from(l)],
                    a: 0,
                    b: 0,
                    c: target.stride_in(l, true),
                };
                self.imaginary = Some(Imaginary {
                    step: scaling(labels.iter().map(axis), self.sharing.threads),
                    negate: conj,
                });
            }
            _ => {}
        }
    }

    /// An index space that no `usize` counts is never walked to its end, nor can its scratch memory be had.
    fn countable<'l>(
        &self,
        labels: impl Iterator<Item = &'l Label> + Clone,
        parts: bool,
    ) -> Result<(), EinsumError> {
        let lens = labels.map(|&l| self.sizes[usize::from(l)]);
        if is_countable(lens.clone().chain(parts.then_some(2))) {
            return Ok(());
        }
        let shape: Vec<usize> = lens.listed();
        Err(EinsumError::too_large(self.plan, &shape))
    }

    /// A row-major slot of the workspace for these labels.
    fn slot(&mut self, labels: &[Label], real: bool) -> Result<Source, EinsumError> {
        let part = self.elements.part.filter(|_| real);
        let size = part.unwrap_or(self.elements.whole).size;
        let shape: Vec<usize> = labels.iter().map(|&l| self.sizes[usize::from(l)]).listed();
        let too_large = || EinsumError::too_large(self.plan, &shape);
        let len = checked_len_of(&shape, size).ok_or_else(too_large)?;
        let offset = self.slots.take(len * size).ok_or_else(too_large)?;
        Ok(Source {
            place: Place::Slot(offset),
            strides: labels.iter().copied().zip(row_major(&shape)).listed(),
            real,
            conj: false,
        })
    }

    fn free(&mut self, id: usize) {
        if let Place::Slot(offset) | Place::Conjugate(offset) = self.sources[id].place {
            self.slots.free(offset);
        }
    }
}

/// Whether `usize` counts the points of an index space.
fn is_countable(mut lens: impl Iterator<Item = usize> + Clone) -> bool {
    lens.clone().any(|len| len == 0) || lens.try_fold(1usize, |n, len| n.checked_mul(len)).is_some()
}
