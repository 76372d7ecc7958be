//! The fronts of the macros for derivatives, as those in `macros`.

/// Computes an einsum, and with it the way back to the gradients of its operands.
///
/// The result is `(y, pullback)`: `y` is what [`einsum!`](crate::einsum!) gives, and `pullback(&dy)` the tuple of the
/// gradients of the operands, for a gradient `dy` of `y`. See [`Pullback`](crate::Pullback) for what else it can do.
///
/// ```
/// use cteinsum::{Tensor, einsum, einsum_vjp};
///
/// let a = Tensor::from_fn([2, 3], |[i, j]| (3 * i + j) as f64);
/// let b = Tensor::from_fn([3, 4], |[j, k]| (4 * j + k) as f64);
/// let c = Tensor::from_fn([4, 2], |[k, l]| (2 * k + l) as f64);
///
/// let (y, pullback) = einsum_vjp!("ij,jk,kl->il", a, b, c);
/// assert_eq!(y, einsum!("ij,jk,kl->il", a, b, c));
/// let dy = Tensor::full([2, 2], 1.0);
/// let (da, db, dc) = pullback(&dy);                       // a tuple of one for one operand
/// assert_eq!(da, einsum!("il,jk,kl->ij", dy, b, c));
/// assert_eq!((db.shape(), dc.shape()), (&[3, 4], &[4, 2]));
///
/// let (_, pullback) = einsum_vjp!("ij,jk,kl->il", a, b, c, wrt = [0, 2]);     // what is not needed is not computed
/// let (mut da, mut dc) = pullback(&dy);
/// pullback.accumulate(&dy, (&mut da, &mut dc));           // added to gradients that are there
/// println!("{pullback}");                                 // its steps, what they cost, what is saved
/// ```
///
/// # Gradients
///
/// Forward and backward go along one contraction tree, and share its intermediates: all gradients together take at most
/// twice the multiply-adds of the einsum, for any number of operands. Up to five operands the order is the best of all
/// for both directions together, for the sizes at hand, unless `order`, parentheses or `max_intermediate` say otherwise.
///
/// A gradient has the shape of its operand, and is the array that a result in the operand's family is (a tensor for `Vec`
/// and slices, a number for a number). Along a label that is summed in this operand alone it is constant; an operand of
/// which a diagonal is taken has its gradient on that diagonal; along an axis of length 1 that broadcasts it is summed.
/// `conj(&a)` is an operand like any other: the gradient is that of the conjugated values, whose conjugate is the one
/// of `a`.
///
/// **Complex numbers.** The other operands are conjugated: for a real loss `L` and `dy = ∂L/∂Re y + i ∂L/∂Im y`, the
/// gradients are `∂L/∂Re a + i ∂L/∂Im a`, the direction of steepest ascent. `transpose = true` leaves the conjugation
/// out: the pullback is the plain transpose of the linear map from `a` to `y`.
///
/// Real operands may stand among complex ones, as in [`einsum!`](crate::einsum!); their gradients are real: the real parts
/// of what they would be for complex operands.
///
/// Elements are those that implement [`Differentiable`](crate::Differentiable): `f32`, `f64` and their complex numbers.
/// With `acc = f64` they are converted before, as in [`einsum!`](crate::einsum!): `y`, `dy` and all gradients have elements of
/// that type, whatever those of the operands are.
///
/// # Constant lengths
///
/// Where all lengths of up to eight operands are constants of their types (nested arrays; the arrays of nalgebra and
/// mdarray that have such lengths), neither way allocates or has an engine, as for [`einsum!`](crate::einsum!): the steps
/// are planned while the program compiles, results and gradients are values on the stack, and what is saved is a part of
/// the pullback. (An `engine =` says that this is not wanted.)
///
/// ```
/// let a = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
/// let (y, pullback) = cteinsum::einsum_vjp!("ij,j->i", a, [1.0, -1.0]);
/// assert_eq!(y, [-1.0, -1.0, -1.0]);
/// let (da, dx) = pullback(&[1.0, 0.0, 2.0]);
/// assert_eq!((da, dx), ([[1.0, -1.0], [0.0, 0.0], [2.0, -2.0]], [11.0, 14.0]));
/// ```
///
/// # Gradients of gradients
///
/// A gradient is an einsum of what it is made of, so that the next one is one more macro away:
///
/// ```
/// use cteinsum::{Tensor, einsum_vjp};
///
/// // f(x) = xᵀ A x; its gradient is g(x) = (A + Aᵀ) x, and the derivative of v·g is (A + Aᵀ) v.
/// let a = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]);
/// let (x, v) = (vec![1.0, -1.0], vec![2.0, 1.0]);
/// let (f, pullback) = einsum_vjp!("i,ij,j->", x, a, x, wrt = [0, 2]);
/// assert_eq!(f, 0.0);
/// let (left, right) = pullback(&1.0);
/// assert_eq!([left[[0]] + right[[0]], left[[1]] + right[[1]]], [-3.0, -3.0]);
///
/// // v·g = v·(A x) + v·(Aᵀ x): each of them is an einsum, with a pullback of its own.
/// let (_, of_left) = einsum_vjp!("i,ij,j->", v, a, x, wrt = [2]);
/// let (_, of_right) = einsum_vjp!("i,ji,j->", v, a, x, wrt = [2]);
/// let (mut hessian_v,) = of_left(&1.0);
/// of_right.accumulate(&1.0, (&mut hessian_v,));
/// assert_eq!(hessian_v.as_slice(), [9.0, 18.0]);
/// ```
///
/// # Options
///
/// | option | meaning |
/// |---|---|
/// | `wrt = [0, 2]` | the operands whose gradients are asked for, in the order of the tuple; without it all (up to 16) |
/// | `transpose = true` | complex operands are not conjugated |
/// | `order`, `minimize`, `max_intermediate`, `sizes`, parentheses | as in [`einsum!`](crate::einsum!) |
/// | `engine = &mut engine` | runs forward in this engine; [`Pullback::call_in`](crate::Pullback::call_in) and [`accumulate_in`](crate::Pullback::accumulate_in) are the way back in one |
///
/// A pullback keeps no engine: it would borrow it for as long as it lives. `pullback(&dy)` has no place for one, and runs
/// where `einsum!` without `engine =` runs: in the serial engine of its thread, or in the team of
/// [`set_default_threads`](crate::set_default_threads). The numbers are the same in any engine.
///
/// `einsum_plan!("ij,jk->ik", wrt = [0, 1])` shows the steps while nothing is computed (feature `report`).
///
/// In index notation: `einsum_vjp!([i, k] = a[i, j] * b[j, k])`, one product without factors.
///
/// # Panics
///
/// If two lengths of a label differ, and neither is 1; and `pullback(&dy)` if the shape of `dy` is not that of `y`. The
/// methods of a pullback panic at the place of their call, `pullback(&dy)` at that of the macro: a function that is called
/// through `Fn` does not know by whom.
/// [`try_einsum_vjp!`](crate::try_einsum_vjp!) returns errors instead.
#[macro_export]
macro_rules! einsum_vjp {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::einsum_vjp! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::einsum_vjp! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::einsum_vjp! { [$crate]; $($tokens)* } };
}

/// As [`einsum_vjp!`](crate::einsum_vjp!), but what does not fit is an [`EinsumError`](crate::EinsumError) and no panic:
/// the result of the macro is a `Result`, and so is that of its pullback.
///
/// ```
/// use cteinsum::{EinsumError, Tensor, try_einsum_vjp};
///
/// # fn main() -> Result<(), EinsumError> {
/// let a = Tensor::full([2, 3], 1.0);
/// let (y, pullback) = try_einsum_vjp!("ij->i", a)?;
/// let error = pullback(&Tensor::full([3], 1.0)).unwrap_err();
/// assert!(error.to_string().starts_with("label 'i' is 2 in the result (axis 0) but 3 in its gradient"));
/// let (da,) = pullback(&y)?;
/// assert_eq!(da.as_slice(), [3.0; 6]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! try_einsum_vjp {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::try_einsum_vjp! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::try_einsum_vjp! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::try_einsum_vjp! { [$crate]; $($tokens)* } };
}

/// Computes an einsum and its derivative in a direction: each operand stands with its tangent, or with `_` if it is
/// constant.
///
/// The result is `(y, dy)`, both arrays of the kind that [`einsum!`](crate::einsum!) gives. Both follow one contraction
/// tree, by the product rule, and share its intermediates. A tangent has the shape of its operand, and need not be of
/// the same kind of array.
///
/// ```
/// use cteinsum::{Tensor, einsum, einsum_jvp};
///
/// let a = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]);
/// let da = Tensor::from_vec([2, 2], vec![0.5, 0.0, 0.0, -0.5]);
/// let b = Tensor::full([2, 2], 1.0);
///
/// let (y, dy) = einsum_jvp!("ij,jk->ik", (a, da), (b, _));
/// assert_eq!(y, einsum!("ij,jk->ik", a, b));
/// assert_eq!(dy, einsum!("ij,jk->ik", da, b));
/// ```
///
/// In index notation a pair has the indices: `einsum_jvp!([i, k] = (a, da)[i, j] * (b, _)[j, k])`, one product without
/// factors.
///
/// The options are those of [`einsum!`](crate::einsum!) but `out`, `alpha` and `beta`.
///
/// # Panics
///
/// If two lengths of a label differ, and neither is 1, or the shape of a tangent is not that of its operand.
/// [`try_einsum_jvp!`](crate::try_einsum_jvp!) returns an error instead.
#[macro_export]
macro_rules! einsum_jvp {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::einsum_jvp! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::einsum_jvp! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::einsum_jvp! { [$crate]; $($tokens)* } };
}

/// As [`einsum_jvp!`](crate::einsum_jvp!), but what does not fit is an [`EinsumError`](crate::EinsumError) and no panic.
///
/// ```
/// use cteinsum::{Tensor, try_einsum_jvp};
///
/// let a = Tensor::full([2, 3], 1.0);
/// let error = try_einsum_jvp!("ij->i", (a, Tensor::full([3, 2], 1.0))).unwrap_err();
/// assert!(error.to_string().starts_with("label 'i' is 2 in operand 0 (axis 0) but 3 in its tangent"));
/// ```
#[macro_export]
macro_rules! try_einsum_jvp {
    ($subscripts:literal $(, $arg:expr)* $(,)?) => { $crate::__private::try_einsum_jvp! { [$crate] $subscripts $(, $arg)* } };
    (concat ! $subscripts:tt $(, $arg:expr)* $(,)?) => { $crate::__private::try_einsum_jvp! { [$crate] concat! $subscripts $(, $arg)* } };
    ($($tokens:tt)*) => { $crate::__private::try_einsum_jvp! { [$crate]; $($tokens)* } };
}
