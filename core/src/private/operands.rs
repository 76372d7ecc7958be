//! All operands of a call together.

use super::bind::{Bound, ElemWith, raw};
use crate::engine::Raw;
use crate::fixed::{FixedArray, Known, pointer};
use crate::operand::View;
use crate::scalar::Scalar;

/// What a call computes: the macro makes a type for each, which carries the constant.
pub trait CallSite {
    /// Labels and order.
    const SPEC: super::Spec;
    /// The operands whose gradients are asked for, or that have tangents.
    const WRT: &'static [usize] = &[];
    /// Whether nothing is conjugated on the way back.
    const TRANSPOSE: bool = false;
}

/// The operands of a call whose elements are `U`; `F` is the family of all.
///
/// Up to 16: beyond that the lengths are not asked whether they are constants.
pub trait Operands<'a, U: 'a, F> {
    /// Whether lengths and strides are constants.
    const CONSTANT: bool;
    /// The operands of real numbers (bit p: operand p), if `U` are complex ones.
    const REAL: u32;
    /// Whether lengths and strides are constants, and all elements are of one type.
    const ALIKE: bool = Self::CONSTANT && Self::REAL == 0;
    /// Their memory, if it is constant.
    const ARRAYS: &'static [FixedArray<'static>];
    /// One for each operand.
    type Raws: AsRef<[Raw<'a, U>]>;
    /// One for each operand.
    type Pointers: AsRef<[*const U]>;
    /// What the engine reads.
    fn raws(self) -> Self::Raws;
    /// What is read where lengths and strides are constants.
    fn pointers(self) -> Self::Pointers;
}

macro_rules! operands {
    ([$($before:tt)*]) => {};
    ([$($before:tt)*] ($v:ident $t:ident $f:ident $k:ident $i:tt) $($rest:tt)*) => {
        operands!(@ [$($before)*] ($v $f $k $i));
        operands!([$($before)* ($v $t $f $k $i)] $($rest)*);
    };
    (@ [$(($v:ident $t:ident $f:ident $k:ident $i:tt))*] ($w:ident $g:ident $l:ident $last:tt)) => {
        impl<'a, U: Scalar, $($v: View, $t: ElemWith<U, Out = U>, $f, $k: Known,)* $w: View, $g, $l: Known>
            Operands<'a, U, $g> for ($(&'a Bound<$v, $t, $f, $k>,)* &'a Bound<$w, U, $g, $l>,)
        {
            const CONSTANT: bool = $($k::CONSTANT &&)* $l::CONSTANT;
            const REAL: u32 = $((($v::Elem::__REAL != U::__REAL) as u32) << $i |)*
                (($w::Elem::__REAL != U::__REAL) as u32) << $last;
            const ARRAYS: &'static [FixedArray<'static>] = &[
                $(FixedArray { conj: $v::CONJ, ..$k::ARRAY },)*
                FixedArray { conj: $w::CONJ, ..$l::ARRAY },
            ];
            type Raws = [Raw<'a, U>; $last + 1];
            type Pointers = [*const U; $last + 1];
            #[inline(always)]
            fn raws(self) -> Self::Raws {
                [$(raw(self.$i),)* raw(self.$last)]
            }
            #[inline(always)]
            fn pointers(self) -> Self::Pointers {
                [
                    $(pointer::<$k, U>(raw(self.$i), $v::CONJ),)*
                    pointer::<$l, U>(raw(self.$last), $w::CONJ),
                ]
            }
        }
    };
}
operands!([]
    (V0 T0 F0 K0 0) (V1 T1 F1 K1 1) (V2 T2 F2 K2 2) (V3 T3 F3 K3 3) (V4 T4 F4 K4 4) (V5 T5 F5 K5 5) (V6 T6 F6 K6 6)
    (V7 T7 F7 K7 7) (V8 T8 F8 K8 8) (V9 T9 F9 K9 9) (V10 T10 F10 K10 10) (V11 T11 F11 K11 11) (V12 T12 F12 K12 12)
    (V13 T13 F13 K13 13) (V14 T14 F14 K14 14) (V15 T15 F15 K15 15));
