//! The pictures of the page.

use std::collections::BTreeMap;
use std::error::Error;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::read::{Row, Run};

type Svg = Result<String, Box<dyn Error>>;

/// The color of a contender, everywhere the same. Told apart by colour-blind readers too: Okabe and Ito, 2008.
fn color(name: &str) -> RGBColor {
    match name {
        "ours" => RGBColor(0, 0, 0),
        "faer" | "pre-laid GEMM" => RGBColor(213, 94, 0),
        "cpueinsum" => RGBColor(0, 114, 178),
        "tcontract" => RGBColor(86, 180, 233),
        "ndarray-einsum" => RGBColor(230, 159, 0),
        "matrixmultiply" => RGBColor(180, 140, 100),
        "nalgebra" => RGBColor(110, 110, 110),
        "NumPy" => RGBColor(0, 158, 115),
        "JAX" => RGBColor(204, 121, 167),
        "torch" => RGBColor(150, 60, 150),
        _ => RGBColor(160, 160, 160),
    }
}

/// The fraction of the measured peak over the length, of `ij,jk->ik` in `f64`, a curve a contender.
pub(super) fn fraction(run: &Run) -> Svg {
    let peak = run.mark("fma f64");
    let mut curves: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    let rows = run
        .rows
        .iter()
        .filter(|row| row.spec == "ij,jk->ik" && ["tiny", "gemm"].contains(&&*row.regime));
    for row in rows {
        let Some(n) = row.size.strip_prefix("f64 ").and_then(|n| n.parse().ok()) else {
            continue;
        };
        for time in &row.times {
            let fraction = 2.0 * row.work / time.nanoseconds / peak;
            curves.entry(&time.name).or_default().push((n, fraction));
        }
    }
    let title = format!("ij,jk->ik, f64, one thread: fraction of {peak:.0} GFLOP/s");
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (900, 520)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d((2f64..2200f64).log_scale(), 0f64..1.05)?;
        chart
            .configure_mesh()
            .x_desc("length of the axes")
            .y_desc("fraction of the peak")
            .x_label_formatter(&|n| format!("{n:.0}"))
            .draw()?;
        for (name, points) in &curves {
            let (color, width) = (color(name), if *name == "ours" { 4 } else { 2 });
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

/// Bytes that must move over the time and the measured bandwidth, a line a row, a point a contender.
pub(super) fn bandwidth(run: &Run) -> Svg {
    let rows = run
        .rows
        .iter()
        .filter(|row| ["transpose", "sum", "elementwise"].contains(&&*row.regime));
    // A diagonal reads a line of the cache an element.
    let rows: Vec<&Row> = rows.filter(|row| !row.size.contains("diagonal")).collect();
    let height = 34 * rows.len() as u32 + 150;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (1000, height)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(
                "Bytes that must move, over time and measured bandwidth, one thread",
                ("sans-serif", 22),
            )
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(250)
            .build_cartesian_2d(0f64..1.85, -0.5..rows.len() as f64 - 0.5)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_desc("fraction of the bandwidth of a copy, a read or a fill (beyond 1: from caches; 1.5 and more at 1.5)")
            .draw()?;
        chart.draw_series([PathElement::new(
            [(1.0, -0.5), (1.0, rows.len() as f64 - 0.5)],
            BLACK.stroke_width(1),
        )])?;
        let mut names: Vec<&str> = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let y = (rows.len() - 1 - i) as f64;
            let (x_pixel, y_pixel) = chart.backend_coord(&(0.0, y));
            let style = ("sans-serif", 15).into_font().into_text_style(&area);
            let label = format!("{}  {} ({})", row.spec, row.size, row.moves());
            area.draw(&Text::new(
                label,
                (x_pixel - 8, y_pixel),
                style.pos(Pos::new(HPos::Right, VPos::Center)),
            ))?;
            chart.draw_series([PathElement::new(
                [(0.0, y), (1.5, y)],
                RGBColor(225, 225, 225),
            )])?;
            for time in row.times.iter().rev() {
                let fraction = row.work / time.nanoseconds / run.mark(row.moves());
                let (color, size) = (color(&time.name), if time.name == "ours" { 7 } else { 5 });
                chart.draw_series([Circle::new((fraction.min(1.5), y), size, color.filled())])?;
                if !names.contains(&&*time.name) {
                    names.push(&time.name);
                }
            }
        }
        // The names, once each.
        names.sort_by_key(|name| *name != "ours");
        for name in names {
            let color = color(name);
            chart
                .draw_series(std::iter::empty::<Circle<(f64, f64), i32>>())?
                .label(name)
                .legend(move |(x, y)| Circle::new((x + 10, y), 5, color.filled()));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE)
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

/// GFLOP/s over flops a byte of operands and result: ours filled, the best of the others as a ring, and the two roofs.
pub(super) fn roofline(run: &Run) -> Svg {
    let (peak, copy) = (run.mark("fma f64"), run.mark("copy"));
    let large = |row: &&Row| {
        row.is_large() && row.size.starts_with("f64") && !row.size.contains("diagonal")
    };
    let regimes = [
        ("gemm", "matrix products", RGBColor(213, 94, 0)),
        ("batch", "batches", RGBColor(230, 159, 0)),
        ("permuted", "permuted tensors", RGBColor(0, 114, 178)),
        ("network", "networks", RGBColor(0, 158, 115)),
        (
            "elementwise",
            "elementwise and outer",
            RGBColor(204, 121, 167),
        ),
        ("sum", "sums", RGBColor(86, 180, 233)),
    ];
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (900, 560)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(
                "Roofline, f64, one thread, arrays of more than 4 MB",
                ("sans-serif", 22),
            )
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (0.03f64..300f64).log_scale(),
                (0.05f64..1.3 * peak).log_scale(),
            )?;
        chart
            .configure_mesh()
            .x_desc(format!("flops a byte of operands and result (roofs: {copy:.0} GB/s of a copy, {peak:.0} GFLOP/s)"))
            .y_desc("GFLOP/s")
            .y_label_formatter(&|y| format!("{y}"))
            .draw()?;
        let roof = [(0.03, 0.03 * copy), (peak / copy, peak), (300.0, peak)];
        chart.draw_series(LineSeries::new(roof, BLACK.stroke_width(2)))?;
        for (regime, label, color) in regimes {
            let rows: Vec<&Row> = run
                .rows
                .iter()
                .filter(|row| row.regime == regime)
                .filter(large)
                .collect();
            let point = |row: &Row, time: f64| {
                let flops = flops(row);
                (flops / (row.bytes[0] + row.bytes[1]), flops / time)
            };
            let best = rows.iter().filter(|row| row.times.len() > 1).map(|row| {
                let best = row.times[1..]
                    .iter()
                    .map(|time| time.nanoseconds)
                    .fold(f64::INFINITY, f64::min);
                Circle::new(point(row, best), 6, color.stroke_width(2))
            });
            chart.draw_series(best)?;
            let ours = rows
                .iter()
                .map(|row| Circle::new(point(row, row.times[0].nanoseconds), 4, color.filled()));
            chart
                .draw_series(ours)?
                .label(label)
                .legend(move |(x, y)| Circle::new((x + 10, y), 4, color.filled()));
        }
        let ring = RGBColor(90, 90, 90).stroke_width(2);
        chart
            .draw_series(std::iter::empty::<Circle<(f64, f64), i32>>())?
            .label("rings: the best of the others")
            .legend(move |(x, y)| Circle::new((x + 10, y), 6, ring));
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE)
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

/// Additions and multiplications.
fn flops(row: &Row) -> f64 {
    let [read, written] = row.bytes.map(|bytes| bytes / 8.0);
    match &*row.regime {
        // An addition an element, and a product where there are two.
        "sum" => read,
        "elementwise" => written,
        _ => 2.0 * row.work,
    }
}
