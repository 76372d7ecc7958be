//! Products of sizes that neither wrap nor saturate.

/// A positive number `mantissa * 2^exponent`, mantissa in [1, 2): a float with an exponent that never ends.
///
/// Products of hundreds of sizes still compare. Powers of two are exact, and so is everything below 2^53; beyond that
/// rounding is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Magnitude {
    exponent: i32,
    // Bits of a positive float are in the order of its values.
    mantissa: u64,
}

impl Magnitude {
    pub(crate) const ONE: Magnitude = Magnitude {
        exponent: 0,
        mantissa: 1f64.to_bits(),
    };

    /// A size; 0 counts as 1, so that an empty axis does not make all orders equal.
    pub(crate) fn of(size: usize) -> Magnitude {
        Magnitude::normal(size.max(1) as f64, 0)
    }

    fn normal(value: f64, exponent: i32) -> Magnitude {
        let bits = value.to_bits();
        let shift = (bits >> 52) as i32 - 1023;
        let mantissa = bits & ((1 << 52) - 1) | 1f64.to_bits();
        Magnitude {
            exponent: exponent + shift,
            mantissa,
        }
    }

    pub(crate) fn times(self, other: Magnitude) -> Magnitude {
        let product = f64::from_bits(self.mantissa) * f64::from_bits(other.mantissa);
        Magnitude::normal(product, self.exponent + other.exponent)
    }

    pub(crate) fn over(self, other: Magnitude) -> Magnitude {
        let quotient = f64::from_bits(self.mantissa) / f64::from_bits(other.mantissa);
        Magnitude::normal(quotient, self.exponent - other.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::Magnitude;

    #[test]
    fn is_in_the_order_of_the_numbers() {
        let sizes = [
            1usize,
            2,
            3,
            4,
            5,
            7,
            8,
            1000,
            1023,
            1024,
            1 << 40,
            usize::MAX,
        ];
        for a in sizes {
            for b in sizes {
                assert_eq!(
                    Magnitude::of(a).cmp(&Magnitude::of(b)),
                    (a as f64).total_cmp(&(b as f64)),
                    "{a} {b}"
                );
                let product = (a as f64) * (b as f64);
                assert_eq!(
                    Magnitude::of(a).times(Magnitude::of(b)),
                    Magnitude::normal(product, 0)
                );
            }
        }
        assert_eq!(Magnitude::of(0), Magnitude::ONE);
    }

    #[test]
    fn never_saturates() {
        let mut product = Magnitude::ONE;
        for _ in 0..100_000 {
            let next = product.times(Magnitude::of(1000));
            assert!(next > product);
            product = next;
        }
        for _ in 0..100_000 {
            product = product.over(Magnitude::of(2));
        }
        assert!(product > Magnitude::ONE);
    }
}
