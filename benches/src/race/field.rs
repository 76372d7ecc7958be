//! One row: its contenders, and whether they agree.

use cteinsum::Tensor;
use cteinsum_plan::{Order, Subscripts};

use crate::clock::{self, Contender, rounds};
use crate::peers::{self, Array, How, Peer, Product};
use crate::record::{Row, fingerprint};

/// Small whole numbers, so that all contenders must agree to the last bit. `python_peers.py` makes the same.
pub(crate) fn values<T: Peer, const N: usize>(shape: [usize; N], seed: usize) -> Tensor<T, N> {
    let len = shape.iter().product();
    let value = |i: usize| T::small((i * 31 + seed * 17 + i / 7) % 5);
    let mut array = clock::array(len, T::small(0));
    array
        .iter_mut()
        .enumerate()
        .for_each(|(i, x)| *x = value(i));
    Tensor::from_vec(shape, array)
}

/// The tensors themselves lie on the heap, where what the others read of their operands does, too: on the stack they may have the
/// last twelve bits of their addresses in common with elements of the result, for whose stores processors then wait.
///
/// A row: name of the sizes, element type, spec, operands and their shapes, the shape of the result, what is counted
/// (multiply-adds or bytes), for `/ns`, and how the contenders do it.
macro_rules! race {
    ($name:expr, $t:ty, $spec:literal, $($x:ident [$($a:expr),*])+ => [$($n:expr),*], $work:expr $(, $how:expr)?) => {{
        let mut seed = 0;
        $(
            seed += 1;
            let $x = Box::new($crate::race::values::<$t, _>([$($a),*], seed));
        )+
        let shape = [$($n),*];
        let arrays = [$(($x.as_slice(), &$x.shape()[..])),+];
        let how = [$($how,)? $crate::peers::How::default()];
        let field = $crate::race::Field::new($spec, &arrays, &shape, how.into_iter().next().expect("one"));
        let mut out = Box::new(cteinsum::Tensor::<$t, _>::zeros(shape));
        let (times, outs) = {
            let (target, operands) = (&mut *out, ($(&*$x,)+));
            let ours: $crate::clock::Contender<'_> = Box::new(move |runs| {
                for _ in 0..runs {
                    let ($($x,)+) = std::hint::black_box(operands);
                    cteinsum::einsum!($spec, $($x),+, out = &mut *target);
                }
            });
            field.times(ours)
        };
        field.report(&format!("{} {}", stringify!($t), $name), $work as f64, times, out.as_slice(), &outs);
    }};
}

/// A row's contenders but ours.
pub(crate) struct Field<'a, T> {
    spec: &'a str,
    arrays: &'a [Array<'a, T>],
    shape: &'a [usize],
    how: How<'a, T>,
    /// The order that contenders are given.
    tree: Vec<(usize, usize)>,
}

/// Who ran, how long in which round, and how many of them are marks, at the end.
pub(crate) struct Times {
    names: Vec<&'static str>,
    times: Vec<Vec<f64>>,
    marks: usize,
}

impl<'a, T: Peer> Field<'a, T> {
    pub(crate) fn new(
        spec: &'a str,
        arrays: &'a [Array<'a, T>],
        shape: &'a [usize],
        how: How<'a, T>,
    ) -> Self {
        let tree = if how.tree.is_empty() && arrays.len() > 1 {
            // That of our own planner, for equal lengths.
            let checked = Subscripts::parse(spec)
                .expect("valid")
                .check()
                .expect("valid");
            let tree = checked.tree(&Order::Auto).expect("an order").0;
            tree.iter()
                .map(|&(l, r)| (l as usize, r as usize))
                .collect()
        } else {
            how.tree.to_vec()
        };
        Field {
            spec,
            arrays,
            shape,
            how,
            tree,
        }
    }

    /// Times all, ours among them, and gives what the others wrote.
    pub(crate) fn times(&self, ours: Contender<'_>) -> (Times, Vec<Vec<T>>) {
        let len = self.shape.iter().product();
        // Nobody's result: who writes nothing is found out.
        let nobody = || clock::array(len, T::MINUS_ONE.unwrap_or(T::small(9)));
        let mut outs: Vec<Vec<T>> = std::iter::repeat_with(nobody).take(8).collect();
        let how = How {
            tree: &self.tree,
            ..self.how
        };
        let mut product = self
            .how
            .laid_out
            .then(|| Product::new(self.spec, self.arrays));
        let bytes = if self.how.copy {
            len * size_of::<T>()
        } else {
            0
        };
        let [mut from, mut to] = [(); 2].map(|()| clock::array(bytes, 0u8));
        let mut left = outs.iter_mut().map(Vec::as_mut_slice);
        let mut all = vec![("ours", ours)];
        all.extend(peers::all(
            self.spec,
            self.arrays,
            &mut left,
            self.shape,
            &how,
        ));
        let contenders = all.len();
        if let Some(run) = product.as_mut().and_then(T::product) {
            all.push(("pre-laid GEMM", run));
        }
        if let Some(hand) = self.how.hand {
            let operands: Vec<&[T]> = self.arrays.iter().map(|array| array.0).collect();
            let out = left.next().expect("an output for each");
            all.push((
                "hand loop",
                Box::new(move |runs| {
                    for _ in 0..runs {
                        hand(
                            std::hint::black_box(&operands),
                            std::hint::black_box(&mut *out),
                        );
                    }
                }),
            ));
        }
        if self.how.copy {
            let (from, to) = (&mut from, &mut to);
            // Written before: or every page of zeros would be the same.
            from.fill(1);
            all.push((
                "memory copy",
                Box::new(move |runs| {
                    for _ in 0..runs {
                        std::hint::black_box(&mut *to).copy_from_slice(std::hint::black_box(from));
                    }
                }),
            ));
        }
        let marks = all.len() - contenders;
        let (names, mut contenders): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let times = rounds(&mut contenders);
        drop(contenders);
        let unused = left.count();
        outs.truncate(outs.len() - unused);
        outs.extend(
            product
                .filter(|_| names.contains(&"pre-laid GEMM"))
                .map(|product| product.result()),
        );
        (
            Times {
                names,
                times,
                marks,
            },
            outs,
        )
    }

    /// The contender that gives new arrays.
    pub(crate) fn ndarray_einsum(&self, out: &mut [T]) -> Contender<'a> {
        peers::ndarray_einsum(self.spec, self.arrays, out)
    }

    /// Reports a row, if all agree: to the last bit, as long as whole numbers are exact.
    pub(crate) fn report(&self, size: &str, work: f64, times: Times, out: &[T], others: &[Vec<T>]) {
        for other in others {
            let least = if size_of::<T>() == 4 {
                2f64.powi(24)
            } else {
                2f64.powi(53)
            };
            let far =
                |x: f64, y: f64| x != y && (x.abs() < least || (x - y).abs() > 1e-12 * x.abs());
            let differs = out.iter().zip(other).position(|(x, y)| {
                x != y && std::iter::zip(x.parts(), y.parts()).any(|(x, y)| far(x, y))
            });
            if let Some(place) = differs {
                panic!(
                    "the contenders disagree on {} at {place}: {:?}, {:?}",
                    self.spec, out[place], other[place]
                );
            }
        }
        Row {
            spec: self.spec,
            size: size.trim().to_owned(),
            shapes: self
                .arrays
                .iter()
                .map(|(_, shape)| shape.to_vec())
                .collect(),
            shape: self.shape.to_vec(),
            work,
            names: times.names,
            times: times.times,
            marks: times.marks,
            fingerprint: fingerprint(out),
        }
        .report();
    }
}
