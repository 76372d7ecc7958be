//! The table of operand kinds in the README: each row is computed from the types and by running them.

use std::any::type_name;
use std::collections::BTreeSet;
use std::path::Path;

use cteinsum::{
    AnyRank, Const, Dims, Dyn, DynTensor, Operand, OperandMut, Tensor, conj, einsum, try_einsum,
};

/// What a list of axes says of itself: the number of axes and whether their lengths are constants.
trait Describe: Dims {
    fn describe() -> String;
}
impl Describe for AnyRank {
    fn describe() -> String {
        "known at run time".to_owned()
    }
}
impl Describe for () {
    fn describe() -> String {
        "0".to_owned()
    }
}
impl Describe for (Dyn, ()) {
    fn describe() -> String {
        "1".to_owned()
    }
}
impl Describe for (Dyn, (Dyn, ())) {
    fn describe() -> String {
        "2".to_owned()
    }
}
impl<const A: usize, const B: usize> Describe for (Const<A>, (Const<B>, ())) {
    fn describe() -> String {
        "2, constant lengths".to_owned()
    }
}
impl<const A: usize> Describe for (Dyn, (Const<A>, ())) {
    fn describe() -> String {
        "2, one constant length".to_owned()
    }
}

fn axes<X: Operand<Dims: Describe>>(_: &X) -> String {
    X::Dims::describe()
}

/// The name of a type as one writes it: an alias, or the name without paths and parameters.
fn short<T>(_: &T) -> String {
    let name = type_name::<T>();
    let alias = |parts: &[&str]| parts.iter().all(|part| name.contains(part));
    if alias(&["ArrayBase", "OwnedRepr", "; 2]"]) {
        return "Array2".to_owned();
    } else if alias(&["Matrix", "ArrayStorage"]) {
        return "SMatrix".to_owned();
    } else if alias(&["Matrix", "VecStorage", "Dyn"]) {
        return "DMatrix".to_owned();
    }
    let head = name.split('<').next().unwrap();
    let last = head.rsplit("::").next().unwrap();
    last.to_owned()
}

fn writable<X: OperandMut>(_: &mut X) -> &'static str {
    "yes"
}

fn row(kind: &str, axes: &str, out: &str, conj: &str, result: &str) -> String {
    format!("| {kind} | {axes} | {out} | {conj} | {result} |")
}

/// A row for an array of rank 2, shape `[2, 2]`, elements 1 to 4 by rows; `out` is `yes` where it compiles and runs.
macro_rules! kind {
    ($rows:ident, $kind:literal, $array:expr, $axes:expr, reads) => {
        kind!(@ $rows, $kind, $array, $axes, "no")
    };
    ($rows:ident, $kind:literal, $array:expr, $axes:expr, writes) => {{
        let mut out = $array;
        let written = writable(&mut out);
        einsum!("ij->ji", Tensor::from([[5.0, 6.0], [7.0, 8.0]]), out = &mut out);
        let total: f64 = einsum!("ij,ij->", out, Tensor::from([[5.0, 7.0], [6.0, 8.0]]));
        assert_eq!(total, 174.0, $kind);
        kind!(@ $rows, $kind, $array, $axes, written)
    }};
    (@ $rows:ident, $kind:literal, $array:expr, $axes:expr, $out:expr) => {{
        let array = $array;
        let square = einsum!("ij,jk->ik", array, array);
        let sum: f64 = einsum!("ij,ij->", square, Tensor::from([[1.0, 10.0], [100.0, 1000.0]]));
        assert_eq!(sum, 7.0 + 100.0 + 1500.0 + 22000.0, $kind);
        let conjugate: f64 = einsum!("ij,ij->", conj(&array), array);
        assert_eq!(conjugate, 30.0, $kind);
        assert!(try_einsum!("ij,jk->ik", array, Tensor::<f64, 2>::zeros([3, 2])).is_err());
        let axes: String = $axes(&array);
        $rows.push(row($kind, &axes, $out, "yes", &format!("`{}`", short(&square))));
    }};
}

const NUMBERS: [f64; 4] = [1.0, 2.0, 3.0, 4.0];

fn own(rows: &mut Vec<String>) {
    let number = einsum!(",->", 2.0, 3.0);
    assert_eq!((number, einsum!(",->", conj(2.0), 3.0)), (6.0, 6.0));
    let mut out = 0.0;
    einsum!("i->", [1.0, 2.0], out = &mut out);
    assert_eq!(out, 3.0);
    rows.push(row(
        "numbers",
        &axes(&2.0),
        writable(&mut out),
        "yes",
        "the element",
    ));
    let vector = vec![1.0, 2.0];
    let scaled = einsum!("i,->i", vector, 2.0);
    assert_eq!(einsum!("i,i->", conj(&vector), vector), 5.0);
    let mut target = vec![0.0; 2];
    einsum!("i->i", vector[..], out = target.as_mut_slice());
    assert_eq!(target, vector);
    let name = format!("`{}`", short(&scaled));
    rows.push(row(
        "`Vec<T>`, `[T]`",
        &axes(&vector),
        writable(&mut target),
        "yes",
        &name,
    ));
    kind!(
        rows,
        "`Vec<[T; M]>`, `[[T; M]]`, `Vec<[[T; M]; N]>`",
        vec![[1.0, 2.0], [3.0, 4.0]],
        axes,
        writes
    );
    let array = [[1.0, 2.0], [3.0, 4.0]];
    let square: [[f64; 2]; 2] = einsum!("ij,jk->ik", array, array);
    assert_eq!(square, [[7.0, 10.0], [15.0, 22.0]]);
    assert_eq!(einsum!("ij,ij->", conj(&array), array), 30.0);
    let mut target = array;
    einsum!("ij->ji", array, out = &mut target);
    assert_eq!(target, [[1.0, 3.0], [2.0, 4.0]]);
    let written = writable(&mut target);
    rows.push(row(
        "`[[T; M]; N]`, one to six axes",
        &axes(&array),
        written,
        "yes",
        "`[[T; M]; N]`",
    ));
    let tensor = || Tensor::from_vec([2, 2], NUMBERS.to_vec());
    kind!(rows, "`Tensor`", tensor(), axes, writes);
    let owner = tensor();
    kind!(rows, "`TensorView`", owner.view(), axes, reads);
    let mut owner;
    kind!(
        rows,
        "`TensorViewMut`",
        {
            owner = tensor();
            owner.view_mut()
        },
        axes,
        writes
    );
    kind!(
        rows,
        "`DynTensor` and its views",
        DynTensor::from_vec([2, 2], NUMBERS.to_vec()),
        axes,
        writes
    );
}

#[cfg(feature = "ndarray")]
fn with_ndarray(rows: &mut Vec<String>) {
    use ndarray::{Array2, ArrayD, ArrayView2, ArrayViewMut2, IxDyn};
    let array = || Array2::from_shape_vec((2, 2), NUMBERS.to_vec()).unwrap();
    kind!(
        rows,
        "ndarray: `Array`, `ArcArray`, `CowArray`, `ArrayRef`",
        array(),
        axes,
        writes
    );
    kind!(
        rows,
        "ndarray: `ArrayView`",
        ArrayView2::from_shape((2, 2), &NUMBERS).unwrap(),
        axes,
        reads
    );
    let mut numbers;
    kind!(
        rows,
        "ndarray: `ArrayViewMut`",
        {
            numbers = NUMBERS;
            ArrayViewMut2::from_shape((2, 2), &mut numbers).unwrap()
        },
        axes,
        writes
    );
    kind!(
        rows,
        "ndarray: `ArrayD` and the views of that",
        ArrayD::from_shape_vec(IxDyn(&[2, 2]), NUMBERS.to_vec()).unwrap(),
        axes,
        writes
    );
}

/// A matrix or vector of nalgebra is one axis or two, as its subscripts say.
#[cfg(feature = "nalgebra")]
fn with_nalgebra(rows: &mut Vec<String>) {
    use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut, Matrix2};
    fn columns<X: Operand<Dims: cteinsum::HasRank<2, Axes: Describe>>>(_: &X) -> String {
        <X::Dims as cteinsum::HasRank<2>>::Axes::describe()
    }
    let by_columns = [1.0, 3.0, 2.0, 4.0];
    kind!(
        rows,
        "nalgebra: `SMatrix`, `SVector`",
        Matrix2::from_column_slice(&by_columns),
        columns,
        writes
    );
    kind!(
        rows,
        "nalgebra: `DMatrix`, `DVector`",
        DMatrix::from_row_slice(2, 2, &NUMBERS),
        columns,
        writes
    );
    kind!(
        rows,
        "nalgebra: `MatrixView`",
        DMatrixView::from_slice(&by_columns, 2, 2),
        columns,
        reads
    );
    let mut numbers;
    kind!(
        rows,
        "nalgebra: `MatrixViewMut`",
        {
            numbers = by_columns;
            DMatrixViewMut::from_slice(&mut numbers, 2, 2)
        },
        columns,
        writes
    );
}

#[cfg(feature = "faer")]
fn with_faer(rows: &mut Vec<String>) {
    use faer::{Mat, MatMut, MatRef};
    let matrix = || Mat::from_fn(2, 2, |i, j| NUMBERS[2 * i + j]);
    kind!(rows, "faer: `Mat`, `Col`, `Row`", matrix(), axes, writes);
    kind!(
        rows,
        "faer: `MatRef`, `ColRef`, `RowRef`",
        MatRef::from_row_major_slice(&NUMBERS, 2, 2),
        axes,
        reads
    );
    let mut numbers;
    kind!(
        rows,
        "faer: `MatMut`, `ColMut`, `RowMut`",
        {
            numbers = NUMBERS;
            MatMut::from_row_major_slice_mut(&mut numbers, 2, 2)
        },
        axes,
        writes
    );
}

#[cfg(feature = "mdarray")]
fn with_mdarray(rows: &mut Vec<String>) {
    use mdarray::{Array, DynRank};
    let array = || Array::from_fn([2, 2], |i| NUMBERS[2 * i[0] + i[1]]);
    kind!(
        rows,
        "mdarray: `Array` of run-time lengths, `Slice`",
        array(),
        axes,
        writes
    );
    kind!(
        rows,
        "mdarray: `Array` of constant lengths",
        Array::<f64, (mdarray::Const<2>, mdarray::Const<2>)>::from([[1.0, 2.0], [3.0, 4.0]]),
        axes,
        writes
    );
    kind!(
        rows,
        "mdarray: `Array` of both",
        Array::<f64, (usize, mdarray::Const<2>)>::from([[1.0, 2.0], [3.0, 4.0]]),
        axes,
        writes
    );
    let owner = array();
    kind!(rows, "mdarray: `View`", owner.expr(), axes, reads);
    let mut owner;
    kind!(
        rows,
        "mdarray: `ViewMut`",
        {
            owner = array();
            owner.expr_mut()
        },
        axes,
        writes
    );
    kind!(
        rows,
        "mdarray: `Array` of `DynRank`",
        array().into_shape(DynRank::Dyn([2, 2].into())),
        axes,
        writes
    );
}

#[test]
fn the_readme_says_what_is_so() {
    let mut rows = Vec::new();
    own(&mut rows);
    #[cfg(feature = "faer")]
    with_faer(&mut rows);
    #[cfg(feature = "ndarray")]
    with_ndarray(&mut rows);
    #[cfg(feature = "nalgebra")]
    with_nalgebra(&mut rows);
    #[cfg(feature = "mdarray")]
    with_mdarray(&mut rows);

    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = ["../README.md", "README.md"]
        .iter()
        .find_map(|path| std::fs::read_to_string(crate_folder.join(path)).ok())
        .expect("the README");
    let (_, table) = readme.split_once("| operand | axes |").expect("the table");
    let table: Vec<&str> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let missing: Vec<&String> = rows
        .iter()
        .filter(|row| !table.contains(&row.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "rows for the README:\n{}",
        rows.join("\n")
    );
    // What is written there of a library that is not compiled in is left to a run that has it.
    let known: BTreeSet<&str> = rows.iter().map(String::as_str).collect();
    let compiled = |line: &str| {
        [
            ("faer:", cfg!(feature = "faer")),
            ("ndarray:", cfg!(feature = "ndarray")),
            ("nalgebra:", cfg!(feature = "nalgebra")),
            ("mdarray:", cfg!(feature = "mdarray")),
        ]
        .iter()
        .all(|&(library, on)| on || !line.starts_with(&format!("| {library}")))
    };
    for line in table {
        assert!(known.contains(line) || !compiled(line), "not so: {line}");
    }
}

/// Lists of points and of matrices, any number of them, none too, against plain loops.
#[test]
fn lists_of_arrays() {
    fn moments<T: cteinsum::Scalar, const D: usize>(points: &[[T; D]]) -> Tensor<T, 2> {
        einsum!("ni,nj->ij", points, points)
    }
    for n in [0, 1, 2, 7] {
        let points: Vec<[i64; 3]> = (0..n).map(|k| [k, k * k - 2, 5 - k]).collect();
        let matrices: Vec<[[i64; 2]; 3]> = (0..n)
            .map(|k| [[k, 1], [k - 3, 2 * k], [-k, k * k]])
            .collect();
        let second = moments(&points);
        let mut moved = vec![[1; 2]; points.len()];
        einsum!(moved[n, j] += 2 * matrices[n, i, j] * points[n, i]);
        for i in 0..3 {
            for j in 0..3 {
                let sum: i64 = points.iter().map(|p| p[i] * p[j]).sum();
                assert_eq!(second[[i, j]], sum);
            }
        }
        for (k, row) in moved.iter().enumerate() {
            for j in 0..2 {
                let sum: i64 = (0..3).map(|i| matrices[k][i][j] * points[k][i]).sum();
                assert_eq!(row[j], 1 + 2 * sum);
            }
        }
        // Written through a slice, one axis of it another way round.
        let mut turned = vec![[[0; 3]; 2]; points.len()];
        einsum!("nij->nji", matrices[..], out = &mut turned[..]);
        for (a, b) in matrices.iter().zip(&turned) {
            assert!((0..3).all(|i| (0..2).all(|j| a[i][j] == b[j][i])));
        }
        let rows = einsum!("...i->...", turned);
        assert_eq!(rows.shape(), &[points.len(), 2]);
        let error = try_einsum!("ni,mi->nm", points, Tensor::<i64, 2>::zeros([2, 4])).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("label 'i' is 3 in operand 0 (axis 1) but 4"),
            "{error}"
        );
    }
    // Rows without elements.
    let empty: Vec<[f64; 0]> = vec![[]; 4];
    assert_eq!(einsum!("ni->n", empty).as_slice(), [0.0; 4]);
}
