//! How the order of an einsum is chosen once its sizes are known.

use crate::lists::Listed;
use alloc::vec::Vec;
use core::fmt;

use crate::{
    evaluate::evaluate,
    exact::{self, FewPairs, Problem, Solution, Table, solve, solve_within},
    greedy::greedy,
    groups::{Groups, Member},
    nested::in_groups,
    order::Tree,
    spec::{Choice, Cost, Label, Spec},
};

/// The order of an einsum, as far as it is settled before the sizes are known: what a [`Spec`] holds, owned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strategy {
    /// The order, where it is settled; else a tree that is good for equal or expected sizes, or nothing.
    pub tree: Tree,
    /// How much is settled.
    pub rule: Rule,
    /// What is contracted before anything outside touches it.
    pub groups: Option<Groups>,
    /// What to make small.
    pub cost: Cost,
    /// The most elements that an intermediate may have.
    pub max_intermediate: Option<u64>,
}

/// How much of an order is settled: a [`Choice`], owned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// All.
    Settled,
    /// The cheapest of all trees that obey the groups.
    Exact,
    /// The greedy tree that obeys the groups.
    Greedy,
    /// The cheapest of these trees, `tree` being the first; where the contraction takes longer than that, of a tree found for
    /// the sizes as well, and where it takes long, improved by a search.
    Among(Vec<Tree>),
    /// What a search for the sizes finds, see [`Order::Search`](crate::Order::Search). With effort 0 it takes a microsecond or
    /// two an operand, and a part of the time of the contraction where that pays; where the contraction takes long, the tree is then
    /// improved by a longer one.
    Search {
        /// Where it starts.
        seed: u64,
        /// How much it does.
        effort: u32,
    },
}

/// No tree keeps all intermediates within the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntermediateTooLarge {
    /// The limit, in elements.
    pub limit: u64,
    /// The largest intermediate of the order, or, where the order is free, of the tree where it is smallest; saturates.
    pub smallest: u64,
    /// Whether `smallest` is the smallest of all trees that the groups allow, and not only of those looked at.
    pub exact: bool,
}

impl fmt::Display for IntermediateTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IntermediateTooLarge {
            limit,
            smallest,
            exact,
        } = self;
        let whose = if *exact {
            "the smallest that any order reaches is"
        } else {
            "the order has one of"
        };
        write!(
            f,
            "no intermediate may have more than {limit} elements, but {whose} {smallest}"
        )
    }
}

impl Strategy {
    /// What the constant of a macro says.
    pub fn of_spec(spec: &Spec<'_>) -> Strategy {
        let operands = spec.inputs.len() as u32;
        let member = |&id: &u32| match id.checked_sub(operands) {
            None => Member::Operand(id),
            Some(group) => Member::Group(group),
        };
        let groups = spec.groups.iter().map(|g| g.iter().map(member).listed());
        Strategy {
            tree: Tree(spec.tree.to_vec()),
            rule: match spec.choice {
                Choice::Settled => Rule::Settled,
                Choice::Exact => Rule::Exact,
                Choice::Greedy => Rule::Greedy,
                Choice::Among(others) => {
                    let trees = [spec.tree].into_iter().chain(others.iter().copied());
                    Rule::Among(trees.map(|tree| Tree(tree.to_vec())).listed())
                }
            },
            groups: (!spec.groups.is_empty()).then(|| Groups::from_list(groups.listed())),
            cost: spec.cost,
            max_intermediate: spec.max_intermediate,
        }
    }

    /// Whether the order does not depend on the sizes.
    pub fn is_settled(&self) -> bool {
        self.rule == Rule::Settled
    }
}

/// A tree as [`Chooser::choose`] gives it: pairs in SSA form.
#[derive(Clone, Debug)]
pub struct Chosen<'a>(Pairs<'a>);

#[derive(Clone, Debug)]
enum Pairs<'a> {
    Few(FewPairs),
    Owned(Vec<(u32, u32)>),
    Borrowed(&'a [(u32, u32)]),
}

impl core::ops::Deref for Chosen<'_> {
    type Target = [(u32, u32)];

    fn deref(&self) -> &[(u32, u32)] {
        match &self.0 {
            Pairs::Few(pairs) => pairs,
            Pairs::Owned(pairs) => pairs,
            Pairs::Borrowed(pairs) => pairs,
        }
    }
}

/// Chooses the tree of an einsum of known ranks, for any sizes. What depends on labels alone is worked out once.
///
/// The choice is a function of the labels that the operands carry and of their sizes.
#[derive(Clone, Debug)]
pub struct Chooser {
    strategy: Strategy,
    labels: usize,
    /// Of all operands, how many distinct labels each carries.
    axes: usize,
    table: Option<Table>,
    real: u32,
}

impl Chooser {
    /// For operands with these labels, `...` expanded, of which there are `labels`.
    pub fn new(
        strategy: Strategy,
        inputs: &[Vec<Label>],
        output: &[Label],
        labels: usize,
    ) -> Chooser {
        Chooser::mixed(strategy, inputs, output, labels, 0)
    }

    /// The same, where the operands whose bits are set in `real` hold real numbers and the others complex ones: their
    /// products take a quarter of the work, or half. Up to six operands without parentheses are chosen by that.
    pub fn mixed(
        strategy: Strategy,
        inputs: &[Vec<Label>],
        output: &[Label],
        labels: usize,
        real: u32,
    ) -> Chooser {
        let distinct = |term: &Vec<Label>| {
            let mut seen = Vec::with_capacity(term.len());
            for &label in term {
                if !seen.contains(&label) {
                    seen.push(label);
                }
            }
            seen
        };
        let inputs: Vec<Vec<Label>> = inputs.iter().map(distinct).listed();
        let free = strategy.rule == Rule::Exact && strategy.groups.is_none();
        let mut table = if free {
            Table::new(&inputs, output, labels, strategy.cost, real)
        } else {
            None
        };
        // More operands seldom have one tree for all sizes, and it takes as long to find out as to choose a few times.
        if let Some(table) = &mut table
            && inputs.len() <= FEW
            && strategy.max_intermediate.is_none()
        {
            table.prune();
        }
        Chooser {
            strategy,
            labels,
            axes: inputs.iter().map(Vec::len).sum(),
            table,
            real,
        }
    }

    /// The tree for operands that carry these labels with a length other than 1, as
    /// [`Network::carried`](crate::Network::carried) gives them, for these sizes of the labels.
    ///
    /// # Errors
    /// If every tree, or the one that is settled, has an intermediate beyond the limit.
    pub fn choose(
        &mut self,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Result<Chosen<'_>, IntermediateTooLarge> {
        if carried.len() < 2 {
            return Ok(Chosen(Pairs::Borrowed(&[])));
        }
        let bound = self.strategy.max_intermediate;
        let limit = bound.map_or(f64::INFINITY, |limit| limit as f64);
        // Where a length of 1 broadcasts, fewer labels are carried than the table was made for.
        let axes: usize = carried.iter().map(Vec::len).sum();
        if let Some(table) = &mut self.table
            && axes == self.axes
            && let Some(pairs) = table.choose(sizes, limit)
        {
            return Ok(Chosen(Pairs::Few(pairs)));
        }
        let strategy = &self.strategy;
        let within = |tree: &[(u32, u32)]| {
            let Some(limit) = bound else { return Ok(()) };
            let (_, largest) = evaluate(carried, output, sizes, tree, strategy.cost);
            if largest <= limit as f64 {
                return Ok(());
            }
            Err(IntermediateTooLarge {
                limit,
                smallest: largest as u64,
                exact: false,
            })
        };
        match &strategy.rule {
            Rule::Settled => {
                within(&strategy.tree.0)?;
                Ok(Chosen(Pairs::Borrowed(&strategy.tree.0)))
            }
            Rule::Greedy => {
                let tree = greedy(carried, output, sizes, strategy.groups.as_ref());
                within(&tree.0)?;
                Ok(Chosen(Pairs::Owned(tree.0)))
            }
            Rule::Exact => {
                let tree = exact_tree(carried, output, self.labels, sizes, strategy, self.real)?;
                Ok(Chosen(Pairs::Owned(tree.0)))
            }
            Rule::Among(trees) => {
                let tree = among(trees, carried, output, sizes, strategy)?;
                Ok(match strategy.bettered(tree, carried, output, sizes) {
                    Some(better) => Chosen(Pairs::Owned(better.0)),
                    None => Chosen(Pairs::Borrowed(&tree.0)),
                })
            }
            Rule::Search { .. } => {
                let draft = strategy.searched(carried, output, sizes)?;
                let better = strategy.finish(&draft, carried, output, sizes);
                Ok(Chosen(Pairs::Owned(better.unwrap_or(draft.tree).0)))
            }
        }
    }
}

/// The cheapest tree within the limit.
fn among<'a>(
    trees: &'a [Tree],
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    strategy: &'a Strategy,
) -> Result<&'a Tree, IntermediateTooLarge> {
    let limit = strategy.max_intermediate;
    if let ([only], None) = (trees, limit) {
        return Ok(only);
    }
    let bound = limit.map_or(f64::INFINITY, |limit| limit as f64);
    let (mut best, mut smallest) = (None, f64::INFINITY);
    for tree in trees {
        let (cost, largest) = evaluate(carried, output, sizes, &tree.0, strategy.cost);
        smallest = smallest.min(largest);
        if largest <= bound && best.as_ref().is_none_or(|&(least, _)| cost < least) {
            best = Some((cost, tree));
        }
    }
    best.map(|(_, tree)| tree).ok_or(IntermediateTooLarge {
        limit: limit.unwrap_or(u64::MAX),
        smallest: smallest as u64,
        exact: false,
    })
}

/// Operands up to which a tree that is the cheapest for all sizes is looked for.
pub(crate) const FEW: usize = 3;

/// The cheapest of all trees that obey the groups, each of which has few members.
pub(crate) fn exact_tree(
    carried: &[Vec<Label>],
    output: &[Label],
    labels: usize,
    sizes: &[usize],
    strategy: &Strategy,
    real: u32,
) -> Result<Tree, IntermediateTooLarge> {
    let limit = strategy
        .max_intermediate
        .map_or(f64::INFINITY, |limit| limit as f64);
    let problem = |tensors: &[Vec<Label>], kept: &[Label]| {
        let size = |l: Label| sizes[usize::from(l)];
        let mut problem = Problem::of_labels(tensors, kept, labels, size).0;
        // Within groups tensors have other numbers.
        if strategy.groups.is_none() {
            problem.real = real;
        }
        problem
    };
    let within = |order: &dyn Fn(&Problem) -> Option<Solution>| {
        let pairs = |tensors: &[Vec<Label>], kept: &[Label]| {
            let solution = order(&problem(tensors, kept)).ok_or(())?;
            Ok(solution.pairs(tensors.len()))
        };
        match &strategy.groups {
            Some(groups) => in_groups(carried, output, labels, groups, pairs),
            None => pairs(carried, output).map(|pairs| Tree::canonical(pairs, carried.len())),
        }
    };
    let tree = within(&|problem| solve_within(problem, strategy.cost, limit));
    let too_large = |smallest: f64| IntermediateTooLarge {
        limit: strategy.max_intermediate.unwrap_or(u64::MAX),
        smallest: smallest as u64,
        exact: true,
    };
    let tree = match tree {
        Ok(tree) if limit == f64::INFINITY => return Ok(tree),
        // The results of groups are intermediates as well.
        Ok(tree) => {
            let (_, largest) = evaluate(carried, output, sizes, &tree.0, strategy.cost);
            if largest <= limit {
                return Ok(tree);
            }
            tree
        }
        Err(()) => Tree::default(),
    };
    let smallest = within(&|problem| solve(problem, Cost::Size, f64::INFINITY));
    let smallest = smallest.unwrap_or(tree);
    let (_, largest) = evaluate(carried, output, sizes, &smallest.0, strategy.cost);
    Err(too_large(largest))
}

/// Whether every choice within the groups is one among few tensors.
pub(crate) fn is_small(operands: usize, groups: Option<&Groups>) -> bool {
    match groups {
        Some(groups) => groups.iter().all(|members| members.len() <= exact::MOST),
        None => operands <= exact::MOST,
    }
}
