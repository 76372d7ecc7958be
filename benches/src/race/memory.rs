//! What the memory limits: bytes that must move are counted.

use crate::peers::How;

/// With a copy of as many bytes for a mark.
fn copied<T>() -> How<'static, T> {
    How {
        copy: true,
        ..How::default()
    }
}

pub(super) fn transpose() {
    race!(512, f64, "ij->ji", a [512, 512] => [512, 512], 512 * 512 * 16, copied());
    race!(4096, f64, "ij->ji", a [4096, 4096] => [4096, 4096], 4096 * 4096 * 16, copied());
    race!(64, f64, "ijkl->lkji", a [64, 64, 64, 64] => [64, 64, 64, 64], 4096 * 4096 * 16, copied());
    race!(1000, f32, "ij->ji", a [1000, 1000] => [1000, 1000], 1000 * 1000 * 8, copied());
    race!("4096, a copy", f64, "ij->ij", a [4096, 4096] => [4096, 4096], 4096 * 4096 * 16, copied());
}

pub(super) fn sum() {
    race!(4096, f64, "ij->i", a [4096, 4096] => [4096], 4096 * 4096 * 8);
    race!(4096, f64, "ij->j", a [4096, 4096] => [4096], 4096 * 4096 * 8);
    race!(4096, f64, "ij->", a [4096, 4096] => [], 4096 * 4096 * 8);
    race!(4096, f64, "ij,ij->", a [4096, 4096] b [4096, 4096] => [], 4096 * 4096 * 16);
    race!("4096, a diagonal", f64, "ii->i", a [4096, 4096] => [4096], 4096 * 16);
}

pub(super) fn elementwise() {
    race!(4096, f64, "i,j->ij", a [4096] b [4096] => [4096, 4096], 4096 * 4096 * 8);
    race!(4096, f64, "ij,ij->ij", a [4096, 4096] b [4096, 4096] => [4096, 4096], 4096 * 4096 * 24);
    race!(256, f64, "ijk,ik->ijk", a [256, 256, 256] b [256, 256] => [256, 256, 256], 256 * 256 * 256 * 16);
}
