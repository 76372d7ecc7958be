//! Contractions of tensors of many axes, and networks of them.

use crate::peers::How;

/// Contractions of the TCCG suite (Springer and Bientinesi, "Design of a high-performance GEMM-like tensor-tensor
/// multiplication", 2018), of 1e8 to 1e9 multiply-adds: `$row` for each.
macro_rules! tccg {
    ($row:ident) => {
        $row!("ecbfa,fd->abcde", [24, 24, 24, 24, 24] [24, 24] => [24, 24, 24, 24, 24], 24usize.pow(6));
        $row!("dbea,ec->abcd", [72, 72, 24, 72] [24, 72] => [72, 72, 72, 72], 72usize.pow(4) * 24);
        $row!("efbad,cf->abcde", [24, 24, 24, 24, 24] [24, 24] => [24, 24, 24, 24, 24], 24usize.pow(6));
        $row!("efcad,bf->abcde", [24, 24, 24, 24, 24] [24, 24] => [24, 24, 24, 24, 24], 24usize.pow(6));
        $row!("deca,be->abcd", [48, 48, 48, 48] [48, 48] => [48, 48, 48, 48], 48usize.pow(5));
        $row!("ebad,ce->abcd", [48, 48, 48, 48] [48, 48] => [48, 48, 48, 48], 48usize.pow(5));
        $row!("ea,ebcd->abcd", [48, 48] [48, 48, 48, 48] => [48, 48, 48, 48], 48usize.pow(5));
        $row!("ec,abed->abcd", [48, 48] [48, 48, 48, 48] => [48, 48, 48, 48], 48usize.pow(5));
        $row!("bda,dc->abc", [208, 200, 192] [200, 24] => [192, 208, 24], 208 * 200 * 192 * 24);
        $row!("dca,bd->abc", [200, 192, 208] [24, 200] => [208, 24, 192], 208 * 200 * 192 * 24);
        $row!("cad,dcb->ab", [160, 152, 168] [168, 160, 152] => [152, 152], 160 * 152 * 168 * 152);
        $row!("acd,dbc->ab", [152, 160, 168] [168, 152, 160] => [152, 152], 160 * 152 * 168 * 152);
        $row!("adc,bd->abc", [152, 160, 168] [144, 160] => [152, 144, 168], 152 * 144 * 168 * 160);
        $row!("adec,ebd->abc", [48, 48, 48, 48] [48, 48, 48] => [48, 48, 48], 48usize.pow(5));
        $row!("aebf,dfce->abcd", [32, 32, 32, 32] [32, 32, 32, 32] => [32, 32, 32, 32], 32usize.pow(6));
        $row!("dega,gfbc->abcdef", [16, 16, 16, 16] [16, 16, 16, 16] => [16, 16, 16, 16, 16, 16], 16usize.pow(7));
    };
}
pub(super) use tccg;

pub(super) fn permuted() {
    macro_rules! pair {
        ($spec:literal, $a:tt $b:tt => $c:tt, $work:expr) => {
            race!("", f64, $spec, a $a b $b => $c, $work, How { laid_out: true, ..How::default() });
        };
    }
    tccg!(pair);
    // One with a small result.
    pair!("abcd,dbea->ec", [32, 32, 32, 32] [32, 32, 32, 32] => [32, 32], 32usize.pow(5));
}

pub(super) fn network() {
    // A tensor renormalization group's four corners.
    for d in [4usize, 8, 16, 24, 32] {
        let how = How {
            tree: &[(0, 1), (2, 3), (4, 5)],
            ..How::default()
        };
        race!(d, f64, "war,abu,bgl,gwd->ruld", a [d, d, d] b [d, d, d] c [d, d, d] e [d, d, d] => [d, d, d, d],
            d.pow(6) + 2 * d.pow(5), how);
    }
    // The effective Hamiltonian of two sites, with a matrix product operator of bond 5, times a state.
    for x in [64usize, 128, 256] {
        let how = How {
            tree: &[(0, 1), (5, 2), (6, 3), (7, 4)],
            ..How::default()
        };
        race!(x, f64, "awi,apqb,wprv,vqsy,byj->irsj",
            l [x, 5, x] t [x, 2, 2, x] w [5, 2, 2, 5] v [5, 2, 2, 5] r [x, 5, x] => [x, 2, 2, x],
            2 * 20 * x.pow(3) + 2 * 200 * x * x, how);
    }
    for x in [64usize, 128, 256] {
        let how = How {
            tree: &[(0, 1), (3, 2)],
            ..How::default()
        };
        race!(x, f64, "apb,awc,wpqv->bcqv", t [x, 2, x] l [x, 5, x] w [5, 2, 2, 5] => [x, x, 2, 5],
            x.pow(3) * 10 + x * x * 100, how);
    }
    // 4 x 4 tensors, row by row.
    for d in [4usize, 8] {
        race!(d, f64, "am,abn,bco,cp,mdq,nder,oefs,pft,qgu,rghv,shiw,tix,uj,vjk,wkl,xl->",
            aa [d, d] ab [d, d, d] ac [d, d, d] ad [d, d]
            ba [d, d, d] bb [d, d, d, d] bc [d, d, d, d] bd [d, d, d]
            ca [d, d, d] cb [d, d, d, d] cc [d, d, d, d] cd [d, d, d]
            da [d, d] db [d, d, d] dc [d, d, d] dd [d, d] => [], 2 * d.pow(6) + 6 * d.pow(5));
    }
    race!(256, f64, "ab,bc,cd,de,ef,fg,g->a",
        a [256, 256] b [256, 256] c [256, 256] d [256, 256] e [256, 256] f [256, 256] g [256] => [256], 6 * 256 * 256);
}
