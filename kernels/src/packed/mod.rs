//! The packed driver: a matrix product for any strides and any element type.
//!
//! Five loops around a micro-kernel, as in BLIS [1], with the operands read and C written through scatter vectors, as
//! in TBLIS [2]: a group of axes that has no single stride is a list of offsets, one for each of its points. Panels
//! are packed straight from the tensor, and C is written once for each block of K, in its place. Nothing else is ever copied.
//!
//! ```text
//! LOOP 5   jc = 0..n step nc
//! LOOP 4     pc = 0..k step kc            pack B~ <- B[pc.., jc..]   (kc x nc, in micro-panels of nr columns), or not
//! LOOP 3       ic = 0..m step mc          pack A~ <- A[ic.., pc..]   (mc x kc, in micro-panels of mr rows)
//! LOOP 2         jr = 0..nc step nr
//! LOOP 1           ir = 0..mc step mr     micro-kernel: mr x nr sums over kc in registers, then into C
//! ```
//!
//! Elements of B are broadcast, so that they may lie anywhere; B~ keeps those of a term together. Where the terms of a
//! column follow one another, where B is small, and where B~ would be read once (one micro-panel of A) and the terms are
//! not far apart, B is read in its place. Whole registers of rows of A are, too, by the first tiles that need them (`jr = 0`), which put them into A~ on the
//! way: that packing costs no time of its own.
//!
//! Memory is asked for before it is needed: the lines of C of a tile when its sums are begun, and, where an operand is packed about
//! as often as it is used, the block that is packed next while the last one is multiplied.
//!
//! The order of the rows, columns and terms is free. Where an operand is dense along an axis that lies far out in the order
//! of C, or of the terms, a piece of that axis is moved inwards (`arrange`), so that a block has all elements of a line.
//!
//! The sum for one element of C is over blocks of `kc`, in order, and inside a block one term after the other. Nothing
//! in it depends on where the element lies in a tile, so a part of C computed alone has the same bits: the team
//! shares C out by rows, columns and batch, never by K.
//!
//! [1] Van Zee, van de Geijn: BLIS: a framework for rapidly instantiating BLAS functionality. ACM TOMS 41(3), 2015.
//! [2] Matthews: High-performance tensor contraction without transposition. SIAM J. Sci. Comput. 40(1), 2018.

mod arrange;
mod block;
mod blocking;
mod driver;
mod inner;
mod operand;
mod pack;
mod scatter;
mod tile;
mod write;

pub(crate) use arrange::{sort, swaps};
pub(crate) use driver::{Gemm, run};
