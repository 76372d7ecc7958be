//! Orders of contraction: how they are given, and the tree each of them is.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    candidates::Network,
    check::Checked,
    greedy::greedy,
    groups::{Groups, Member},
    request::Request,
    search::Effort,
    sorted::sort,
    spec::{Cost, Label},
    strategy::{Rule, Strategy, exact_tree, is_small},
};

/// An order of contraction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// The best that can be had at a reasonable price: the cheapest of all trees up to six operands. For more, a search
    /// prepares some before the sizes are known (a macro does so while it compiles), and the sizes choose among them and a
    /// quick one; that is improved by a longer search where the contraction takes at least a hundred times as long.
    #[default]
    Auto,
    /// The cheapest of all trees up to six operands; of those without outer products up to sixteen (and of those that
    /// a search finds); beyond that what [`Order::Search`] finds with effort 3.
    Optimal,
    /// The cheapest tree that a search finds. The same seed gives the same tree on every machine; each step of effort
    /// has three times the starts, each annealed for twice as long: of a hundred operands an optimised build has the answer to
    /// effort 1 in hundredths of a second, to 3 in a second or two, and a macro takes a few times as long.
    Search {
        /// Where the search starts.
        seed: u64,
        /// From 1, which is more than what is done unasked, to 6. At run time also 0: nothing is prepared, and the sizes get a
        /// quick search of their own: of a microsecond or two an operand, and longer as long as that pays.
        effort: u32,
    },
    /// The pair with the smallest result first; see [`greedy`].
    Greedy,
    /// `((0·1)·2)·3`.
    LeftToRight,
    /// A path as opt_einsum and JAX print it: each step takes the tensors at these positions out of the list of
    /// operands and puts their contraction at its end. Of three or more positions, the order inside is greedy, as in
    /// parentheses; one position only moves a tensor to the end.
    Path(Vec<Vec<u32>>),
    /// A tree in SSA form: the operands are 0..n, step s contracts its pair and makes n + s.
    Tree(Vec<(u32, u32)>),
}

/// A contraction tree in SSA form: the operands are 0..n, step s contracts its pair and makes n + s; n - 1 steps.
///
/// Of each pair, the left one holds the first operand of all below the two, so that equal trees are equal however they
/// were given (up to the order of independent steps).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tree(pub Vec<(u32, u32)>);

/// An explicit order is no order of these operands. Steps are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderError {
    /// Parentheses fix the order already.
    Parentheses,
    /// A step of a path is empty.
    EmptyStep {
        /// The step.
        step: usize,
    },
    /// A step of a path takes a position that is not there.
    NoSuchPosition {
        /// The step.
        step: usize,
        /// The position.
        position: u32,
        /// How many tensors there are before the step.
        tensors: usize,
    },
    /// A step of a path takes a position twice.
    PositionTwice {
        /// The step.
        step: usize,
        /// The position.
        position: u32,
    },
    /// A path ends before everything is contracted.
    PathTooShort {
        /// Steps of the path.
        steps: usize,
        /// How many tensors are left.
        left: usize,
    },
    /// A tree has another number of steps than one less than the operands.
    TreeLength {
        /// Steps of the tree.
        steps: usize,
        /// Steps that there must be.
        expected: usize,
    },
    /// A step of a tree takes a tensor that no operand and no earlier step is.
    NoSuchTensor {
        /// The step.
        step: usize,
        /// The tensor.
        tensor: u32,
        /// How many operands and results there are before the step.
        tensors: usize,
    },
    /// A step of a tree takes a tensor that is used up.
    UsedTwice {
        /// The step.
        step: usize,
        /// The tensor.
        tensor: u32,
        /// The step that used it first; the same one for a tensor contracted with itself.
        first: usize,
    },
}

impl Checked {
    /// The contraction tree of an order, before any size is known: all sizes count as equal, `...` as one axis.
    ///
    /// Parentheses are obeyed by the orders that leave something open.
    ///
    /// # Errors
    /// An order beside parentheses, or one that is no order of these operands.
    pub fn tree(&self, order: &Order) -> Result<Tree, OrderError> {
        let request = Request {
            order: order.clone(),
            ..Request::default()
        };
        Ok(self.strategy(&request)?.tree)
    }
}

impl Order {
    /// The contraction tree of this order.
    ///
    /// `carried` are the distinct labels of each operand, `output` those of the result, `sizes` the size of each
    /// label, for the choices that the order leaves open; `groups` the parentheses, which bind the greedy order.
    ///
    /// # Errors
    /// The order is no order of these operands.
    pub fn tree(
        &self,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
        groups: Option<&Groups>,
    ) -> Result<Tree, OrderError> {
        let operands = carried.len();
        match self {
            Order::Auto | Order::Optimal | Order::Search { .. } if is_small(operands, groups) => {
                let strategy = Strategy {
                    tree: Tree::default(),
                    rule: Rule::Exact,
                    groups: groups.cloned(),
                    cost: Cost::Time,
                    max_intermediate: None,
                };
                let tree = exact_tree(carried, output, sizes.len(), sizes, &strategy, 0);
                // Without a limit there is always one.
                Ok(tree.unwrap_or_default())
            }
            Order::Greedy => Ok(greedy(carried, output, sizes, groups)),
            Order::Auto | Order::Optimal | Order::Search { .. } => {
                let network = Network {
                    carried,
                    output,
                    sizes,
                    known: true,
                    groups,
                };
                let effort = match *self {
                    Order::Search { seed, effort } => Effort::level(seed, effort),
                    Order::Optimal => Effort::level(1, 3),
                    _ => Effort::low(carried.len()),
                };
                let trees = network.candidates(Cost::Time, effort);
                Ok(trees.into_iter().next().unwrap_or_default())
            }
            Order::LeftToRight => Ok(Tree::left_to_right(operands)),
            Order::Path(path) => Ok(match path_groups(path, operands)? {
                Some(groups) => greedy(carried, output, sizes, Some(&groups)),
                None => Tree::default(),
            }),
            Order::Tree(pairs) => {
                check_tree(pairs, operands)?;
                Ok(Tree::canonical(pairs.clone(), operands))
            }
        }
    }
}

impl Tree {
    /// `((0·1)·2)·3`.
    pub(crate) fn left_to_right(operands: usize) -> Tree {
        let first = |s: u32| if s == 0 { 0 } else { operands as u32 + s - 1 };
        let operands = 1..operands as u32;
        Tree(operands.map(|s| (first(s - 1), s)).listed())
    }

    /// Puts the tensor with the first operand to the left in each pair.
    pub(crate) fn canonical(mut pairs: Vec<(u32, u32)>, operands: usize) -> Tree {
        let mut first: Vec<u32> = (0..operands as u32).listed();
        for pair in &mut pairs {
            let (a, b) = (first[pair.0 as usize], first[pair.1 as usize]);
            if b < a {
                *pair = (pair.1, pair.0);
            }
            first.push(a.min(b));
        }
        Tree(pairs)
    }
}

/// The steps of a path as groups; `None` for a single operand.
pub(crate) fn path_groups(
    path: &[Vec<u32>],
    operands: usize,
) -> Result<Option<Groups>, OrderError> {
    let mut list = Vec::new();
    let mut tensors: Vec<Member> = (0..operands as u32).map(Member::Operand).listed();
    for (step, positions) in path.iter().enumerate() {
        if positions.is_empty() {
            return Err(OrderError::EmptyStep { step });
        }
        for (at, &position) in positions.iter().enumerate() {
            if position as usize >= tensors.len() {
                return Err(OrderError::NoSuchPosition {
                    step,
                    position,
                    tensors: tensors.len(),
                });
            }
            if positions[..at].contains(&position) {
                return Err(OrderError::PositionTwice { step, position });
            }
        }
        let mut sorted = positions.clone();
        sort(&mut sorted);
        let members: Vec<Member> = sorted.iter().map(|&p| tensors[p as usize]).listed();
        for &position in sorted.iter().rev() {
            tensors.remove(position as usize);
        }
        if let [one] = members.as_slice() {
            tensors.push(*one);
        } else {
            list.push(members);
            tensors.push(Member::Group(list.len() as u32 - 1));
        }
    }
    match tensors.len() {
        0 | 1 => Ok((!list.is_empty()).then(|| Groups::from_list(list))),
        left => Err(OrderError::PathTooShort {
            steps: path.len(),
            left,
        }),
    }
}

pub(crate) fn check_tree(pairs: &[(u32, u32)], operands: usize) -> Result<(), OrderError> {
    let expected = operands.saturating_sub(1);
    if pairs.len() != expected {
        return Err(OrderError::TreeLength {
            steps: pairs.len(),
            expected,
        });
    }
    let mut used = alloc::vec![None; operands + expected];
    for (step, &(left, right)) in pairs.iter().enumerate() {
        for tensor in [left, right] {
            let tensors = operands + step;
            if tensor as usize >= tensors {
                return Err(OrderError::NoSuchTensor {
                    step,
                    tensor,
                    tensors,
                });
            }
            if let Some(first) = used[tensor as usize].replace(step) {
                return Err(OrderError::UsedTwice {
                    step,
                    tensor,
                    first,
                });
            }
        }
    }
    Ok(())
}
