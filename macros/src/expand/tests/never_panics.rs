//! Whatever the tokens, there is an expansion, with messages that say something.

use super::*;
use proc_macro2::TokenTree;

/// Pieces that calls are made of, and some that they are not.
const PIECES: [&str; 34] = [
    "\"ij,jk->ik\"",
    "\"i...\"",
    "r\"(ij,jk),k\"",
    "\"i$\"",
    "\"\\u{3b1}\\x41\\n\"",
    "b\"i\"",
    "c\"i\"",
    "'i'",
    "3",
    "0x1F_u8",
    "-1.5e3",
    "concat!(\"i\", 'j', 1)",
    "concat!()",
    "concat!(concat!(X))",
    "a",
    "&b",
    "f::<A, B>(x)",
    "x + y",
    "{ z }",
    "order",
    "engine",
    "=",
    "==",
    ",",
    ";",
    "[(0, 1)]",
    "[(0, 1), (0, 1)]",
    "tree([(0, 1)])",
    "tree",
    "greedy",
    "[0, (1,), {2}, (x)]",
    "order = left_to_right",
    "out = c",
    "[(0, 99999999999)]",
];

/// xorshift64*, seeded: the same pieces on every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

#[test]
fn any_tokens_expand_or_are_refused() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut rejected = 0;
    for round in 0..4000 {
        let mut input = quote!([krate]);
        if random.below(4) == 0 {
            input.extend(quote!(;));
        }
        for argument in 0..random.below(6) {
            if argument > 0 && random.below(8) > 0 {
                input.extend(quote!(,));
            }
            // Nearly always subscripts first, or little else would be seen.
            let piece = if argument == 0 && random.below(8) > 0 {
                random.below(5)
            } else {
                random.below(PIECES.len())
            };
            let piece: TokenStream = PIECES[piece].parse().expect("tokens");
            match random.below(3) {
                0 => input.extend(piece),
                _ => input.extend([TokenTree::Group(Group::new(Delimiter::None, piece))]),
            }
        }
        let mode = if round % 2 == 0 {
            Mode::Panic
        } else {
            Mode::Try
        };
        let text = input.to_string();
        let mistakes = messages(expand(input, mode));
        rejected += usize::from(!mistakes.is_empty());
        assert!(mistakes.iter().all(|m| !m.is_empty()), "{text}");
    }
    assert!(
        (1000..4000).contains(&rejected),
        "{rejected} of 4000 are refused"
    );
}
