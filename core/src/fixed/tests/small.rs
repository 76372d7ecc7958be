//! What the contract says, on small shapes.

use super::sites::{array, check, site};

#[test]
fn matrix_products_of_every_small_shape() {
    macro_rules! shapes {
        ($($m:literal $k:literal $n:literal),*) => {$(
            check!("ij" row[$m, $k], "jk" row[$k, $n] => "ik" row[$m, $n]);
        )*};
    }
    shapes!(1 1 1, 2 2 2, 3 3 3, 4 4 4, 1 3 2, 2 1 3, 3 2 1, 1 1 5, 5 1 1, 1 5 1);
    shapes!(5 7 3, 6 6 6, 7 9 11, 12 4 10, 8 8 8, 9 2 17, 17 3 9, 16 16 16);
}

#[test]
fn every_layout() {
    check!("ij" column[4, 3], "jk" row[3, 5] => "ik" row[4, 5]);
    check!("ij" row[4, 3], "jk" column[3, 5] => "ik" row[4, 5]);
    check!("ij" column[4, 3], "jk" column[3, 5] => "ik" column[4, 5]);
    check!("ij" row[9, 3], "jk" row[3, 5] => "ki" row[5, 9]);
    check!("ji" row[3, 9], "kj" row[5, 3] => "ik" row[9, 5]);
    check!("ij" strided[4, 3; -3, 1], "jk" strided[3, 5; 20, -2] => "ik" row[4, 5]);
    check!("ij" row[4, 3], "jk" row[3, 5] => "ik" strided[4, 5; 12, 2]);
    check!("ij" row[4, 3], "jk" row[3, 5] => "ik" strided[4, 5; -5, -1]);
    check!("ij" strided[4, 3; 0, 1], "jk" strided[3, 5; 0, 0] => "ik" row[4, 5]);
    check!("ij" row[20, 3], "kj" row[17, 3] => "ik" row[20, 17]);
}

#[test]
fn one_operand() {
    check!("ij" row[3, 5] => "ij" row[3, 5]);
    check!("ij" row[3, 5] => "ji" row[5, 3]);
    check!("ijk" row[3, 5, 9] => "kji" row[9, 5, 3]);
    check!("ij" row[3, 9] => "i" row[3]);
    check!("ij" row[3, 9] => "j" row[9]);
    check!("ij" row[3, 9] => "" row[]);
    check!("ii" row[5, 5] => "" row[]);
    check!("ii" row[5, 5] => "i" row[5]);
    check!("iij" row[3, 3, 4] => "ij" row[3, 4]);
    check!("i" row[4] => "ii" row[4, 4]);
    check!("ij" row[2, 3] => "jiij" row[3, 2, 2, 3]);
    check!("" row[] => "" row[]);
    check!("i" row[1] => "i" row[1]);
}

#[test]
fn two_operands() {
    check!("i" row[64], "i" row[64] => "" row[]);
    check!("i" row[7], "i" row[7] => "" row[]);
    check!("i" row[67], "i" strided[67; 2] => "" row[]);
    check!("ij" row[4, 6], "j" row[6] => "i" row[4]);
    check!("ij" row[4, 6], "i" row[4] => "j" row[6]);
    check!("ij" row[11, 21], "j" row[21] => "i" row[11]);
    check!("i" row[3], "j" row[5] => "ij" row[3, 5]);
    check!("i" row[3], "j" row[5] => "ji" row[5, 3]);
    check!("ij" row[3, 5], "ij" row[3, 5] => "ij" row[3, 5]);
    check!("ij" row[3, 5], "ji" row[5, 3] => "ij" row[3, 5]);
    check!("ij" row[3, 5], "ij" row[3, 5] => "" row[]);
    check!("ijk" row[4, 4, 4], "jk" row[4, 4] => "i" row[4]);
    check!("bij" row[3, 2, 4], "bjk" row[3, 4, 5] => "bik" row[3, 2, 5]);
    check!("ijb" row[2, 4, 9], "jkb" row[4, 3, 9] => "ikb" row[2, 3, 9]);
    check!("abcd" row[2, 3, 2, 3], "dcbe" row[3, 2, 3, 5] => "ae" row[2, 5]);
    check!("abcd" row[2, 3, 2, 3], "cbef" row[2, 3, 2, 2] => "eafd" row[2, 2, 2, 3]);
    check!("" row[], "ij" row[3, 5] => "ij" row[3, 5]);
    check!("" row[], "" row[] => "" row[]);
    check!("i" row[4], "i" row[4] => "ii" row[4, 4]);
    check!("ii" row[4, 4], "i" row[4] => "i" row[4]);
}

#[test]
fn sums_of_one_operand_alone() {
    check!("ij" row[3, 4], "k" row[5] => "k" row[5]);
    check!("ij" row[3, 4], "jk" row[4, 5] => "k" row[5]);
    check!("ij" row[3, 4], "jk" row[4, 5] => "i" row[3]);
    check!("ij" row[3, 4], "jk" row[4, 5] => "" row[]);
    check!("ij" row[3, 4], "" row[] => "" row[]);
    check!("ij" row[3, 4], "j" row[4] => "j" row[4]);
    check!("ijk" row[3, 4, 5], "jl" row[4, 6] => "il" row[3, 6]);
}

#[test]
fn length_one_broadcasts() {
    check!("ij" row[4, 1], "jk" row[3, 5] => "ik" row[4, 5]);
    check!("ij" row[4, 3], "jk" row[1, 5] => "ik" row[4, 5]);
    check!("i" row[1], "i" row[9] => "" row[]);
    check!("i" row[1], "i" row[9], "i" row[1] => "i" row[9]);
    check!("ij" row[1, 1], "jk" row[1, 1] => "ik" row[1, 1]);
    check!(".ij" row[2, 1, 3, 2], ".jk" row[5, 2, 4] => ".ik" row[2, 5, 3, 4]);
    check!("." row[4], "." row[2, 1] => "." row[2, 4]);
    check!("i." row[3, 2, 4], "." row[] => ".i" row[2, 4, 3]);
}

#[test]
fn length_zero() {
    check!("ij" row[4, 0], "jk" row[0, 5] => "ik" row[4, 5]);
    check!("ij" row[0, 3], "jk" row[3, 5] => "ik" row[0, 5]);
    check!("i" row[0], "i" row[1] => "" row[]);
    check!("i" row[0] => "ii" row[0, 0]);
}

#[test]
fn several_operands() {
    check!("ij" row[3, 4], "jk" row[4, 5], "kl" row[5, 2] => "il" row[3, 2]);
    check!("ij" row[3, 4], "jk" row[4, 5], "kl" row[5, 2] => "li" row[2, 3], ordered);
    check!("ij" row[2, 9], "jk" row[9, 2], "kl" row[2, 9], "lm" row[9, 2] => "im" row[2, 2]);
    check!("i" row[5], "i" row[5], "i" row[5], "i" row[5] => "i" row[5]);
    check!("i" row[5], "i" row[5], "i" row[5] => "" row[]);
    check!("i" row[3], "j" row[4], "k" row[2] => "kij" row[2, 3, 4]);
    check!("war" row[2, 2, 2], "abu" row[2, 2, 2], "bgl" row[2, 2, 2], "gwd" row[2, 2, 2] => "ruld" row[2, 2, 2, 2]);
    check!("war" row[3, 3, 3], "abu" row[3, 3, 3], "bgl" row[3, 3, 3], "gwd" row[3, 3, 3] => "ruld" row[3, 3, 3, 3]);
    check!("ij" row[2, 3], "j" row[3], "jk" row[3, 4], "k" row[4] => "ik" row[2, 4]);
    check!("ab" row[2, 3], "cd" row[2, 2], "be" row[3, 2], "df" row[2, 3], "ef" row[2, 3], "a" row[2] => "c" row[2]);
    check!(
        "ab" row[2, 3], "bc" row[3, 2], "cd" row[2, 3], "de" row[3, 2], "ef" row[2, 3], "fg" row[3, 2], "gh" row[2, 3], "hi" row[3, 2]
        => "ai" row[2, 2]
    );
    check!("ab" row[2, 3], "bc" row[3, 2], "cd" row[2, 3], "de" row[3, 2], "ef" row[2, 3], "fg" row[3, 2], "ga" row[2, 2] => "" row[]);
}

#[test]
fn conjugation() {
    check!("ij" conj row[3, 4], "jk" row[4, 5] => "ik" row[3, 5]);
    check!("ij" row[3, 4], "jk" conj row[4, 5] => "ik" row[3, 5]);
    check!("i" conj row[9], "i" conj row[9] => "" row[]);
    check!("ij" conj row[3, 4] => "ji" row[4, 3]);
    check!("ij" conj row[3, 4], "k" row[2] => "k" row[2]);
    check!("ij" row[12, 4], "kj" conj row[9, 4], "k" conj row[9] => "i" row[12]);
}
