//! Seeded randomness and a naive einsum to judge by.
#![allow(dead_code)]

/// xorshift64*: small, seeded, the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A row-major array of small integers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<i64>,
}

impl Array {
    pub(crate) fn fill(shape: Vec<usize>, mut value: impl FnMut(&[usize]) -> i64) -> Array {
        let mut data = Vec::new();
        for_each_index(&shape, |index| data.push(value(index)));
        Array { shape, data }
    }

    pub(crate) fn at(&self, index: &[usize]) -> i64 {
        assert_eq!(index.len(), self.shape.len());
        let place = index.iter().zip(&self.shape).fold(0, |place, (&i, &n)| {
            assert!(i < n);
            place * n + i
        });
        self.data[place]
    }
}

/// Every index of a shape, the last axis running fastest.
pub(crate) fn for_each_index(shape: &[usize], mut visit: impl FnMut(&[usize])) {
    if shape.contains(&0) {
        return;
    }
    let mut index = vec![0; shape.len()];
    loop {
        visit(&index);
        let mut axis = shape.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            index[axis] += 1;
            if index[axis] < shape[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

/// One loop over all labels: the definition of einsum.
///
/// `inputs` and `output` may repeat labels; axes of length 1 are repeated to the size of their label.
pub(crate) fn naive(
    inputs: &[Vec<u16>],
    output: &[u16],
    sizes: &[usize],
    operands: &[Array],
) -> Array {
    let shape: Vec<usize> = output.iter().map(|&l| sizes[usize::from(l)]).collect();
    let mut result = Array::fill(shape, |_| 0);
    for_each_index(sizes, |values| {
        let term = |(labels, array): (&Vec<u16>, &Array)| {
            let index: Vec<usize> = labels
                .iter()
                .zip(&array.shape)
                .map(|(&l, &n)| if n == 1 { 0 } else { values[usize::from(l)] })
                .collect();
            array.at(&index)
        };
        let product: i64 = inputs.iter().zip(operands).map(term).product();
        let place = output.iter().fold(0, |place, &l| {
            place * sizes[usize::from(l)] + values[usize::from(l)]
        });
        result.data[place] += product;
    });
    result
}
