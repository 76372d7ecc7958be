//! What a caller says about the order, made into a strategy.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    candidates::Network,
    check::Checked,
    greedy::greedy,
    groups::Groups,
    order::{Order, OrderError, Tree, check_tree, path_groups},
    search::Effort,
    sorted::insert,
    spec::{Cost, ELLIPSIS, Label},
    strategy::{Chooser, IntermediateTooLarge, Rule, Strategy, exact_tree, is_small},
};

/// The size of a label that no hint is given for, where a tree is chosen before the sizes are known.
pub(crate) const USUAL_SIZE: usize = 64;

/// What a caller says about the order of contraction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Request {
    /// The order.
    pub order: Order,
    /// What to make small.
    pub cost: Cost,
    /// The most elements that an intermediate may have.
    pub max_intermediate: Option<u64>,
    /// Sizes that labels are expected to have, by label. They are hints: nothing checks them.
    pub sizes: Vec<Option<usize>>,
}

impl Checked {
    /// Settles of the order what can be settled before the sizes are known: what a macro does.
    ///
    /// # Errors
    /// An order beside parentheses, or one that is no order of these operands.
    pub fn strategy(&self, request: &Request) -> Result<Strategy, OrderError> {
        let mut strategy = self.late_strategy(request)?;
        let (carried, output) = self.distinct_labels();
        let sizes = self.expected_sizes(request);
        let groups = strategy.groups.as_ref();
        match strategy.rule {
            Rule::Settled | Rule::Among(_) => {}
            Rule::Greedy => strategy.tree = greedy(&carried, &output, &sizes, groups),
            Rule::Exact => {
                let unlimited = Strategy {
                    max_intermediate: None,
                    ..strategy.clone()
                };
                let tree = exact_tree(&carried, &output, sizes.len(), &sizes, &unlimited, 0);
                strategy.tree = tree.unwrap_or_default();
            }
            Rule::Search { seed, effort } => {
                let effort = match effort {
                    0 => Effort::low(carried.len()),
                    effort => Effort::level(seed, effort),
                };
                let mut labels = 0..self.names.len();
                let network = Network {
                    carried: &carried,
                    output: &output,
                    sizes: &sizes,
                    known: labels.all(|l| matches!(request.sizes.get(l), Some(Some(_)))),
                    groups,
                };
                let trees = network.candidates(request.cost, effort);
                strategy.tree = trees.first().cloned().unwrap_or_default();
                strategy.rule = Rule::Among(trees);
            }
        }
        Ok(strategy)
    }

    /// The same where the sizes will be known before a tree is needed: what they decide is left to them, and the tree is
    /// empty unless it is settled.
    ///
    /// # Errors
    /// An order beside parentheses, or one that is no order of these operands.
    pub fn late_strategy(&self, request: &Request) -> Result<Strategy, OrderError> {
        self.check_order(&request.order)?;
        let operands = self.inputs.len();
        let groups = match &request.order {
            Order::Path(path) => path_groups(path, operands)?,
            _ => self.groups.clone(),
        };
        let mut strategy = Strategy {
            tree: Tree::default(),
            rule: Rule::Settled,
            groups,
            cost: request.cost,
            max_intermediate: request.max_intermediate,
        };
        let groups = strategy.groups.as_ref();
        let settled = operands < 3 || groups.is_some_and(|g| g.iter().all(|group| group.len() < 3));
        if settled || matches!(request.order, Order::Tree(_) | Order::LeftToRight) {
            let (carried, output) = self.distinct_labels();
            let sizes = self.expected_sizes(request);
            strategy.tree = request.order.tree(&carried, &output, &sizes, groups)?;
            strategy.groups = None;
            return Ok(strategy);
        }
        strategy.rule = match request.order {
            Order::Greedy => Rule::Greedy,
            _ if is_small(operands, groups) => Rule::Exact,
            Order::Search { seed, effort } => Rule::Search { seed, effort },
            Order::Optimal => Rule::Search { seed: 1, effort: 3 },
            _ => Rule::Search { seed: 1, effort: 0 },
        };
        Ok(strategy)
    }

    /// Whether an order is one of these operands.
    ///
    /// # Errors
    /// An order beside parentheses, or one that is no order of these operands.
    pub fn check_order(&self, order: &Order) -> Result<(), OrderError> {
        let operands = self.inputs.len();
        match order {
            order if self.groups.is_some() && !order.obeys_groups() => Err(OrderError::Parentheses),
            Order::Path(path) => path_groups(path, operands).map(drop),
            Order::Tree(pairs) => check_tree(pairs, operands),
            _ => Ok(()),
        }
    }

    /// Whether some order keeps all intermediates within the limit of the request, at the sizes that it expects: only
    /// if it expects one for every label.
    ///
    /// # Errors
    /// If none does.
    pub fn check_limit(
        &self,
        request: &Request,
        strategy: &Strategy,
    ) -> Result<(), IntermediateTooLarge> {
        let known = (0..self.names.len()).all(|l| matches!(request.sizes.get(l), Some(Some(_))));
        if request.max_intermediate.is_none() || !known || self.has_ellipsis() {
            return Ok(());
        }
        let (carried, output) = self.distinct_labels();
        let sizes = self.expected_sizes(request);
        Chooser::new(strategy.clone(), &carried, &output, sizes.len())
            .choose(&carried, &output, &sizes)
            .map(drop)
    }

    fn has_ellipsis(&self) -> bool {
        self.inputs.iter().any(|term| term.contains(&ELLIPSIS))
    }

    /// The distinct labels of each operand and of the output; `...` counts as one axis, with the label after the last
    /// named one.
    pub(crate) fn distinct_labels(&self) -> (Vec<Vec<Label>>, Vec<Label>) {
        let ellipsis = self.names.len() as Label;
        let distinct = |term: &Vec<Label>| {
            let labels = term
                .iter()
                .map(|&l| if l == ELLIPSIS { ellipsis } else { l });
            let mut seen = Vec::new();
            labels.filter(|&l| insert(&mut seen, l)).listed()
        };
        (
            self.inputs.iter().map(distinct).listed(),
            distinct(&self.output),
        )
    }

    /// The size of each label as far as it is expected, and of `...`.
    pub(crate) fn expected_sizes(&self, request: &Request) -> Vec<usize> {
        let hint = |label| request.sizes.get(label).copied().flatten();
        (0..=self.names.len())
            .map(|label| hint(label).unwrap_or(USUAL_SIZE))
            .listed()
    }
}

impl Order {
    /// Whether the order leaves something open that groups can settle.
    pub(crate) fn obeys_groups(&self) -> bool {
        !matches!(self, Order::LeftToRight | Order::Path(_) | Order::Tree(_))
    }
}

impl Strategy {
    /// The groups as a [`Spec`](crate::Spec) has them.
    pub fn group_list(&self, operands: usize) -> Vec<Vec<u32>> {
        let groups = self.groups.as_ref();
        groups.map_or_else(Vec::new, |groups| Groups::list(groups, operands as u32))
    }
}
