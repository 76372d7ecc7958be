//! Given outputs whose lengths are constants, beside operands whose lengths are not, and the other way round.

use cteinsum::{DynTensor, Tensor, conj, einsum, try_einsum};

#[test]
fn a_constant_output_of_run_time_operands_is_checked_when_the_program_runs() {
    let a = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let mut fits = [[0.0; 2]; 3];
    einsum!("ij->ji", a, out = &mut fits);
    assert_eq!(fits, [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    let mut other = [[7.0; 3]; 3];
    assert!(try_einsum!("ij->ji", a, out = &mut other).is_err());
    assert!(try_einsum!("...->...", a, out = &mut other).is_err());
    assert!(try_einsum!(other[i, j] += a[i, j]).is_err());
    assert_eq!(other, [[7.0; 3]; 3]);
}

#[test]
fn a_run_time_output_of_constant_operands_is_checked_when_the_program_runs() {
    let (a, b) = ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[1.0], [2.0]]);
    let mut fits = Tensor::<f64, 2>::zeros([3, 1]);
    einsum!("ij,jk->ik", a, b, out = &mut fits);
    assert_eq!(fits.as_slice(), [5.0, 11.0, 17.0]);
    let mut other = Tensor::from_vec([3, 2], vec![9.0; 6]);
    assert!(try_einsum!("ij,jk->ik", a, b, out = &mut other).is_err());
    let mut of_any_rank: DynTensor<f64> = other.clone().into_dyn();
    assert!(try_einsum!("ij,j...->i...", a, b, out = &mut of_any_rank.view_mut()).is_err());
    assert!(try_einsum!("ij->j", a, out = &mut of_any_rank.view_mut()).is_err());
    assert_eq!(other.as_slice(), [9.0; 6]);
}

#[test]
fn a_length_that_stretches_is_that_of_the_result() {
    let (one, three) = ([2.0], [1.0, 2.0, 3.0]);
    let mut out = [0.0; 3];
    einsum!("i,i->i", one, three, out = &mut out);
    assert_eq!(out, [2.0, 4.0, 6.0]);
    einsum!("...,...->...", three, one, out = &mut out, beta = 1.0);
    assert_eq!(out, [4.0, 8.0, 12.0]);
    let some = Tensor::from_vec([3], vec![1.0; 3]);
    einsum!("i,i->i", one, some, out = &mut out);
    assert_eq!(out, [2.0; 3]);
    let mut short = [5.0];
    assert!(try_einsum!("i,i->i", one, some, out = &mut short).is_err());
    assert_eq!(short, [5.0]);
}

/// Any number of axes, also none, in front of `...`, behind it and below it.
#[test]
fn outputs_with_ellipsis() {
    let a = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]; 2];
    let mut out = [[[0.0; 2]; 2]; 3];
    einsum!("a...b->b...a", a, out = &mut out);
    assert_eq!(out[2][1], [6.0, 6.0]);
    let mut sums = [[0.0; 3]; 2];
    einsum!("...ab->a...b", a[0], out = &mut sums);
    assert_eq!(sums, a[0]);
    einsum!("a...->...", a, out = &mut sums);
    assert_eq!(sums[1], [8.0, 10.0, 12.0]);
    let mut total = 1.0;
    einsum!("abc->", a, out = &mut total, alpha = 0.5, beta = 2.0);
    assert_eq!(total, 23.0);
    einsum!("...,...->...", 2.0, total, out = &mut total.clone());
    let mut diagonal = [[[f64::NAN; 3]; 2]; 2];
    einsum!("a...->aa...", sums, out = &mut [[[f64::NAN; 3]; 2]; 2]);
    einsum!("a...->aa...", conj(&sums), out = &mut diagonal);
    assert_eq!(diagonal[0], [sums[0], [0.0; 3]]);
    assert_eq!(diagonal[1], [[0.0; 3], sums[1]]);
}

/// Names of several letters and letters beside keywords; six axes.
#[test]
fn names_and_many_axes() {
    let a = [[[[[[1, 2]; 1]; 2]; 1]; 2]; 1];
    let mut out = [[[[[[0; 1]; 2]; 1]; 2]; 1]; 2];
    einsum!(out[u, v, w, x, y, z] = a[z, y, x, w, v, u] + a[z, y, x, w, v, u]);
    assert_eq!(
        out,
        [[[[[[2; 1]; 2]; 1]; 2]; 1], [[[[[4; 1]; 2]; 1]; 2]; 1]]
    );
    let (left, right) = ([[1, 2], [3, 4]], [[0, 1], [1, 0]]);
    let mut swapped = [[0; 2]; 2];
    einsum!(swapped[row, r#type] -= left[row, mid] * right[mid, r#type]);
    assert_eq!(swapped, [[-2, -1], [-4, -3]]);
}
