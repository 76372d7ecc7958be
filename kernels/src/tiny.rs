//! Matrix products of a few rows, columns and terms: sums in registers, nothing set up.
//!
//! Rows are the direction in which C is densest, one lane each; columns are taken eight at a time, then four, then one. The registers of the
//! last rows are loaded and stored in part. Where A is not dense along the rows it is gathered on the stack first, by squares
//! turned in registers if it is dense along the terms. A sum
//! is one term after the other, whatever its lane.

use core::array::from_fn;
use core::mem::MaybeUninit;

use super::OPTIMISED;
use super::axis::{Axis, size};
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::kind::Kind;
use super::lanes::{Few, Lanes};
use super::operands::Operands;
use super::scale::Update;
use super::square::square_of_eight;
use super::team::Team;
use super::walk::walk;
use crate::element::Element;

/// Most rows, columns or terms.
pub(crate) const MOST: usize = 16;

/// Whether the kernel is made for elements of this kind: registers have them, or at least the machine, and the build is
/// optimised.
pub(crate) const fn serves(kind: Kind) -> bool {
    OPTIMISED
        && matches!(
            kind,
            Kind::F32
                | Kind::F64
                | Kind::U16
                | Kind::U32
                | Kind::U64
                | Kind::MaxF32
                | Kind::MaxF64
                | Kind::MinF32
                | Kind::MinF64
        )
}

/// Whether the kernel is made for products of this form.
pub(crate) fn fits(kind: Kind, [m, n, k]: [&Axis; 3]) -> bool {
    serves(kind) && m.len <= MOST && n.len <= MOST && k.len <= MOST
}

/// Runs the products on up to `width` threads, whole items of the batch each.
///
/// # Safety
///
/// As for `Prepared::run`; the axes fit, and `T` has no conjugate.
pub(crate) unsafe fn run<T: Element>(
    batch: &[Axis],
    axes: &[&Axis; 3],
    operands: &Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let item = |operands: &Operands<T>| {
        let [m, n, k] = axes;
        let Operands { a, b, c, scale } = operands;
        let product = Product {
            lens: [m.len, n.len, k.len],
            a: *a,
            in_a: [m.a, k.a],
            b: *b,
            in_b: [k.b, n.b],
            c: *c,
            in_c: [m.c, n.c],
            update: scale.update(),
        };
        // SAFETY: the caller's promise.
        unsafe { product.run() };
    };
    if batch.is_empty() {
        return item(operands);
    }
    let width = width.min(team.threads());
    team.for_ranges(size(batch), width, &|items| {
        walk(batch, items, &mut |at| {
            // SAFETY: an item of the batch; no other task has it.
            let operands = unsafe { operands.at(at) };
            item(&operands);
        });
    });
}

/// One product: all that the kernel reads, each number written to its place once and passed on by reference. (A copy of what
/// was only just written waits for it.)
#[derive(Clone, Copy)]
pub(crate) struct Product<T> {
    /// Rows, columns and terms.
    pub(crate) lens: [usize; 3],
    pub(crate) a: *const T,
    /// The strides of rows and terms in A.
    pub(crate) in_a: [isize; 2],
    pub(crate) b: *const T,
    /// The strides of terms and columns in B.
    pub(crate) in_b: [isize; 2],
    pub(crate) c: *mut T,
    /// The strides of rows and columns in C.
    pub(crate) in_c: [isize; 2],
    pub(crate) update: Update<T>,
}

impl<T: Element> Product<T> {
    /// # Safety
    ///
    /// As for [`run`].
    #[inline]
    pub(crate) unsafe fn run(&self) {
        if self.in_a[0] == 1 {
            vectorize(Dense(self));
        } else {
            vectorize(Sparse(self));
        }
    }
}

/// A, dense along the rows.
type Gathered<T> = [MaybeUninit<T>; MOST * MOST];

/// Gathers A. Where it is dense along the terms it is turned, 8 by 8; squares at the end overlap those before them.
#[cfg_attr(optimised, inline(always))]
unsafe fn gather<T: Element, I: Isa>(product: &Product<T>, to: &mut Gathered<T>) {
    let ([m, _, k], a, [m_a, k_a]) = (product.lens, product.a, product.in_a);
    let to = to.as_mut_ptr().cast::<T>();
    let squares = |len: usize| (0..len.div_ceil(8)).map(move |q| (8 * q).min(len - 8));
    // SAFETY: elements of A, and as many places: `m` times `k`, which is no more than there are.
    unsafe {
        if k_a == 1 && m >= 8 && k >= 8 {
            for i in squares(m) {
                for p in squares(k) {
                    let row = |y| a.offset((i + y) as isize * m_a).add(p);
                    let column = |x| to.add((p + x) * m + i);
                    square_of_eight::<T, I>(from_fn(row), from_fn(column));
                }
            }
        } else {
            for i in 0..m {
                for p in 0..k {
                    let a = a.offset(i as isize * m_a + p as isize * k_a);
                    to.add(p * m + i).write(*a);
                }
            }
        }
    }
}

/// A product whose rows are anywhere in A.
struct Sparse<'a, T>(&'a Product<T>);

impl<T: Element> Vectorize for Sparse<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx512.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let mut a = [const { MaybeUninit::<T>::uninit() }; MOST * MOST];
        // SAFETY: the promise of `run`.
        unsafe { gather::<T, I>(self.0, &mut a) };
        let gathered = Product {
            a: a.as_ptr().cast(),
            in_a: [1, self.0.lens[0] as isize],
            ..*self.0
        };
        Dense(&gathered).run::<I>();
    }
}

/// A product whose rows are dense in A.
struct Dense<'a, T>(&'a Product<T>);

impl<T: Element> Vectorize for Dense<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx512.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        #[cfg(neon_vectors)]
        use super::lanes::Two;
        #[cfg(x86_vectors)]
        use super::lanes::{Half, U16x16, U16x32, U32x8, U32x16, U64x8};
        #[cfg(any(x86_vectors, neon_vectors))]
        use super::lanes::{MaxPlus, MinPlus};
        #[cfg(neon_vectors)]
        use core::arch::aarch64::{float32x4_t, float64x2_t, uint16x8_t, uint32x4_t};
        #[cfg(x86_vectors)]
        use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
        #[cfg(any(x86_vectors, neon_vectors))]
        macro_rules! half {
            ($level:ident $kind:ident => $lanes:ty) => {
                if const { I::LEVEL.is(Level::$level) && T::KIND.is(Kind::$kind) }
                    && self.0.lens[0] <= <$lanes>::LEN
                {
                    // SAFETY: the instruction set is there (AVX-512 includes AVX2); the rest is as below.
                    return unsafe { strips::<T, $lanes>(self.0) };
                }
            };
        }
        // A store of half a register takes longer than one of a whole register of half the size.
        #[cfg(x86_vectors)]
        half!(Avx512 F64 => Half<__m256d>);
        #[cfg(x86_vectors)]
        half!(Avx512 F32 => Half<__m256>);
        #[cfg(neon_vectors)]
        half!(Neon F64 => float64x2_t);
        #[cfg(neon_vectors)]
        half!(Neon F32 => float32x4_t);
        macro_rules! lanes {
            ($vectors:ident: $($level:ident $kind:ident => $lanes:ty,)*) => {$(
                #[cfg($vectors)]
                if const { I::LEVEL.is(Level::$level) && T::KIND.is(Kind::$kind) } {
                    // SAFETY: the instruction set is there, `T` is the type of the lanes; the rest is the promise of
                    // `run`.
                    return unsafe { strips::<T, $lanes>(self.0) };
                }
            )*};
        }
        lanes! { x86_vectors:
            Avx512 F64 => __m512d,
            Avx512 F32 => __m512,
            Avx512 U64 => U64x8,
            Avx512 U32 => U32x16,
            Avx512 U16 => U16x32,
            Avx2 F64 => __m256d,
            Avx2 F32 => __m256,
            Avx2 U32 => U32x8,
            Avx2 U16 => U16x16,
            Avx512 MaxF64 => MaxPlus<__m512d>,
            Avx512 MaxF32 => MaxPlus<__m512>,
            Avx512 MinF64 => MinPlus<__m512d>,
            Avx512 MinF32 => MinPlus<__m512>,
            Avx2 MaxF64 => MaxPlus<__m256d>,
            Avx2 MaxF32 => MaxPlus<__m256>,
            Avx2 MinF64 => MinPlus<__m256d>,
            Avx2 MinF32 => MinPlus<__m256>,
        }
        lanes! { neon_vectors:
            Neon F64 => Two<float64x2_t>,
            Neon F32 => Two<float32x4_t>,
            Neon U32 => Two<uint32x4_t>,
            Neon U16 => uint16x8_t,
            Neon MaxF64 => Two<MaxPlus<float64x2_t>>,
            Neon MaxF32 => Two<MaxPlus<float32x4_t>>,
            Neon MinF64 => Two<MinPlus<float64x2_t>>,
            Neon MinF32 => Two<MinPlus<float32x4_t>>,
        }
        // SAFETY: the promise of `run`.
        unsafe { strips::<T, Few<I, T, 4>>(self.0) }
    }
}

/// The product, a register of rows by a few columns at a time.
#[cfg_attr(optimised, inline(always))]
unsafe fn strips<T: Element, L: Lanes>(product: &Product<T>) {
    let [m, n, _] = product.lens;
    if m <= L::LEN {
        // SAFETY: all columns and rows of the product. Apart from the loops: what those make ready takes longer.
        unsafe {
            match n {
                1 => return columns::<T, L, 1>(product, 0, m, 0),
                2 => return columns::<T, L, 2>(product, 0, m, 0),
                3 => return columns::<T, L, 3>(product, 0, m, 0),
                4 => return columns::<T, L, 4>(product, 0, m, 0),
                8 => return columns::<T, L, 8>(product, 0, m, 0),
                _ => {}
            }
        }
    }
    for i in (0..m).step_by(L::LEN) {
        let rows = L::LEN.min(m - i);
        // SAFETY: rows and columns of the product.
        unsafe {
            let mut j = 0;
            while j + 8 <= n {
                columns::<T, L, 8>(product, i, rows, j);
                j += 8;
            }
            if j + 4 <= n {
                columns::<T, L, 4>(product, i, rows, j);
                j += 4;
            }
            if j + 2 <= n {
                columns::<T, L, 2>(product, i, rows, j);
                j += 2;
            }
            if j < n {
                columns::<T, L, 1>(product, i, rows, j);
            }
        }
    }
}

/// `N` columns of `rows` rows.
#[cfg_attr(optimised, inline(always))]
unsafe fn columns<T: Element, L: Lanes, const N: usize>(
    product: &Product<T>,
    i: usize,
    rows: usize,
    j: usize,
) {
    let Product { a, b, c, .. } = *product;
    let ([_, k_a], [k_b, n_b], [m_c, n_c]) = (product.in_a, product.in_b, product.in_c);
    let (i, j) = (i as isize, j as isize);
    // SAFETY: elements of the product; `L::Elem` is `T`.
    unsafe {
        let mut a = a.offset(i);
        let mut b = b.offset(j * n_b);
        let mut sums = [L::zero(); N];
        for _ in 0..product.lens[2] {
            let lanes = L::load_some(a.cast(), rows);
            for (j, sum) in sums.iter_mut().enumerate() {
                let b = L::splat(b.wrapping_offset(j as isize * n_b).cast());
                *sum = L::mul_add(lanes, b, *sum);
            }
            a = a.wrapping_offset(k_a);
            b = b.wrapping_offset(k_b);
        }
        let c = c.offset(i * m_c + j * n_c);
        if product.update.is_plain() && m_c == 1 {
            for (q, sum) in sums.into_iter().enumerate() {
                sum.store_some(c.offset(q as isize * n_c).cast(), rows);
            }
        } else {
            // A copy: the sums themselves stay in registers.
            let sums = core::hint::black_box(sums);
            for (q, sum) in sums.iter().enumerate() {
                let c = c.offset(q as isize * n_c);
                (product.update).run(c, m_c, (&raw const *sum).cast(), rows);
            }
        }
    }
}
