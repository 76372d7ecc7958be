//! Gradients by one naive loop over all labels: what the definition says, and nothing else.

use crate::oracle::{self, Axis, Dense, Ring};

/// The transpose of the derivative with respect to each operand, applied to `dy`: nothing is conjugated.
pub fn transposes<R: Ring>(
    subscripts: &str,
    operands: &[Dense<R>],
    dy: &Dense<R>,
) -> Vec<Dense<R>> {
    let shapes: Vec<Vec<usize>> = operands.iter().map(|o| o.shape.clone()).collect();
    let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
    let terms = oracle::read(subscripts, &ranks);
    let lengths = oracle::lengths(&terms, &shapes);
    let labels: Vec<Axis> = lengths.keys().copied().collect();
    let sizes: Vec<usize> = lengths.values().copied().collect();
    let mut gradients: Vec<Dense<R>> = operands
        .iter()
        .map(|o| Dense {
            shape: o.shape.clone(),
            values: vec![R::ZERO; o.values.len()],
        })
        .collect();
    // Per array, how far a step of each label goes.
    let steps = |axes: &[Axis], shape: &[usize]| -> Vec<usize> {
        let mut steps = vec![0; labels.len()];
        let mut stride = 1;
        for (axis, &n) in axes.iter().zip(shape).rev() {
            let label = labels.iter().position(|l| l == axis).expect("known label");
            steps[label] += if n == 1 { 0 } else { stride };
            stride *= n;
        }
        steps
    };
    let inputs: Vec<Vec<usize>> = (terms.inputs.iter().zip(&shapes))
        .map(|(axes, shape)| steps(axes, shape))
        .collect();
    let output = steps(&terms.output, &dy.shape);
    for number in 0..sizes.iter().product() {
        let mut rest = number;
        let index: Vec<usize> = sizes
            .iter()
            .map(|&n| {
                let i = rest % n;
                rest /= n;
                i
            })
            .collect();
        let at = |steps: &[usize]| -> usize { steps.iter().zip(&index).map(|(s, i)| s * i).sum() };
        for (k, gradient) in gradients.iter_mut().enumerate() {
            let others = operands
                .iter()
                .zip(&inputs)
                .enumerate()
                .filter(|(other, _)| *other != k);
            let product = others.fold(dy.values[at(&output)], |product, (_, (operand, steps))| {
                product.times(operand.values[at(steps)])
            });
            let to = &mut gradient.values[at(&inputs[k])];
            *to = to.plus(product);
        }
    }
    gradients
}
