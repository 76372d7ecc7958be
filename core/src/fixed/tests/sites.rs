//! Call sites from text.

use cteinsum_plan::{ELLIPSIS, Label};

/// The labels of a term: letters by their place in the alphabet, `.` for `...`.
pub(super) const fn labels<const N: usize>(term: &str) -> [Label; N] {
    let (mut out, mut i) = ([0; N], 0);
    while i < N {
        let c = term.as_bytes()[i];
        out[i] = if c == b'.' {
            ELLIPSIS
        } else {
            (c - b'a') as Label
        };
        i += 1;
    }
    out
}

/// `(((0 1) 2) 3) ..`
pub(super) const fn left_to_right<const S: usize>() -> [(u32, u32); S] {
    let (mut tree, mut s) = ([(0, 1); S], 1);
    while s < S {
        tree[s] = ((S + s) as u32, s as u32 + 1);
        s += 1;
    }
    tree
}

/// Checks a call: `check!("ij" row[2, 3], "jk" column[3, 4] => "ik" row[2, 4])`. Layouts are `row`, `column`, and
/// `strided[..; ..]`; `conj` before a layout conjugates; `ordered` after all keeps left to right.
macro_rules! check {
    ($($call:tt)*) => { site!(check: $($call)*) };
}

/// The same with all kinds of vectors in any build.
macro_rules! kernels {
    ($($call:tt)*) => { site!(check_kernels: $($call)*) };
}

macro_rules! site {
    ($check:ident: $($term:literal $($layout:ident)+ [$($n:expr),*$(; $($s:expr),*)?]),* => $out:literal $olayout:ident [$($m:expr),*$(; $($os:expr),*)?] $(, $ordered:ident)?) => {{
        #[derive(Clone, Copy)]
        struct Site;
        impl $crate::fixed::FixedEinsum for Site {
            const SPEC: cteinsum_plan::Spec<'static> = {
                let spec = cteinsum_plan::Spec::new(
                    "",
                    &[$(&$crate::fixed::tests::sites::labels::<{ $term.len() }>($term)),*],
                    &$crate::fixed::tests::sites::labels::<{ $out.len() }>($out),
                    &$crate::fixed::tests::sites::left_to_right::<{ [$($term),*].len() - 1 }>(),
                );
                if [false $(, stringify!($ordered).len() > 0)?].len() > 1 { spec } else { spec.by_sizes() }
            };
            const OPERANDS: &'static [$crate::fixed::FixedArray<'static>] =
                &[$(array!($($layout)+ [$($n),*$(; $($s),*)?])),*];
            const OUTPUT: $crate::fixed::FixedArray<'static> = array!($olayout [$($m),*$(; $($os),*)?]);
        }
        $crate::fixed::tests::$check::<Site>();
    }};
}

macro_rules! array {
    (conj $layout:ident $rest:tt) => { array!($layout $rest).conjugated() };
    (row [$($n:expr),*]) => { $crate::fixed::FixedArray::row_major(&[$($n),*]) };
    (column [$($n:expr),*]) => { $crate::fixed::FixedArray::column_major(&[$($n),*]) };
    (strided [$($n:expr),*; $($s:expr),*]) => { $crate::fixed::FixedArray::strided(&[$($n),*], &[$($s),*]) };
}

pub(super) use {array, check, kernels, site};
