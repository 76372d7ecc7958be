//! `docs/performance.md` and its pictures from what a race wrote down.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use plotters::prelude::*;
use serde_json::Value;

use crate::record::shown;

/// What is counted in a regime, a nanosecond of it, and the headline.
fn about(regime: &str) -> (&'static str, f64, &'static str) {
    match regime {
        "tiny" => ("GFLOP/s", 2.0, "Small arrays"),
        "gemm" => ("GFLOP/s", 2.0, "Matrix products"),
        "batch" => ("GFLOP/s", 2.0, "Batches of matrix products"),
        "permuted" => ("GFLOP/s", 2.0, "Contractions of permuted tensors"),
        "network" => ("GFLOP/s", 2.0, "Networks"),
        "integer" => ("Gop/s", 2.0, "Whole numbers"),
        "transpose" => ("GB/s", 1.0, "Transpositions"),
        "sum" => ("GB/s", 1.0, "Sums"),
        "elementwise" => ("GB/s", 1.0, "Elementwise and outer products"),
        _ => ("/ns", 1.0, "Others"),
    }
}

/// The regimes in the order of the page.
const ORDER: [&str; 9] = [
    "tiny",
    "gemm",
    "batch",
    "permuted",
    "network",
    "transpose",
    "sum",
    "elementwise",
    "integer",
];

/// Reads the lines and writes `performance.md` into the folder, with a picture beside it.
pub(crate) fn write(lines: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(lines)?;
    let mut rows = text.lines().map(serde_json::from_str::<Value>);
    let machine = rows.next().ok_or("no line about the machine")??;
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let mut page = format!(
        "# Performance\n\n\
         Every row of one run of `cargo run --release -p cteinsum-benches --features peers -- --json race.jsonl {}`, made into this\n\
         page by `-- page race.jsonl docs`: wins and losses alike. One thread; {} with {} cores, {}. Arrays are row-major, results\n\
         are written into given arrays except by ndarray-einsum, which makes new ones. The contenders of a row run in turns, at\n\
         least five rounds; a time is the shortest round, and the number behind a contender is *our time over its*, the\n\
         median of all rounds: below 1 we are ahead. Results that contenders wrote into given arrays must agree to the last bit; those of\n\
         ndarray-einsum are not compared: what it gives for a transposition has the elements where they were, and its strides exchanged.\n",
        ORDER.join(" "),
        machine["machine"].as_str().unwrap_or("unknown"),
        machine["cores"],
        machine["date"].as_str().unwrap_or(""),
    );
    let beside = strings(&machine["beside"]);
    if !beside.is_empty() {
        write!(
            page,
            "\n{} ran after the others, by `benches/python_peers.py`: one thread, JAX jitted, into new arrays but for NumPy; their\n\
             ratios are of shortest times.\n",
            beside.join(", ")
        )?;
    }
    let (mut ahead, mut all) = (0, 0);
    let mut tables = String::new();
    for regime in ORDER {
        let rows: Vec<&Value> = rows.iter().filter(|row| row["regime"] == regime).collect();
        if rows.is_empty() {
            continue;
        }
        let (unit, factor, headline) = about(regime);
        write!(
            tables,
            "\n## {headline}\n\n| einsum | lengths | ours | {unit} | against | worst |\n|---|---|---|---|---|---|\n"
        )?;
        for row in rows {
            let (names, times, ratios) = (
                strings(&row["names"]),
                numbers(&row["nanoseconds"]),
                numbers(&row["ratios"]),
            );
            let worst = ratios[1..].iter().copied().fold(0.0, f64::max);
            (ahead, all) = (ahead + usize::from(worst <= 1.0), all + 1);
            let peers = (1..names.len())
                .map(|i| format!("{} {} ({:.2})", names[i], shown(times[i]), ratios[i]));
            writeln!(
                tables,
                "| `{}` | {} | {} | {:.1} | {} | {} |",
                row["spec"].as_str().unwrap_or(""),
                row["size"].as_str().unwrap_or(""),
                shown(times[0]),
                factor * row["work"].as_f64().unwrap_or(f64::NAN) / times[0],
                peers.collect::<Vec<_>>().join(", "),
                if worst > 1.0 {
                    format!("**{worst:.2}**")
                } else {
                    format!("{worst:.2}")
                },
            )?;
        }
    }
    write!(
        page,
        "\nAhead of every contender in {ahead} of {all} rows; the others are in bold.\n\n![Matrix products](performance.svg)\n"
    )?;
    page.push_str(&tables);
    fs::write(folder.join("performance.md"), page)?;
    fs::write(folder.join("performance.svg"), picture(&rows)?)?;
    Ok(())
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}

/// GFLOP/s over the length, of `ij,jk->ik` in `f64`, a curve a contender.
fn picture(rows: &[Value]) -> Result<String, Box<dyn Error>> {
    let mut curves: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row["spec"] == "ij,jk->ik") {
        let Some(n) = row["size"]
            .as_str()
            .and_then(|size| size.strip_prefix("f64 ")?.parse().ok())
        else {
            continue;
        };
        let work = 2.0 * row["work"].as_f64().unwrap_or(f64::NAN);
        for (name, time) in strings(&row["names"])
            .into_iter()
            .zip(numbers(&row["nanoseconds"]))
        {
            curves.entry(name).or_default().push((n, work / time));
        }
    }
    let top = curves
        .values()
        .flatten()
        .fold(1.0, |top: f64, point| top.max(point.1));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (900, 520)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("ij,jk->ik, f64, one thread", ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d((2f64..1100f64).log_scale(), 0f64..1.08 * top)?;
        chart
            .configure_mesh()
            .x_desc("length of the axes")
            .y_desc("GFLOP/s")
            .x_label_formatter(&|n| format!("{n:.0}"))
            .draw()?;
        // Told apart by colour-blind readers too: Okabe and Ito, 2008.
        let colors = [
            RGBColor(0, 114, 178),
            RGBColor(213, 94, 0),
            RGBColor(0, 158, 115),
            RGBColor(204, 121, 167),
        ];
        for ((name, points), color) in curves.iter().zip(colors) {
            let width = if *name == "ours" { 4 } else { 2 };
            chart
                .draw_series(
                    LineSeries::new(points.iter().copied(), color.stroke_width(width))
                        .point_size(3),
                )?
                .label(*name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 20, y)], color.stroke_width(width))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}
