//! The picture: relative error over temperature, one curve a bond dimension.

use super::{critical_temperature, survey::Row};
use plotters::{
    chart::{ChartBuilder, ChartContext},
    coord::{Shift, combinators::LogCoord, types::RangedCoordf64},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{error::Error, ops::Range};

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, LogCoord<f64>>>;

const SIZE: (u32, u32) = (960, 600);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
const PALE: RGBColor = RGBColor(225, 225, 225);
/// Tells curves apart for colour-blind readers too: Okabe and Ito, 2008.
const COLORS: [RGBColor; 6] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
/// Errors below this are rounding, and drawn here: a logarithmic axis has no place for zero.
const SMALLEST: f64 = 1e-15;

/// Draws the rows, in ascending order of temperature, and returns the text of the SVG.
///
/// # Errors
/// If there are no rows, or `plotters` fails.
pub fn draw(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    if rows.is_empty() {
        return Err("nothing to draw".into());
    }
    let mut svg = String::new();
    draw_on(
        &SVGBackend::with_string(&mut svg, SIZE).into_drawing_area(),
        rows,
    )
    .map_err(|error| error.to_string())?;
    Ok(svg)
}

type Failure<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_on<'b>(area: &DrawingArea<SVGBackend<'b>, Shift>, rows: &[Row]) -> Result<(), Failure<'b>> {
    let (across, up) = (temperatures(rows), decades(rows));
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(
            "Ising model by TRG: error of the free energy",
            (FONT, 24).into_font().color(&INK),
        )
        .margin(16)
        // Room on the right for the names of the curves.
        .margin_right(90)
        .x_label_area_size(56)
        .y_label_area_size(84)
        .build_cartesian_2d(across.clone(), up.clone().log_scale())?;
    chart
        .configure_mesh()
        .bold_line_style(PALE)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .x_labels(8)
        .y_labels((up.end / up.start).log10().round() as usize + 1)
        .x_desc("temperature T, in units of the coupling")
        .y_desc("relative error of the free energy per site")
        .axis_desc_style((FONT, 17).into_font().color(&INK))
        .label_style((FONT, 15).into_font().color(&INK))
        .y_label_formatter(&|error| power_of_ten(*error))
        .draw()?;
    draw_critical_temperature(&mut chart, &across, &up)?;
    let mut bond_dimensions: Vec<usize> = rows.iter().map(|row| row.chi).collect();
    bond_dimensions.sort_unstable();
    bond_dimensions.dedup();
    let mut names = Vec::new();
    for (&chi, &color) in bond_dimensions.iter().zip(COLORS.iter().cycle()) {
        let curve = rows.iter().filter(|row| row.chi == chi);
        let points: Vec<(f64, f64)> = curve.map(|row| (row.temperature, shown(row))).collect();
        chart.draw_series(LineSeries::new(
            points.iter().copied(),
            color.stroke_width(2),
        ))?;
        chart.draw_series(
            points
                .iter()
                .map(|&point| Circle::new(point, 4, color.filled())),
        )?;
        names.extend(
            points
                .last()
                .map(|point| (chart.backend_coord(point), chi, color)),
        );
    }
    draw_names(area, names)?;
    area.present()
}

/// The names of the curves at their right ends, which needs no legend to look things up in; moved down where two
/// would overlap.
fn draw_names<'b>(
    area: &DrawingArea<SVGBackend<'b>, Shift>,
    mut names: Vec<((i32, i32), usize, RGBColor)>,
) -> Result<(), Failure<'b>> {
    const LINE: i32 = 19;
    names.sort_by_key(|&((_, y), ..)| y);
    let mut free = i32::MIN;
    for ((x, y), chi, color) in names {
        let y = y.max(free);
        free = y + LINE;
        let style = (FONT, 17)
            .into_font()
            .color(&color)
            .pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(format!("χ = {chi}"), (x + 14, y), style))?;
    }
    Ok(())
}

fn draw_critical_temperature<'b>(
    chart: &mut Chart<'_, 'b>,
    across: &Range<f64>,
    up: &Range<f64>,
) -> Result<(), Failure<'b>> {
    let tc = critical_temperature();
    if !across.contains(&tc) {
        return Ok(());
    }
    let line = DashedLineSeries::new([(tc, up.start), (tc, up.end)], 6, 5, INK.stroke_width(1));
    chart.draw_series(line)?;
    let style = (FONT, 16)
        .into_font()
        .color(&INK)
        .pos(Pos::new(HPos::Left, VPos::Top));
    chart.draw_series([
        EmptyElement::at((tc, up.end)) + Text::new(format!("Tc = {tc:.4}"), (7, 6), style)
    ])?;
    Ok(())
}

fn shown(row: &Row) -> f64 {
    row.relative_error().max(SMALLEST)
}

/// The range of temperatures with a little room on both sides.
fn temperatures(rows: &[Row]) -> Range<f64> {
    let (low, high) = extremes(rows.iter().map(|row| row.temperature));
    let room = if low < high {
        0.03 * (high - low)
    } else {
        0.05 * low
    };
    low - room..high + room
}

/// The whole powers of ten around the errors.
fn decades(rows: &[Row]) -> Range<f64> {
    let (low, high) = extremes(rows.iter().map(|row| shown(row).log10()));
    // A hair wider, so that rounding does not lose the ticks at the ends.
    10f64.powf(low.floor() - 1e-6)..10f64.powf((low.floor() + 1.0).max(high.ceil()) + 1e-6)
}

fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// `10⁻⁷`
fn power_of_ten(value: f64) -> String {
    let exponent = value.log10().round() as i32;
    let superscript = |c| match c {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize],
    };
    format!(
        "10{}",
        exponent
            .to_string()
            .chars()
            .map(superscript)
            .collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn row(temperature: f64, chi: usize, relative_error: f64) -> Row {
        Row {
            temperature,
            chi,
            free_energy: -2.0 * (1.0 + relative_error),
            exact: -2.0,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn one_line_and_one_name_a_curve_and_one_marker_a_value() {
        let rows = [
            row(2.0, 8, 1e-5),
            row(2.0, 16, 1e-7),
            row(2.5, 8, 2e-5),
            row(2.5, 16, 3e-7),
        ];
        let svg = draw(&rows).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<circle").count(), 4);
        for color in ["#D55E00", "#0072B2"] {
            assert_eq!(
                svg.matches(&format!(
                    "<polyline fill=\"none\" opacity=\"1\" stroke=\"{color}\""
                ))
                .count(),
                1
            );
        }
        for text in ["χ = 8\n", "χ = 16\n", "Tc = 2.2692\n", "10⁻⁵\n", "10⁻⁷\n"] {
            assert_eq!(svg.matches(text).count(), 1, "{text}");
        }
    }

    #[test]
    fn the_critical_temperature_is_marked_only_where_it_lies_in_the_picture() {
        assert!(
            !draw(&[row(3.0, 8, 1e-5), row(4.0, 8, 1e-5)])
                .unwrap()
                .contains("Tc")
        );
    }

    #[test]
    fn one_value_and_an_error_of_zero_have_a_place() {
        let svg = draw(&[row(1.0, 8, 0.0)]).unwrap();
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains("10⁻¹⁵\n"), "{svg}");
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn names_of_close_curves_do_not_overlap() {
        let rows: Vec<Row> = (8..12)
            .map(|chi| row(2.0, chi, 1e-5 * (1.0 + 1e-3 * chi as f64)))
            .collect();
        let svg = draw(&rows).unwrap();
        let mut heights: Vec<i32> = svg
            .split("<text ")
            .filter(|text| text.contains("χ = "))
            .map(|text| {
                text.split("y=\"")
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap()
            })
            .collect();
        heights.sort_unstable();
        assert_eq!(heights.len(), 4);
        assert!(
            heights.windows(2).all(|pair| pair[1] - pair[0] >= 17),
            "{heights:?}"
        );
    }

    #[test]
    fn nothing_to_draw_is_an_error() {
        assert_eq!(draw(&[]).unwrap_err().to_string(), "nothing to draw");
    }
}
