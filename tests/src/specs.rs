//! Random valid einsums.

use crate::random::Random;

/// Subscripts and shapes that fit.
#[derive(Clone, Debug)]
pub struct Einsum {
    /// The subscripts.
    pub spec: String,
    /// Shape of each operand.
    pub shapes: Vec<Vec<usize>>,
    /// Whether the subscripts fix an order by parentheses.
    pub parentheses: bool,
}

const NAMES: [char; 12] = ['a', 'b', 'i', 'j', 'A', 'Z', '0', '9', 'α', 'é', '中', '𝒙'];

/// One axis of a random term: a label of [`NAMES`], or `...` for so many axes.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Label(usize),
    Dots(usize),
}

/// A random einsum of up to 7 operands, small enough for a naive loop.
pub fn random(random: &mut Random) -> Einsum {
    loop {
        let einsum = attempt(random);
        if work(&einsum) <= 60_000.0 {
            return einsum;
        }
    }
}

/// Iterations of the naive loop, and elements of the result.
fn work(einsum: &Einsum) -> f64 {
    let ranks: Vec<usize> = einsum.shapes.iter().map(Vec::len).collect();
    let terms = crate::oracle::read(&einsum.spec, &ranks);
    let lengths = crate::oracle::lengths(&terms, &einsum.shapes);
    let loops: f64 = lengths.values().map(|&n| n.max(1) as f64).product();
    let result: f64 = terms
        .output
        .iter()
        .map(|a| lengths[a].max(1) as f64)
        .product();
    loops.max(result)
}

fn attempt(r: &mut Random) -> Einsum {
    let count = 1 + r.below(7);
    let labels = 1 + r.below(8);
    let mut sizes: Vec<usize> = (0..labels).map(|_| 1 + r.below(4)).collect();
    if r.one_in(12) {
        sizes[0] = 0;
    }
    let dots: Vec<usize> = (0..3).map(|_| 1 + r.below(3)).collect();
    let some_dots = r.one_in(3);
    let mut shapes = Vec::new();
    let mut terms = Vec::new();
    for _ in 0..count {
        let mut parts: Vec<Part> = (0..r.below(5))
            .map(|_| Part::Label(r.below(labels)))
            .collect();
        // Repeats are rarer than chance would have them.
        if !r.one_in(5) {
            let mut once = Vec::new();
            parts.retain(|p| {
                !once.contains(p) && {
                    once.push(*p);
                    true
                }
            });
        }
        if some_dots && !r.one_in(3) {
            parts.insert(
                r.below(parts.len() + 1),
                Part::Dots(r.below(dots.len() + 1)),
            );
        }
        let one: Vec<bool> = (0..labels).map(|_| r.one_in(8)).collect();
        let mut shape = Vec::new();
        for part in &parts {
            match part {
                Part::Label(l) => shape.push(if one[*l] { 1 } else { sizes[*l] }),
                Part::Dots(n) => {
                    for axis in (0..*n).rev() {
                        shape.push(if r.one_in(5) { 1 } else { dots[axis] });
                    }
                }
            }
        }
        shapes.push(shape);
        terms.push(parts);
    }
    let text = |parts: &[Part]| -> String {
        let part = |p: &Part| match p {
            Part::Label(l) => NAMES[*l].to_string(),
            Part::Dots(_) => "...".to_owned(),
        };
        parts.iter().map(part).collect()
    };
    let mut groups: Vec<String> = terms.iter().map(|t| text(t)).collect();
    let parentheses = count > 2 && r.one_in(3);
    while parentheses && groups.len() > 2 {
        let n = 2 + r.below(2);
        let at = r.below(groups.len() - n + 1);
        let group = format!("({})", groups[at..at + n].join(","));
        groups.splice(at..at + n, [group]);
        if r.one_in(4) {
            break;
        }
    }
    let mut spec = groups.join(if r.one_in(4) { " , " } else { "," });
    if !r.one_in(6) {
        let mut used: Vec<Part> = terms.iter().flatten().copied().collect();
        used.retain(|p| matches!(p, Part::Label(_)));
        used.sort_by_key(|p| match p {
            Part::Label(l) => *l,
            Part::Dots(_) => 0,
        });
        used.dedup();
        let mut output: Vec<Part> = Vec::new();
        for part in used {
            if !r.one_in(2) {
                output.insert(r.below(output.len() + 1), part);
                if r.one_in(9) {
                    output.insert(r.below(output.len() + 1), part);
                }
            }
        }
        if some_dots {
            output.insert(r.below(output.len() + 1), Part::Dots(0));
        }
        spec = format!("{spec}->{}", text(&output));
    }
    Einsum {
        spec,
        shapes,
        parentheses,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;
    /// The random einsums are what they are for: each feature stands in many of them.
    #[test]
    fn the_random_einsums_have_every_feature() {
        let mut r = Random(1);
        let cases: Vec<_> = (0..1500).map(|_| random(&mut r)).collect();
        let count = |f: &dyn Fn(&Einsum) -> bool| cases.iter().filter(|c| f(c)).count();
        let terms = |c: &Einsum| {
            let ranks: Vec<usize> = c.shapes.iter().map(Vec::len).collect();
            oracle::read(&c.spec, &ranks)
        };
        let repeats = |axes: &[oracle::Axis]| (1..axes.len()).any(|i| axes[..i].contains(&axes[i]));
        assert!(
            count(&|c| terms(c).inputs.iter().any(|t| repeats(t))) > 100,
            "diagonals"
        );
        assert!(
            count(&|c| repeats(&terms(c).output)) > 100,
            "repeated outputs"
        );
        assert!(count(&|c| c.spec.contains("...")) > 300, "ellipses");
        assert!(count(&|c| c.parentheses) > 200, "parentheses");
        assert!(count(&|c| !c.spec.contains("->")) > 100, "implicit outputs");
        assert!(
            count(&|c| c.shapes.iter().flatten().any(|&n| n == 0)) > 50,
            "zero lengths"
        );
        for n in 1..8 {
            assert!(count(&|c| c.shapes.len() == n) > 30, "{n} operands");
        }
        let hyper = |c: &Einsum| {
            let terms = terms(c);
            terms
                .inputs
                .iter()
                .flatten()
                .any(|a| terms.inputs.iter().filter(|t| t.contains(a)).count() > 2)
        };
        assert!(count(&hyper) > 200, "labels of three operands");
        let broadcast = |c: &Einsum| {
            let terms = terms(c);
            let lengths = oracle::lengths(&terms, &c.shapes);
            (terms.inputs.iter().zip(&c.shapes))
                .any(|(t, s)| t.iter().zip(s).any(|(a, &n)| n == 1 && lengths[a] > 1))
        };
        assert!(count(&broadcast) > 200, "broadcasts");
    }
}
