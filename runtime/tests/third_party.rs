//! A crate with arrays of its own: matrices as operands and results, in under 50 lines, without `unsafe`.
#![forbid(unsafe_code)]
#![allow(unreachable_pub)]

mod matrices {
    //! Everything that such a crate writes.

    use cteinsum::{
        Axes, Axis, EinsumError, Family, Operand, OperandMut, Pending, Rank, Results, Scalar,
        TensorView, TensorViewMut,
    };

    /// A matrix stored by columns, each padded to a multiple of four elements.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Matrix<T> {
        pub rows: usize,
        pub columns: usize,
        pub padded: Vec<T>,
    }

    impl<T: Scalar> Matrix<T> {
        pub fn zeros(rows: usize, columns: usize) -> Self {
            let padded = vec![T::ZERO; rows.next_multiple_of(4) * columns];
            Matrix {
                rows,
                columns,
                padded,
            }
        }
        fn layout(&self) -> ([usize; 2], [isize; 2]) {
            let stride = self.rows.next_multiple_of(4) as isize;
            ([self.rows, self.columns], [1, stride])
        }
    }

    impl<T: Scalar> Operand for Matrix<T> {
        type Elem = T;
        type Dims = <Rank<2> as Axes>::List;
        type Family = Matrices;
        type View<'a> = TensorView<'a, T, 2>;
        fn operand_view(&self) -> TensorView<'_, T, 2> {
            let (shape, strides) = self.layout();
            TensorView::new(&self.padded, shape, strides, 0).expect("padded columns")
        }
    }

    impl<T: Scalar> OperandMut for Matrix<T> {
        type Elem = T;
        type Dims = <Rank<2> as Axes>::List;
        type ViewMut<'a> = TensorViewMut<'a, T, 2>;
        fn operand_view_mut(&mut self) -> TensorViewMut<'_, T, 2> {
            let (shape, strides) = self.layout();
            TensorViewMut::new(&mut self.padded, shape, strides, 0).expect("padded columns")
        }
    }

    #[derive(Debug)]
    pub struct Matrices;
    impl Family for Matrices {
        type Then<F: Family> = Self;
    }
    impl<T: Scalar, A: Axis, B: Axis> Results<T, (A, (B, ()))> for Matrices {
        type Out = Matrix<T>;
        fn compute(mut pending: Pending<'_, T>) -> Result<Matrix<T>, EinsumError> {
            let [rows, columns] = pending.shape()?;
            let mut matrix = Matrix::zeros(rows, columns);
            pending.write(matrix.operand_view_mut())?;
            Ok(matrix)
        }
    }
    cteinsum::tensor_results!(Matrices: 1, 3.., dyn);
}

mod pictures {
    //! Arrays whose elements can be taken over: rank 2 by columns, rank 3 by rows, rank 2 constant on the stack.

    use cteinsum::{
        Axes, Axis, Const, Dyn, EinsumError, Family, Operand, Pending, Rank, Results, Scalar,
        TensorView,
    };

    #[derive(Debug, PartialEq)]
    pub struct Plane<T>(pub [usize; 2], pub Vec<T>);
    #[derive(Debug, PartialEq)]
    pub struct Stack<T>(pub [usize; 3], pub Vec<T>);
    /// `W` pixels in each of any number of lines.
    #[derive(Debug, PartialEq)]
    pub struct Lines<T, const W: usize>(pub Vec<[T; W]>);

    impl<T: Scalar> Operand for Stack<T> {
        type Elem = T;
        type Dims = <Rank<3> as Axes>::List;
        type Family = Pictures;
        type View<'a> = TensorView<'a, T, 3>;
        fn operand_view(&self) -> TensorView<'_, T, 3> {
            TensorView::from_slice(self.0, &self.1)
        }
    }
    impl<T: Scalar, const W: usize> Operand for Lines<T, W> {
        type Elem = T;
        type Dims = (Dyn, (Const<W>, ()));
        type Family = Pictures;
        type View<'a> = TensorView<'a, T, 2>;
        fn operand_view(&self) -> TensorView<'_, T, 2> {
            TensorView::from_slice([self.0.len(), W], self.0.as_flattened())
        }
    }

    #[derive(Debug)]
    pub struct Pictures;
    impl Family for Pictures {
        type Then<F: Family> = Self;
    }
    impl<T: Scalar> Results<T, (Dyn, (Dyn, ()))> for Pictures {
        type Out = Plane<T>;
        fn compute(pending: Pending<'_, T>) -> Result<Plane<T>, EinsumError> {
            let (shape, elements) = pending.column_major()?;
            Ok(Plane(shape, elements))
        }
    }
    impl<T: Scalar, const W: usize> Results<T, (Dyn, (Const<W>, ()))> for Pictures {
        type Out = Lines<T, W>;
        fn compute(pending: Pending<'_, T>) -> Result<Lines<T, W>, EinsumError> {
            let ([_, _], elements) = pending.row_major()?;
            Ok(Lines(elements.as_chunks().0.to_vec()))
        }
    }
    impl<T: Scalar, A: Axis, B: Axis, C: Axis> Results<T, (A, (B, (C, ())))> for Pictures {
        type Out = Stack<T>;
        fn compute(pending: Pending<'_, T>) -> Result<Stack<T>, EinsumError> {
            let (shape, elements) = pending.row_major()?;
            Ok(Stack(shape, elements))
        }
    }
    cteinsum::tensor_results!(Pictures: 1, dyn, 4..);
}

use cteinsum::{DynTensor, EinsumError, Engine, Tensor, einsum, try_einsum};
use matrices::Matrix;
use pictures::{Lines, Plane, Stack};

fn matrix(rows: usize, columns: usize, f: impl Fn(usize, usize) -> f64) -> Matrix<f64> {
    let mut matrix = Matrix::zeros(rows, columns);
    matrix.padded.fill(f64::NAN);
    for (j, column) in matrix
        .padded
        .chunks_mut(rows.next_multiple_of(4))
        .enumerate()
    {
        for (i, x) in column.iter_mut().take(rows).enumerate() {
            *x = f(i, j);
        }
    }
    matrix
}

fn at(m: &Matrix<f64>, i: usize, j: usize) -> f64 {
    m.padded[j * m.rows.next_multiple_of(4) + i]
}

#[test]
fn a_matrix_product_stays_in_the_family() {
    let a = matrix(3, 2, |i, j| (i + 10 * j) as f64);
    let b = Tensor::from_fn([2, 5], |[i, j]| (i + j) as f64);
    let c: Matrix<f64> = einsum!("ij,jk->ik", a, b);
    assert_eq!((c.rows, c.columns, c.padded.len()), (3, 5, 20));
    let expected: Tensor<f64, 2> = einsum!(
        "ij,jk->ik",
        Tensor::from([[0., 10.], [1., 11.], [2., 12.]]),
        b
    );
    for i in 0..3 {
        for k in 0..5 {
            assert_eq!(at(&c, i, k), expected[[i, k]]);
        }
    }
    // The padding is not written.
    assert_eq!(c.padded[3], 0.0);
    // Behind a number, a list and a reference; with an engine.
    let mut engine = Engine::serial();
    for _ in 0..2 {
        let d: Matrix<f64> = einsum!(
            ",j,ij,jk->ik",
            2.0,
            vec![0.5; 2],
            &&a,
            b,
            engine = &mut engine
        );
        assert_eq!(d, c);
    }
    assert!(engine.stats().hits >= 2);
}

#[test]
fn ranks_that_the_family_lacks_are_tensors() {
    let a = matrix(2, 2, |i, j| (i + 10 * j) as f64);
    let v: Tensor<f64, 1> = einsum!("ij->i", a);
    assert_eq!(v.as_slice(), [10., 12.]);
    let t: Tensor<f64, 4> = einsum!("ij,kl->ijkl", a, a);
    assert_eq!(t[[1, 0, 0, 1]], 10.);
    let s: f64 = einsum!("ii", a);
    assert_eq!(s, 11.);
    let d: DynTensor<f64> = einsum!("...,...->...", a, DynTensor::from_vec([2], vec![1., 2.]));
    assert_eq!(d.as_slice(), [0., 20., 1., 22.]);
}

#[test]
fn errors_and_outputs() {
    let a = matrix(3, 2, |_, _| 1.0);
    let error = try_einsum!("ij,jk->ik", a, a).unwrap_err();
    assert!(matches!(error, EinsumError::Size { .. }));
    let mut c = matrix(3, 3, |_, _| 1.0);
    einsum!("ij,kj->ik", a, a, out = &mut c, beta = 1.0);
    assert_eq!(at(&c, 2, 1), 3.0);
    let error = try_einsum!("ij->ij", a, out = &mut c).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }));
}

#[test]
fn families_that_take_elements_over() {
    let stack = Stack([2, 1, 3], vec![1, 2, 3, 4, 5, 6]);
    let plane: Plane<i32> = einsum!("ijk->ik", stack);
    assert_eq!(plane, Plane([2, 3], vec![1, 4, 2, 5, 3, 6]));
    let turned: Stack<i32> = einsum!("ijk->kij", stack);
    assert_eq!(turned, Stack([3, 2, 1], vec![1, 4, 2, 5, 3, 6]));
    let lines = Lines(vec![[1, 2, 3], [4, 5, 6]]);
    let same: Lines<i32, 3> = einsum!("ij,j->ij", lines, vec![1, 1, 2]);
    assert_eq!(same, Lines(vec![[1, 2, 6], [4, 5, 12]]));
    // The constant axis in front: neither a plane nor lines, but a stack and a tensor are indifferent.
    let stack: Stack<i32> = einsum!("ij,k->jik", lines, vec![1]);
    assert_eq!(stack.0, [3, 2, 1]);
    let four: Tensor<i32, 4> = einsum!("ij,kl->ijkl", lines, lines);
    assert_eq!(four[[1, 2, 1, 2]], 36);
    let list: Tensor<i32, 1> = einsum!("ij->i", lines);
    assert_eq!(list.as_slice(), [6, 15]);
    // The first operand with a family decides.
    let product: Tensor<i32, 2> = einsum!(
        "ij,jk->ik",
        Tensor::from([[1, 1, 1]]),
        Tensor::full([3, 2], 1)
    );
    assert_eq!(product.as_slice(), [3, 3]);
    let product: Tensor<i32, 2> = einsum!("ij,kj->ik", Tensor::from([[1, 1, 1]]), lines);
    assert_eq!(product.as_slice(), [6, 15]);
}
