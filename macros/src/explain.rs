//! The plan of a call, printed while it compiles.

use cteinsum_plan::{Checked, Request, Strategy};

use crate::call::Call;
use crate::errors::Errors;

/// Prints the plan to the compiler's standard error if the call or the environment asks for it.
///
/// A variable that changes does not make Cargo compile again what it has compiled.
pub(crate) fn explain(
    call: &Call,
    checked: &Checked,
    request: &Request,
    strategy: &Strategy,
    errors: &mut Errors,
) {
    let wanted = match call.options.explain {
        Some((true, span)) if cfg!(not(feature = "report")) => {
            errors.push(
                span,
                "`explain = true` needs the feature `report` of cteinsum",
            );
            false
        }
        Some((flag, _)) => flag,
        None => std::env::var_os("CTEINSUM_EXPLAIN").is_some_and(|v| v != "0" && !v.is_empty()),
    };
    let text = call.text.as_ref().map(|text| text.span());
    let place = text.or(call.equation.as_ref().map(|equation| equation.span));
    let (true, Some(place)) = (wanted, place) else {
        return;
    };
    let table = table(checked, request, strategy);
    if proc_macro::is_available() {
        let place = place.unwrap();
        let (file, line, column) = (place.file(), place.line(), place.column());
        eprintln!("{file}:{line}:{column}: {table}");
    }
}

/// The table; with numbers if all labels have a size in `sizes = […]`.
#[cfg(feature = "report")]
fn table(checked: &Checked, request: &Request, strategy: &Strategy) -> String {
    let report = cteinsum_plan::PlanReport::of_checked(checked, strategy.clone());
    let hints = checked.names.iter().zip(&request.sizes);
    let sizes = hints.filter_map(|(name, size)| Some((name.as_str(), (*size)?)));
    match report.try_at(sizes) {
        Ok(sized) => sized.to_string(),
        Err(_) => report.to_string(),
    }
}

/// The line of the expansion: what is computed, by what and for how many operations.
#[cfg(feature = "report")]
pub(crate) fn line(checked: &Checked, strategy: &Strategy) -> String {
    checked.describe(strategy)
}

/// The line of the expansion: a build without reports does not count operations.
#[cfg(not(feature = "report"))]
pub(crate) fn line(checked: &Checked, _: &Strategy) -> String {
    format!("einsum {}", checked.text)
}

/// The line of the expansion.
#[cfg(not(feature = "report"))]
fn table(checked: &Checked, _: &Request, strategy: &Strategy) -> String {
    line(checked, strategy)
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;
    use cteinsum_plan::Subscripts;

    #[test]
    fn numbers_stand_where_all_sizes_are_expected() {
        let checked = Subscripts::parse("ij,jk->ik").unwrap().check().unwrap();
        let table_of = |sizes: Vec<Option<usize>>| {
            let request = Request {
                sizes,
                ..Request::default()
            };
            let strategy = checked.strategy(&request).unwrap();
            table(&checked, &request, &strategy)
        };
        assert!(table_of(vec![Some(2), Some(3), Some(4)]).contains("24 multiply-adds"));
        let without = table_of(vec![Some(2), None, Some(4)]);
        assert!(
            without.contains("i·j·k") && !without.contains("sizes"),
            "{without}"
        );
    }
}
