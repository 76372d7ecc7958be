//! Planners on a fixed set of networks: multiply-adds of the order that each finds, and how long it takes: regime `planners`.
//!
//! `cargo run --release -p cteinsum-benches --features planners -- planners ['part of a name|another']`. Without `--release` the times are
//! those that a macro takes, which Cargo builds without optimisation. All orders are counted by one function; a ratio is to the
//! best order that is known, of this run or of an earlier one. Times are the shortest of several runs, one if they are long. A table of
//! all networks comes last.
//!
//! opt_einsum and cotengra run in the Python that `CTEINSUM_PYTHON` names (`python3` if it names none); cotengra may search
//! for `CTEINSUM_COTENGRA_SECONDS` (60) a network. `CTEINSUM_SHORT` leaves out the long one of omeco.

mod known;
mod networks;
mod python;
#[cfg(feature = "planners")]
mod rust;

use std::time::{Duration, Instant};

use cteinsum_plan::{Checked, Chooser, Cost, Order, Request};
use networks::Planned;

/// What a planner found: tree in SSA form and seconds.
type Found = Option<(Vec<(u32, u32)>, f64)>;

pub(crate) fn run(part: Option<&str>) {
    let chosen = |network: &Planned| {
        part.is_none_or(|parts| parts.split('|').any(|part| network.name.contains(part)))
    };
    let networks: Vec<Planned> = networks::all().into_iter().filter(chosen).collect();
    let mut table: Vec<(String, f64, Row)> = Vec::new();
    for network in &networks {
        let mut rows: Vec<(String, Found)> = Vec::new();
        ours(network, &mut rows);
        #[cfg(feature = "planners")]
        rust::all(network, &mut rows);
        #[cfg(not(feature = "planners"))]
        println!("omeco: built without the feature `planners`");
        match python::all(network) {
            Ok(more) => rows.extend(more),
            Err(missing) => eprintln!("{missing}"),
        }
        let best = print(network, &rows);
        let row = rows.iter().filter_map(|(name, found)| {
            let (tree, seconds) = found.as_ref()?;
            Some((name.clone(), network.multiply_adds(tree) / best, *seconds))
        });
        table.push((network.name.clone(), best, row.collect()));
    }
    summary(&table);
}

/// By planner the multiply-adds over the best known, and seconds.
type Row = Vec<(String, f64, f64)>;

/// All networks in one table, in Markdown.
fn summary(table: &[(String, f64, Row)]) {
    let mut names: Vec<&str> = Vec::new();
    for (name, ..) in table.iter().flat_map(|(_, _, row)| row) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    println!("\n| network | best known | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    for (network, best, row) in table {
        let cell = |name: &&str| match row.iter().find(|cell| cell.0 == *name) {
            Some(&(_, ratio, seconds)) => format!("{ratio:.3}, {}", shown(seconds)),
            None => String::from("-"),
        };
        let cells: Vec<String> = names.iter().map(cell).collect();
        println!("| `{network}` | {best:.4e} | {} |", cells.join(" | "));
    }
}

/// Prints what was found for a network; the fewest multiply-adds known.
fn print(network: &Planned, rows: &[(String, Found)]) -> f64 {
    let costs: Vec<f64> = rows
        .iter()
        .map(|(_, found)| {
            found
                .as_ref()
                .map_or(f64::INFINITY, |(tree, _)| network.multiply_adds(tree))
        })
        .collect();
    let known = known::best(&network.name);
    let found = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let best = found.min(known);
    let new = if found < known * (1.0 - 1e-6) {
        ", found in this run"
    } else {
        ""
    };
    println!(
        "{} ({} tensors), best known {best:.4e} multiply-adds{new}",
        network.name,
        network.inputs.len()
    );
    for ((name, found), cost) in rows.iter().zip(costs) {
        match found {
            Some((_, seconds)) => println!(
                "    {name:<26} {:>10.4}  {:>12}",
                cost / best,
                shown(*seconds)
            ),
            None => println!("    {name:<26} {:>10}", "-"),
        }
    }
    best
}

fn shown(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The shortest of several runs, and what the last one found.
fn timed<T>(mut plan: impl FnMut() -> T) -> (T, f64) {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    let mut runs = 0;
    loop {
        let now = Instant::now();
        let found = plan();
        least = least.min(now.elapsed().as_secs_f64());
        runs += 1;
        if runs == 1000 || start.elapsed() > Duration::from_millis(200) {
            return (found, least);
        }
    }
}

fn ours(network: &Planned, rows: &mut Vec<(String, Found)>) {
    let checked = Checked::from_labels(&network.inputs, &network.output).expect("a network");
    let request = |order: Order| Request {
        order,
        cost: Cost::Flops,
        sizes: network.sizes.iter().copied().map(Some).collect(),
        ..Request::default()
    };
    // The macro plans before it knows the sizes; these settle the rest when the program runs.
    let (strategy, seconds) = timed(|| {
        let blind = Request {
            sizes: Vec::new(),
            ..request(Order::Auto)
        };
        checked.strategy(&blind).expect("an order")
    });
    let (inputs, output) = network.labels();
    let mut chooser = Chooser::new(strategy, &inputs, &output, network.sizes.len());
    let tree = chooser
        .choose(&inputs, &output, &network.sizes)
        .expect("no limit");
    rows.push((
        "ours, macro, no sizes".into(),
        Some((tree.to_vec(), seconds)),
    ));
    at_run_time(network, &checked, rows);
    for (name, order) in [
        ("ours, macro, sizes", Order::Auto),
        ("ours, greedy", Order::Greedy),
        ("ours, optimal", Order::Optimal),
        (
            "ours, search effort 1",
            Order::Search { seed: 1, effort: 1 },
        ),
        (
            "ours, search effort 2",
            Order::Search { seed: 1, effort: 2 },
        ),
        (
            "ours, search effort 3",
            Order::Search { seed: 1, effort: 3 },
        ),
    ] {
        let request = request(order);
        let (tree, seconds) = timed(|| checked.strategy(&request).expect("an order").tree.0);
        rows.push((name.into(), Some((tree, seconds))));
    }
}

/// From checked subscripts and shapes to a tree, as `Einsum::prepare` does it, and what follows before a long contraction.
fn at_run_time(network: &Planned, checked: &Checked, rows: &mut Vec<(String, Found)>) {
    let request = Request {
        cost: Cost::Flops,
        ..Request::default()
    };
    let lens = |term: &Vec<usize>| term.iter().map(|l| network.sizes[*l]).collect();
    let shapes: Vec<Vec<usize>> = network.inputs.iter().map(lens).collect();
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    let plan = |checked: &Checked, finish: bool| {
        let strategy = checked.late_strategy(&request).expect("an order");
        let sizes = checked.plain_sizes(&shapes).expect("plain sizes");
        let (carried, output) = (&checked.inputs, &checked.output);
        let draft = strategy.draft(None, carried, output, &sizes);
        let draft = draft.expect("no limit");
        let better = match finish {
            true => strategy.finish(&draft, carried, output, &sizes),
            false => None,
        };
        better.unwrap_or(draft.tree).0
    };
    let text = network.text();
    let read = || Checked::plain(&text).expect("subscripts");
    for (name, text, finish) in [
        ("ours, run time, from text", true, false),
        ("ours, run time", false, false),
        ("ours, run time, in the end", false, true),
    ] {
        let (tree, seconds) = match text {
            true => timed(|| plan(&read(), finish)),
            false => timed(|| plan(checked, finish)),
        };
        rows.push((name.into(), Some((tree, seconds))));
    }
}
