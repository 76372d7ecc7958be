//! What a plan costs, in numbers.

use super::PlanReport;
use crate::{
    cost::{StepCost, volume},
    lower::Step,
    request::USUAL_SIZE,
    spec::Label,
};

/// Numbers saturate. Without sizes every label counts as 64.
impl PlanReport {
    /// Products, each added to a sum, over all steps.
    pub fn multiply_adds(&self) -> u64 {
        self.cost().multiply_adds
    }

    /// Two for each multiply-add, one for each addition of the sums over one operand's own labels.
    pub fn flops(&self) -> u64 {
        self.cost().flops()
    }

    /// [`flops`](PlanReport::flops) of complex elements: eight for each multiply-add, two for each addition.
    pub fn complex_flops(&self) -> u64 {
        let StepCost {
            multiply_adds,
            additions,
        } = self.cost();
        multiply_adds
            .saturating_mul(8)
            .saturating_add(additions.saturating_mul(2))
    }

    /// Bytes read and written, each step reading its operands and writing its result once.
    pub fn bytes(&self) -> u64 {
        let steps = self.program.steps.iter();
        let elements = steps.fold(0u64, |sum, step| sum.saturating_add(self.moved(step)));
        elements.saturating_mul(self.element_bytes)
    }

    /// Elements of the largest result of a step, that of the last one included.
    pub fn largest(&self) -> u64 {
        let steps = self.program.steps.iter();
        steps.map(|s| self.volume(&s.result)).max().unwrap_or(0)
    }

    /// Elements of all intermediates that are alive at the busiest step; the result itself is not counted.
    pub fn peak(&self) -> u64 {
        self.program.peak(&self.sizes_or_usual())
    }

    /// Multiply-adds of one loop over all labels: for each combination of indices, the product of all operands.
    pub fn naive_multiply_adds(&self) -> f64 {
        let sizes = self.sizes_or_usual();
        let all = self.labels_used();
        let points = all.iter().map(|&l| sizes[usize::from(l)] as f64);
        points.product::<f64>() * (self.operands() - 1).max(1) as f64
    }

    /// How many times fewer operations the steps take than one loop over all labels.
    pub fn speed_up(&self) -> f64 {
        let cost = self.cost();
        let steps = cost.multiply_adds.saturating_add(cost.additions / 2);
        self.naive_multiply_adds() / steps.max(1) as f64
    }

    pub(super) fn cost(&self) -> StepCost {
        self.program.cost(&self.sizes_or_usual())
    }

    pub(super) fn step_cost(&self, step: &Step) -> StepCost {
        step.cost(&self.sizes_or_usual())
    }

    pub(super) fn volume(&self, labels: &[Label]) -> u64 {
        volume(labels, &self.sizes_or_usual())
    }

    fn moved(&self, step: &Step) -> u64 {
        let mut terms = alloc::vec![&step.left_labels, &step.result];
        if step.right.is_some() {
            terms.push(&step.right_labels);
        }
        let elements = terms.into_iter().map(|labels| self.volume(labels));
        elements.fold(0, u64::saturating_add)
    }

    fn sizes_or_usual(&self) -> alloc::borrow::Cow<'_, [usize]> {
        match &self.sizes {
            Some(sizes) => sizes.into(),
            None => alloc::vec![USUAL_SIZE; self.names.len()].into(),
        }
    }
}
