//! Kernels: shapes at the edges of tiles, every way to load and store.

use super::sites::{array, kernels, site};

#[test]
fn products_at_the_edges_of_tiles() {
    kernels!("ij" row[9, 3], "jk" row[3, 13] => "ik" row[9, 13]);
    // Last vectors that overlap those before them.
    kernels!("ij" row[9, 3], "jk" row[3, 15] => "ik" row[9, 15]);
    kernels!("ij" row[17, 2], "jk" row[2, 49] => "ik" row[17, 49]);
    // One vector, and others that must not take it for their own.
    kernels!("ij" row[2, 2], "jk" row[2, 2] => "ik" row[2, 2]);
    kernels!("ij" column[2, 2], "jk" column[2, 2] => "ik" column[2, 2]);
    kernels!("ji" row[2, 2], "jk" row[2, 2] => "ik" row[2, 2]);
}

#[test]
fn sums_along_vectors() {
    kernels!("i" row[67], "i" strided[67; 2] => "" row[]);
    kernels!("ij" row[7, 19], "j" row[19] => "i" row[7]);
    kernels!("ij" row[3, 4], "kj" row[1, 4] => "i" row[3]);
}

#[test]
fn gathered_and_scattered() {
    kernels!("ij" row[11, 4], "kj" row[9, 4] => "ki" row[9, 11]);
    kernels!("ij" strided[4, 5; -5, -1] => "ij" strided[4, 5; 12, 2]);
}

#[test]
fn several_steps() {
    kernels!("war" row[2, 2, 2], "abu" conj row[2, 2, 2], "bgl" row[2, 2, 2], "gwd" conj row[2, 2, 2] => "ruld" row[2, 2, 2, 2]);
    kernels!("i" row[3], "i" row[3] => "ii" row[3, 3]);
}

#[cfg(not(debug_assertions))]
#[test]
fn every_edge() {
    macro_rules! lengths {
        ($($n:literal)*) => {$(
            kernels!("ij" row[3, 2], "jk" row[2, $n] => "ik" row[3, $n]);
            kernels!("ij" row[$n, 2], "jk" row[2, 5] => "ik" row[$n, 5]);
            kernels!("i" row[$n], "i" row[$n] => "" row[]);
        )*};
    }
    lengths!(1 2 3 5 6 7 8 9 13 15 16 17 24 31 34 49 65);
}
