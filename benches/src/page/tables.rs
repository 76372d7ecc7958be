//! The tables of the page.

use std::fmt::{Result, Write};

use super::read::{Row, Run, Time};
use crate::record::shown;

/// What is counted.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    Flops,
    Bytes,
}
use Count::{Bytes, Flops};

/// The regimes of contenders, in the order of the page: headlines, and what is counted.
const REGIMES: [(&str, &str, Count); 9] = [
    ("tiny", "Small arrays", Flops),
    ("gemm", "Matrix products", Flops),
    ("batch", "Batches of matrix products", Flops),
    ("permuted", "Contractions of permuted tensors", Flops),
    ("network", "Networks", Flops),
    ("transpose", "Transpositions", Bytes),
    ("sum", "Sums", Bytes),
    ("elementwise", "Elementwise and outer products", Bytes),
    ("integer", "Whole numbers", Flops),
];

/// What the machine does.
pub(super) fn marks(run: &Run) -> core::result::Result<String, std::fmt::Error> {
    let mut text = String::from(
        "What the machine does in the same run (the median of a measurement before each table; arrays of 134 MB; the bytes of a copy\n\
         are counted when they are read and when they are written):\n\n\
         | | one thread | two threads |\n|---|---|---|\n",
    );
    let names = [
        ("copy", "memory copy", "GB/s"),
        ("read", "read: a sum", "GB/s"),
        ("fill", "fill", "GB/s"),
        ("fma f64", "multiply-adds in registers, f64", "GFLOP/s"),
        ("fma f32", "multiply-adds in registers, f32", "GFLOP/s"),
    ];
    for (name, what, unit) in names {
        let two = run.mark(&format!("{name} on two threads"));
        writeln!(
            text,
            "| {what} | {:.1} {unit} | {two:.1} {unit} |",
            run.mark(name)
        )?;
    }
    Ok(text)
}

/// All tables; in how many rows we are ahead, and of how many.
pub(super) fn all(run: &Run) -> core::result::Result<(String, usize, usize), std::fmt::Error> {
    let mut text = String::new();
    let (mut ahead, mut all) = (0, 0);
    for (regime, headline, count) in REGIMES {
        let rows = of(run, regime);
        race(&mut text, run, &rows, headline, count)?;
        all += rows.len();
        ahead += rows.iter().filter(|row| row.worst() <= 1.0).count();
    }
    let rows = of(run, "fresh");
    fresh(&mut text, &rows)?;
    all += rows.len();
    ahead += rows.iter().filter(|row| row.worst() <= 1.0).count();
    calls(&mut text, &of(run, "calls"))?;
    threads(&mut text, run, &of(run, "threads"))?;
    Ok((text, ahead, all))
}

fn of<'a>(run: &'a Run, regime: &str) -> Vec<&'a Row> {
    run.rows.iter().filter(|row| row.regime == regime).collect()
}

/// A table of contenders.
fn race(text: &mut String, run: &Run, rows: &[&Row], headline: &str, count: Count) -> Result {
    if rows.is_empty() {
        return Ok(());
    }
    let unit = if count == Flops { "GFLOP/s" } else { "GB/s" };
    let marked = rows.iter().any(|row| !row.marks.is_empty());
    write!(
        text,
        "\n## {headline}\n\n| einsum | lengths | ours | {unit} | of the limit | against | worst |"
    )?;
    writeln!(text, "{}", if marked { " marks |" } else { "" })?;
    writeln!(
        text,
        "|---|---|---|---|---|---|---|{}",
        if marked { "---|" } else { "" }
    )?;
    for row in rows {
        let ours = row.times[0].nanoseconds;
        let rate = if count == Flops { 2.0 } else { 1.0 } * row.work / ours;
        write!(
            text,
            "| `{}` | {} | {} | {rate:.1} | {} | {} | {} |",
            row.spec,
            row.size,
            shown(ours),
            limit(run, row, count, ours, ""),
            listed(&row.times[1..], true),
            behind(row.worst()),
        )?;
        writeln!(
            text,
            "{}",
            if marked {
                format!(" {} |", listed(&row.marks, false))
            } else {
                String::new()
            }
        )?;
    }
    Ok(())
}

/// How close a rate comes to what the machine can do, and at what: multiply-adds in registers, or, of what is large, to
/// move the bytes of operands and result; of both, the one that it is closer to. `on` says on how many threads.
fn limit(run: &Run, row: &Row, count: Count, time: f64, on: &str) -> String {
    let of = |name: &str, rate: f64| rate / run.mark(&format!("{name}{on}"));
    if count == Bytes {
        return format!(
            "{:.0} % ({})",
            100.0 * of(row.moves(), row.work / time),
            row.moves()
        );
    }
    let element = row.size.split(' ').next();
    let flops = match element {
        Some("f64" | "c64") => of("fma f64", 2.0 * row.work / time),
        Some("f32") => of("fma f32", 2.0 * row.work / time),
        _ => return String::new(),
    };
    let moved = of(row.moves(), (row.bytes[0] + row.bytes[1]) / time);
    if row.is_large() && moved > flops {
        format!("{:.0} % ({})", 100.0 * moved, row.moves())
    } else {
        format!("{:.0} %", 100.0 * flops)
    }
}

/// Results in new arrays.
fn fresh(text: &mut String, rows: &[&Row]) -> Result {
    if rows.is_empty() {
        return Ok(());
    }
    text.push_str(
        "\n## Results in new arrays\n\n\
         Beside them the same call into a given array (`out =`), an array of as many bytes that is allocated and written for the first\n\
         time, and one that is written again. (The system clears a page when it is first touched.)\n\n\
         | einsum | lengths | ours | into a given array | first touch | written again | against | worst |\n|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let [into, first, again] = ["ours into a given array", "first touch", "filled again"]
            .map(|name| shown(row.of(name)));
        writeln!(
            text,
            "| `{}` | {} | {} | {into} | {first} | {again} | {} | {} |",
            row.spec,
            row.size,
            shown(row.times[0].nanoseconds),
            listed(&row.times[1..], true),
            behind(row.worst()),
        )?;
    }
    Ok(())
}

/// What a call costs.
fn calls(text: &mut String, rows: &[&Row]) -> Result {
    if rows.is_empty() {
        return Ok(());
    }
    text.push_str(
        "\n## What a call costs\n\n\
         A call into a given array, with the engine of its thread, with one that is kept (`engine =`), and with a new one a call; the\n\
         kernel that it runs, made ready beforehand.\n\n\
         | einsum | lengths | a call | kept engine | new engine | kernel alone | a call over its kernel |\n|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let ours = row.times[0].nanoseconds;
        if row.marks.is_empty() {
            writeln!(
                text,
                "| `{}` | {} | {} | | | | |",
                row.spec,
                row.times[0].name,
                shown(ours)
            )?;
            continue;
        }
        let all =
            ["with an engine", "with a new engine", "its kernel alone"].map(|name| row.of(name));
        let [kept, new, kernel] = all.map(shown);
        writeln!(
            text,
            "| `{}` | {} | {} | {kept} | {new} | {kernel} | {:+.0} ns |",
            row.spec,
            row.size,
            shown(ours),
            ours - all[2],
        )?;
    }
    Ok(())
}

/// Two threads beside one.
fn threads(text: &mut String, run: &Run, rows: &[&Row]) -> Result {
    if rows.is_empty() {
        return Ok(());
    }
    text.push_str(
        "\n## Two threads\n\n\
         The same call with an engine of two threads and a serial one, in turns. The limit is that of two threads, which themselves gain\n\
         what the table at the top shows.\n\n\
         | einsum | lengths | one thread | two threads | gain | of the limit | cpueinsum on two |\n|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let moved = (row.bytes[0] + row.bytes[1] - row.work).abs() < 0.1 * row.work;
        let count = if moved { Bytes } else { Flops };
        let gain = 1.0 / row.times[1].ratio;
        let theirs = row
            .times
            .get(2)
            .map(|time| format!("{} ({})", shown(time.nanoseconds), behind(time.ratio)));
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            row.spec,
            row.size,
            shown(row.times[1].nanoseconds),
            shown(row.times[0].nanoseconds),
            if gain < 1.0 {
                format!("**{gain:.2}**")
            } else {
                format!("{gain:.2}")
            },
            limit(run, row, count, row.times[0].nanoseconds, " on two threads"),
            theirs.unwrap_or_default(),
        )?;
    }
    Ok(())
}

/// Contenders or marks, with our time over theirs, in bold if asked for where we are behind.
fn listed(times: &[Time], bold: bool) -> String {
    let one = |time: &Time| {
        let ratio = if bold {
            behind(time.ratio)
        } else {
            format!("{:.2}", time.ratio)
        };
        format!("{} {} ({ratio})", time.name, shown(time.nanoseconds))
    };
    times.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn behind(ratio: f64) -> String {
    if ratio > 1.0 {
        format!("**{ratio:.2}**")
    } else {
        format!("{ratio:.2}")
    }
}
