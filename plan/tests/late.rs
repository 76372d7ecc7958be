//! Orders chosen when the sizes are known: the same whether for one call or for many, and good at once.

mod common;

use common::Random;
use cteinsum_plan::{
    Checked, Chooser, Cost, Label, Network, Order, Program, Request, Strategy, Tree, greedy,
};

struct Case {
    checked: Checked,
    network: Network,
    sizes: Vec<usize>,
}

impl Case {
    fn new(inputs: &[Vec<usize>], output: &[usize], size: impl FnMut(usize) -> usize) -> Case {
        let checked = Checked::from_labels(inputs, output).unwrap();
        let ranks: Vec<usize> = inputs.iter().map(Vec::len).collect();
        Case {
            network: checked.network(&ranks).unwrap(),
            sizes: (0..checked.names.len()).map(size).collect(),
            checked,
        }
    }

    /// What the operands carry; here no length is 1.
    fn carried(&self) -> &[Vec<Label>] {
        &self.network.inputs
    }

    fn strategy(&self, order: Order, cost: Cost, limit: Option<u64>) -> Strategy {
        let request = Request {
            order,
            cost,
            max_intermediate: limit,
            ..Request::default()
        };
        self.checked.late_strategy(&request).unwrap()
    }

    /// The tree at once.
    fn draft(&self, cost: Cost) -> Tree {
        let strategy = self.strategy(Order::Auto, cost, None);
        let (carried, output) = (self.carried(), &self.network.output);
        let draft = strategy.draft(Some(&self.network), carried, output, &self.sizes);
        draft.unwrap().tree
    }

    /// The tree at once, and the one in the end.
    fn drafted(&self, strategy: &Strategy) -> Option<(Tree, Tree)> {
        let (carried, output) = (self.carried(), &self.network.output);
        let draft = strategy.draft(None, carried, output, &self.sizes).ok()?;
        let better = strategy.finish(&draft, carried, output, &self.sizes);
        assert!(better.is_none() || !draft.is_final());
        Some((
            draft.tree.clone(),
            better.unwrap_or_else(|| draft.tree.clone()),
        ))
    }

    fn chosen(&self, strategy: &Strategy) -> Option<Tree> {
        let (carried, output) = (self.carried(), &self.network.output);
        let mut chooser = Chooser::new(strategy.clone(), carried, output, self.network.labels);
        let tree = chooser.choose(carried, output, &self.sizes).ok()?;
        Some(Tree(tree.to_vec()))
    }

    fn program(&self, tree: &Tree) -> Program {
        Program::lower(self.carried(), &self.network.output, &tree.0)
    }

    fn multiply_adds(&self, tree: &Tree) -> f64 {
        self.program(tree).cost(&self.sizes).multiply_adds as f64
    }
}

/// A connected network: a random tree of bonds and some more of two or three operands, sizes from `least`.
fn network(random: &mut Random, operands: usize, least: usize, most: usize) -> Case {
    let mut inputs = vec![Vec::new(); operands];
    let mut labels = 0;
    for a in 1..operands {
        let b = random.below(a);
        inputs[a].push(labels);
        inputs[b].push(labels);
        labels += 1;
    }
    for _ in 0..random.below(operands) {
        let mut carriers: Vec<usize> = (0..2 + random.below(2))
            .map(|_| random.below(operands))
            .collect();
        carriers.sort_unstable();
        carriers.dedup();
        for carrier in carriers {
            inputs[carrier].push(labels);
        }
        labels += 1;
    }
    let mut output: Vec<usize> = (0..labels).collect();
    output.retain(|l| random.chance(15) && inputs.iter().any(|term| term.contains(l)));
    let mut seen: Vec<usize> = Vec::new();
    for label in inputs.iter().flatten() {
        if !seen.contains(label) {
            seen.push(*label);
        }
    }
    let same = random.chance(40);
    let size = least + random.below(most - least);
    Case::new(&inputs, &output, |_| match same {
        true => size,
        false => least + random.below(most - least),
    })
}

fn grid(n: usize) -> Case {
    let mut inputs = vec![Vec::new(); n * n];
    let mut label = 0;
    for at in 0..n * n {
        let right = (at % n + 1 < n).then_some(at + 1);
        let below = (at + n < n * n).then_some(at + n);
        for other in [right, below].into_iter().flatten() {
            inputs[at].push(label);
            inputs[other].push(label);
            label += 1;
        }
    }
    Case::new(&inputs, &[], |_| 8)
}

#[test]
fn for_one_call_as_for_many() {
    let mut random = Random::new(23);
    let (mut refused, mut same) = (0, 0);
    for round in 0..600 {
        let operands = 1 + round % 12;
        let case = network(&mut random, operands, 2, 9);
        let order = match random.below(4) {
            0 => Order::Greedy,
            1 if operands < 9 => Order::Optimal,
            2 if operands < 9 => Order::Search { seed: 3, effort: 1 },
            _ => Order::Auto,
        };
        let cost = *random.pick(&[Cost::Time, Cost::Flops, Cost::Size]);
        let limit = random.chance(30).then(|| 1 << random.below(20));
        let strategy = case.strategy(order, cost, limit);
        let once = case.drafted(&strategy).map(|(_, last)| last);
        assert_eq!(once, case.chosen(&strategy), "round {round}");
        match once {
            Some(tree) => {
                same += 1;
                let largest = case.program(&tree).largest_intermediate(&case.sizes);
                assert!(limit.is_none_or(|limit| largest <= limit));
            }
            None => refused += 1,
        }
    }
    assert!(refused > 20 && same > 300, "{refused} {same}");
}

/// Multiply-adds of what is found at once, over the best that is known.
#[test]
fn good_at_once() {
    for (n, best, most) in [
        (3, 3.441e5, 1.01),
        (4, 1.720_384e6, 1.2),
        (5, 6.096e7, 1.3),
        (6, 4.143e8, 2.0),
        (8, 1.214_8e11, 1.6),
        (10, 1.771e13, 1.6),
        (12, 2.182e15, 1.6),
    ] {
        let case = grid(n);
        for cost in [Cost::Time, Cost::Flops] {
            let tree = case.draft(cost);
            let ratio = case.multiply_adds(&tree) / best;
            println!("grid {n}x{n}, {cost:?}: {ratio:.3}");
            assert!(ratio <= most, "grid {n}x{n}, {cost:?}: {ratio}");
        }
    }
    for n in [16, 64, 256] {
        let inputs: Vec<Vec<usize>> = (0..n).map(|p| vec![p, p + 1]).collect();
        let case = Case::new(&inputs, &[0, n], |_| 8);
        let tree = case.draft(Cost::Time);
        assert_eq!(case.multiply_adds(&tree), (n - 1) as f64 * 512.0);
        // Lengths that differ.
        let case = Case::new(&inputs, &[0, n], |l| 2 + l * l * 7919 % 61);
        let tree = case.draft(Cost::Flops);
        let greedy = greedy(case.carried(), &case.network.output, &case.sizes, None);
        let ratio = case.multiply_adds(&tree) / case.multiply_adds(&greedy);
        println!("uneven chain of {n}: {ratio:.3} of the greedy one");
        assert!(ratio < 1.24, "{n}: {ratio}");
    }
}

#[test]
fn better_than_greedy_on_average() {
    let mut random = Random::new(8);
    for (least, most) in [(2, 3), (2, 12), (8, 60)] {
        let (mut logs, mut worst) = (0.0, 0.0f64);
        let rounds = 40;
        for _ in 0..rounds {
            let operands = 7 + random.below(40);
            let case = network(&mut random, operands, least, most);
            let tree = case.draft(Cost::Flops);
            let greedy = greedy(case.carried(), &case.network.output, &case.sizes, None);
            let ratio = (case.multiply_adds(&tree) / case.multiply_adds(&greedy)).ln();
            logs += ratio / f64::from(rounds);
            worst = worst.max(ratio);
        }
        println!(
            "sizes {least}..{most}: {:.3}, worst {:.3}",
            f64::exp(logs),
            worst.exp()
        );
        assert!(logs < 0.02, "{logs}");
    }
}

/// The real sizes, not expected ones.
#[test]
fn optimal_for_the_real_sizes() {
    let mut random = Random::new(77);
    for _ in 0..10 {
        let case = network(&mut random, 8, 2, 20);
        let order = |order: Order| {
            let strategy = case.strategy(order, Cost::Flops, None);
            case.multiply_adds(&case.drafted(&strategy).unwrap().1)
        };
        let best = order(Order::Optimal);
        assert!(best <= order(Order::Auto) * (1.0 + 1e-9));
        assert!(best <= order(Order::Greedy) * (1.0 + 1e-9));
        assert!(best <= order(Order::Search { seed: 5, effort: 2 }) * (1.0 + 1e-9));
    }
}

/// What a macro has found before the sizes are known is no worse than what a quick search finds for them.
#[test]
fn prepared_orders_are_no_worse() {
    let mut random = Random::new(31);
    let (mut logs, mut better) = (0.0, 0);
    for _ in 0..30 {
        let operands = 7 + random.below(10);
        let case = network(&mut random, operands, 4, 12);
        let checked = &case.checked;
        let request = Request {
            cost: Cost::Time,
            ..Request::default()
        };
        let strategy = checked.strategy(&request).unwrap();
        let time = |tree: &Tree| case.program(tree).time(&case.sizes);
        let (chosen, quick) = (case.chosen(&strategy).unwrap(), case.draft(Cost::Time));
        // Where the contraction takes less time than the search, nothing is searched.
        let short = 2_000.0 * operands as f64;
        assert!(time(&chosen) <= (time(&quick) * (1.0 + 1e-9)).max(short));
        logs += (time(&chosen) / time(&strategy.tree)).ln();
        better += usize::from(time(&chosen) < time(&strategy.tree));
    }
    assert!(better > 5, "{better}");
    println!(
        "{:.3} of the time of the tree for equal sizes",
        f64::exp(logs / 30.0)
    );
}
