//! The fronts of the procedural macros: rustc parses the arguments, `$crate` says where the runtime is.

/// Computes an einsum: subscripts read, checked and ordered while the program compiles.
///
/// ```
/// use cteinsum::{Engine, Tensor, einsum};
///
/// let a = Tensor::from_fn([2, 3], |[i, j]| (3 * i + j) as f64);
/// let b = Tensor::from_fn([3, 4], |[j, k]| (4 * j + k) as f64);
/// let v = Tensor::from_vec([4], vec![1.0; 4]);
///
/// let c = einsum!("ij,jk->ik", a, b);               // a matrix product, of type Tensor<f64, 2>
/// assert_eq!(c.shape(), &[2, 4]);
/// let s: f64 = einsum!("ij,ij->", a, a);            // a result without axes is the element itself
/// assert_eq!(s, 55.0);
/// let t = einsum!("ij->ji", a);                     // one operand: transpose, sum, diagonal, trace
/// assert_eq!(t.shape(), &[3, 2]);
/// let y = einsum!("ij,(jk,k)->i", a, b, v);         // parentheses fix the order
/// assert_eq!(y, einsum!("ij,jk,k->i", a, b, v, order = [(1, 2), (0, 1)]));
///
/// let mut engine = Engine::serial();                // threads, workspace and memory of your own
/// let batches = Tensor::<f64, 3>::zeros([5, 2, 3]);
/// let c = einsum!("...ij,...jk->...ik", batches, b, engine = &mut engine);
/// assert_eq!(c.shape(), &[5, 2, 4]);
/// ```
///
/// # Subscripts
///
/// A string literal, raw or not, or `concat!` of literals: one term an operand, separated by commas, and the output
/// term behind `->`. A label is one letter or digit of any script. Without `->` the output is NumPy's: the axes of
/// `...`, then the labels met exactly once, by code point. White space means nothing. A label that stands twice in
/// one term takes (or writes) the diagonal; a label that the output leaves out is summed over; `...` stands for
/// any further axes; axes of length 1 broadcast. The whole contract is in `docs/contract.md` of the repository.
///
/// Subscripts that are known only when the program runs: [`Einsum::parse`](crate::Einsum::parse).
///
/// # Operands
///
/// Any expressions whose types implement [`Operand`](crate::Operand); references, boxes and temporaries too. They are
/// evaluated once, from left to right, and borrowed.
///
/// | operand | axes | family |
/// |---|---|---|
/// | [`Tensor`](crate::Tensor), [`TensorView`](crate::TensorView), … | lengths known at run time | tensors |
/// | [`DynTensor`](crate::DynTensor), … | rank known at run time | tensors |
/// | `[T; N]`, `[[T; M]; N]`, … up to rank 6 | constants | arrays |
/// | `Vec<T>`, `[T]` | one, its length known at run time | none |
/// | numbers | none | none |
/// | an array type of another crate | as it says | its own: see [`Results`](crate::Results) |
///
/// Two constant lengths of one label that differ do not compile, and the message names the label. The result is of the
/// family of the first operand that has one (one with a term without labels is left out); without any it is a tensor.
/// Nested arrays are results if all axes are constants: where a constant meets a length known at run time, that is a
/// constant (unless it is 1). A result without axes is a number in every family.
///
/// ```
/// use cteinsum::{Tensor, einsum};
///
/// let a = [[1.0, 2.0], [3.0, 4.0]];
/// let c: [[f64; 2]; 2] = einsum!("ij,jk->ik", a, a);
/// assert_eq!(c, [[7.0, 10.0], [15.0, 22.0]]);
/// let y: [f64; 2] = einsum!("ij,j->i", a, vec![1.0, 1.0]);
/// assert_eq!(y, [3.0, 7.0]);
/// let t: Tensor<f64, 2> = einsum!("i,j->ij", a[0], vec![1.0; 3]);
/// assert_eq!(t.shape(), &[2, 3]);
/// ```
///
/// Generic functions need `T: Scalar` and no more, and lengths may be generic (`const N: usize`). A function that is
/// generic in the *kind* of operand says which axes and family it expects: `X: Operand<Elem = T, Dims = <Rank<2> as
/// Axes>::List, Family = Tensors>`.
///
/// [`conj(&a)`](crate::conj()) is an operand as well: `a`, complex conjugated in the kernel, without a copy.
///
/// Operands have one element type, with one exception: real numbers (`f32`, `f64`) may stand beside complex ones over them, in
/// any order. They are not promoted: a product of a real and a complex array takes half the work of a complex one. Real operands alone may
/// also fill a complex `out`; factors are complex then.
///
/// # Index notation
///
/// An equation in place of subscripts and operands: each operand stands with its indices. It has the same plan and the
/// same bits, and messages that point at the very index.
///
/// ```
/// use cteinsum::{Tensor, einsum, try_einsum};
///
/// let a = Tensor::from_fn([2, 3], |[i, j]| (3 * i + j) as f64);
/// let b = Tensor::from_fn([3, 2], |[j, k]| (2 * j + k) as f64);
///
/// let c = einsum!([i, k] = a[i, j] * b[j, k]);            // a new array
/// assert_eq!(c, einsum!("ij,jk->ik", a, b));
/// let s: f64 = einsum!([] = a[i, j] * a[i, j]);           // without indices: the element
/// assert_eq!(s, 55.0);
/// let mut c = Tensor::zeros([2, 2]);
/// einsum!(c[row, col] = a[row, mid] * b[mid, col]);       // into an array; labels are identifiers of any length
/// einsum!(c[i, k] += 0.5 * a[i, j] * conj(b[j, k]));      // added to it, with a factor and a conjugate
/// try_einsum!(c[i, k] = a[i, j] * b[j, k] - 2.0 * b[j, i] * a[k, j])?;    // a sum: all of it is checked first
/// let d = einsum!([i, l] = a[i, j] * (b[j, k] * a[k, l]));                // parentheses fix the order
/// let e = einsum!([.., k] = a[.., j] * b[j, k]);          // `..` or `...`: any further axes
/// # Ok::<(), cteinsum::EinsumError>(())
/// ```
///
/// | | |
/// |---|---|
/// | operands | what brackets can follow: paths, fields, calls, method chains, `(expr)[i, j]` |
/// | scalars | literals, paths, calls, parentheses, blocks: before, between and behind operands; `x[i] / n` for floats and complex numbers; `-` |
/// | an element as a scalar | in braces, `{ w[n] }`: `w[n]` is an operand with the label `n` |
/// | sums | term by term into one output; each term has all labels of the left side. Scalars multiply a sum in parentheses, operands do not |
/// | left side | `=`, `+=`, `-=`; a place, or a mutable reference |
/// | options | behind the equation; `out` is the left side |
///
/// Evaluated once each: operands and scalars from left to right, then the array on the left, then options.
///
/// # Options
///
/// `name = value` behind the operands, in any order.
///
/// | option | meaning |
/// |---|---|
/// | `order = optimal` | the cheapest of all trees for the sizes of the operands; up to six operands the default |
/// | `order = greedy` | smallest result first, for the sizes of the operands |
/// | `order = search(seed = 1, effort = 3)` | a longer search while the program compiles, for many operands; efforts go from 1 to 6, each with six times the work |
/// | `order = left_to_right` | `((0·1)·2)·3` |
/// | `order = [(0, 1), (0, 1)]` | a path as opt_einsum and JAX print it: the operands at these positions are contracted, the result goes to the end of the list |
/// | `order = tree([(0, 1), (3, 2)])` | pairs of operand numbers; the result of step `s` of `n` operands is `n + s` |
/// | `minimize = time` | what the order makes small: the predicted `time` (the default), `flops`, or `size`, the largest intermediate |
/// | `max_intermediate = 1_000_000` | the most elements an intermediate may have; where no order keeps to it, the call fails |
/// | `sizes = [i = 64, j = 32]` | sizes to expect where an order is chosen before they are known: hints, which nothing checks |
/// | `explain = true` | prints the plan while the call compiles (feature `report`): the order, what it costs, a line a step. `CTEINSUM_EXPLAIN=1` in the environment does so for every call that is compiled; what Cargo has compiled already it does not compile again for that |
/// | `engine = &mut engine` | runs in this [`Engine`](crate::Engine) |
/// | `acc = i32` | converts the elements before: sums and products are those of this type, which holds every value of theirs, and so is the result; see [`widened`](crate::widened). Operands may have different types. `acc = Complex::<f64>`. In `einsum_plan!` it is the size of an element |
/// | `algebra = MinPlus` | other operations in the place of the sum and the product: `MaxPlus`, `MinPlus`, `MaxMul`, `BoolOr`, `Count`, or a type of your own; see the module `algebra` (feature `algebras`) |
/// | `out = &mut c` | writes into `c`, any array that implements [`OperandMut`](crate::OperandMut), and is `()` |
/// | `alpha = x`, `beta = y` | with `out`: `c` becomes alpha · einsum + beta · `c` |
///
/// `c` has the shape of the result: an output does not broadcast. Where `beta` is 0, which is the default, `c` is not
/// read. A label that stands twice in the output writes the diagonal; elsewhere `c` becomes beta · `c`. If anything is
/// wrong with the sizes, `c` stays what it was.
///
/// ```
/// use cteinsum::{Tensor, einsum};
///
/// let a = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]);
/// let mut c = Tensor::full([2, 2], 1.0);
/// einsum!("ij,jk->ki", a, a, out = &mut c.view_mut().permuted([1, 0]), alpha = 2.0, beta = -1.0);
/// assert_eq!(c.as_slice(), [13.0, 19.0, 29.0, 43.0]);
/// ```
///
/// That an output overlaps no operand is the borrow checker's business:
///
/// ```compile_fail,E0502
/// use cteinsum::{Tensor, einsum};
///
/// let mut a = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]);
/// einsum!("ij,jk->ik", a, a, out = &mut a);
/// ```
///
/// From NumPy's and JAX's `optimize=`:
///
/// | there | here |
/// |---|---|
/// | `optimize=True`, `"greedy"`, `"optimal"`, `"auto"` | nothing: the order is the best for the sizes of the operands |
/// | `optimize=["einsum_path", (0, 1), (0, 1)]`, JAX's `optimize=[(0, 1), (0, 1)]` | `order = [(0, 1), (0, 1)]` |
/// | JAX's `optimize=False` | `order = [(0, 1), (0, 1), …]`, a `(0, 1)` for each operand but one |
/// | NumPy's `optimize=False` (one loop over all labels) | no counterpart: a tree is never slower by more than a constant |
///
/// # Panics
///
/// If two lengths of a label differ, and neither is 1. [`try_einsum!`](crate::try_einsum!) returns an error instead.
#[macro_export]
macro_rules! einsum {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::einsum! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::einsum! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::einsum! { [$crate]; $($tokens)* } };
}

/// As [`einsum!`](crate::einsum!), but sizes that do not fit are an [`EinsumError`](crate::EinsumError) and no panic.
///
/// ```
/// use cteinsum::{EinsumError, Tensor, try_einsum};
///
/// let a = Tensor::<f64, 2>::zeros([2, 3]);
/// let error = try_einsum!("ij,jk->ik", a, a).unwrap_err();
/// assert!(matches!(error, EinsumError::Size { .. }));
/// assert!(error.to_string().starts_with("label 'j' is 3 in operand 0 (axis 1) but 2 in operand 1 (axis 0)"));
/// ```
#[macro_export]
macro_rules! try_einsum {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::try_einsum! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::try_einsum! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::try_einsum! { [$crate]; $($tokens)* } };
}

/// The plan of an einsum as a constant [`Plan`](crate::Plan): its order, what it costs, pictures of it.
///
/// Subscripts and options are those of [`einsum!`](crate::einsum!), without operands and what concerns them. The feature
/// `report` brings it, which is on by default.
///
/// ```
/// use cteinsum::{Plan, einsum_plan};
///
/// const PLAN: Plan = einsum_plan!("ij,jk,kl->il");
/// let report = PLAN.at([("i", 64), ("j", 32), ("k", 1000), ("l", 8)]);
/// assert_eq!(report.multiply_adds(), 32 * 1000 * 8 + 64 * 32 * 8);
/// assert_eq!(report.path(), [[1, 2], [0, 1]]);
/// println!("{report}");
/// # assert!(report.to_string().contains("0·(1·2), the best of all for these sizes"));
/// let picture = report.to_svg();      // or to_dot(), to_mermaid()
/// # assert!(picture.starts_with("<svg"));
///
/// // A long search, made once and kept in the source by what this prints.
/// let plan = einsum_plan!("ab,bc,cd,de,ef,fg,ga->", order = search(seed = 1, effort = 2), sizes = [a = 4, d = 90]);
/// println!("{}", plan.order());
/// # assert!(plan.order().starts_with("order = tree([("));
/// ```
#[cfg(feature = "report")]
#[macro_export]
macro_rules! einsum_plan {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::einsum_plan! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::einsum_plan! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::einsum_plan! { [$crate]; $($tokens)* } };
}
