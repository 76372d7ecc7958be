//! What a plan says about itself: numbers, paths, tables and pictures.

use cteinsum_plan::{
    Checked, Cost, Order, Plan, PlanReport, Request, SizesError, Spec, Subscripts,
};

fn checked(text: &str) -> Checked {
    Subscripts::parse(text).unwrap().check().unwrap()
}

fn report(text: &str, order: Order) -> PlanReport {
    let (checked, request) = (
        checked(text),
        Request {
            order,
            ..Request::default()
        },
    );
    let strategy = checked.strategy(&request).unwrap();
    PlanReport::of_checked(&checked, strategy)
}

const CHAIN: Plan = Plan::new(
    Spec::new(
        "ij,jk,kl->il",
        &[&[0, 1], &[1, 2], &[2, 3]],
        &[0, 3],
        &[(0, 1), (3, 2)],
    )
    .by_sizes(),
);

#[test]
fn the_table_with_sizes() {
    let sizes = [("i", 64), ("j", 32), ("k", 1000), ("l", 8)];
    let expected = "\
einsum ij,jk,kl->il
  order                 0·(1·2), the best of all for these sizes
  to keep it            order = tree([(1, 2), (0, 3)])
  sizes                 i 64, j 32, k 1000, l 8
  one loop over all     2·i·j·k·l = 3.3e7 multiply-adds
  these steps           2·j·k·l + 2·i·j·l flops
                        = 544,768 flops: 272,384 multiply-adds
  scaling               3 labels at once instead of 4
  speed-up              120 times
  largest result        512 elements
  peak workspace        256 elements, 2,048 bytes
  bytes moved           344,576

  tensor  pair  contraction  kind  multiply-adds        =  elements
       3  1·2   jk,kl->jl    gemm  j·k·l          256,000       256
       4  0·3   ij,jl->il    gemm  i·j·l           16,384       512
";
    assert_eq!(CHAIN.at(sizes).to_string(), expected);
    assert_eq!(
        CHAIN
            .expecting(&[("i", 64), ("j", 32), ("k", 1000), ("l", 8)])
            .to_string(),
        expected
    );
}

#[test]
fn the_table_without_sizes() {
    let expected = "\
einsum ij,jk,kl->il
  order                 (0·1)·2 at equal sizes; the best of all for the real ones
  to keep it            order = tree([(0, 1), (3, 2)])
  one loop over all     2·i·j·k·l multiply-adds
  these steps           2·i·j·k + 2·i·k·l flops
  scaling               3 labels at once instead of 4
  largest result        i·k elements

  tensor  pair  contraction  kind  multiply-adds
       3  0·1   ij,jk->ik    gemm  i·j·k
       4  3·2   ik,kl->il    gemm  i·k·l
";
    assert_eq!(CHAIN.to_string(), expected);
    // Some of the sizes are not enough.
    assert_eq!(CHAIN.expecting(&[("i", 64)]).to_string(), expected);
    assert_eq!(report("ij,jk,kl->il", Order::Auto).to_string(), expected);
}

#[test]
fn the_numbers() {
    // Sums before the product count their additions: 4·5 for x, then 2·3 products.
    let r = report("ij,jx->i", Order::Auto).at([("i", 2), ("j", 3), ("x", 4)]);
    assert_eq!(
        (r.multiply_adds(), r.flops(), r.complex_flops()),
        (6, 12 + 12, 48 + 24)
    );
    assert_eq!((r.largest(), r.peak()), (2, 0));
    assert_eq!(r.bytes(), 8 * (6 + 12 + 2));
    assert_eq!(r.clone().element_bytes(16).bytes(), 16 * 20);
    assert_eq!(r.naive_multiply_adds(), 24.0);
    assert!(
        r.to_string()
            .contains("= 24 flops: 6 multiply-adds and 12 additions"),
        "{r}"
    );
    assert!(r.to_string().contains("ij,jx->i     sum, gemv"), "{r}");
    // One operand.
    let r = report("iij->j", Order::Auto).at([("i", 5), ("j", 3)]);
    assert_eq!(
        (r.multiply_adds(), r.flops(), r.path()),
        (0, 15, vec![vec![0]])
    );
    // `...` is a label; without a size it covers nothing.
    let dots = report("...ij,jk", Order::Auto);
    let sizes = [("i", 2), ("j", 3), ("k", 4)];
    assert_eq!(dots.at(sizes).multiply_adds(), 24);
    assert_eq!(
        dots.at(sizes.into_iter().chain([("...", 10)]))
            .multiply_adds(),
        240
    );
    // Numbers that do not fit saturate.
    let huge = CHAIN.at(["i", "j", "k", "l"].map(|l| (l, usize::MAX)));
    assert_eq!(
        (huge.multiply_adds(), huge.flops(), huge.bytes()),
        (u64::MAX, u64::MAX, u64::MAX)
    );
    assert!(huge.to_string().contains("over 1.8e19"), "{huge}");
    let empty = CHAIN.at([("i", 0), ("j", 2), ("k", 2), ("l", 2)]);
    assert!([0, 8].contains(&empty.multiply_adds()), "{empty}");
    assert!(!empty.to_svg().contains("NaN") && !empty.to_svg().contains("inf"));
}

#[test]
fn sizes_that_do_not_fit() {
    assert_eq!(
        CHAIN.try_at([("i", 1)]).unwrap_err(),
        SizesError::Missing("j".into())
    );
    let error = CHAIN.try_at([("z", 1)]).unwrap_err();
    assert_eq!(error.to_string(), "there is no label `z` in the subscripts");
    let bounded = Plan::new(CHAIN.spec().max_intermediate(3));
    let two = ["i", "j", "k", "l"].map(|l| (l, 2));
    assert!(matches!(
        bounded.try_at(two),
        Err(SizesError::Intermediate(_))
    ));
    let caught = std::panic::catch_unwind(|| CHAIN.at([("i", 1)]));
    let message = *caught.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, "einsum ij,jk,kl->il: label `j` has no size");
}

/// What is printed for others to read is the order itself.
#[test]
fn paths_and_trees_come_back() {
    let text = "ab,bc,cd,de,ef,fg,ag,bx,xe->";
    let sizes = [3, 20, 5, 70, 2, 9, 33, 4];
    for order in [Order::Auto, Order::Greedy, Order::LeftToRight] {
        let first = report(text, order);
        let sized =
            |r: &PlanReport| r.at(checked(text).names.iter().map(String::as_str).zip(sizes));
        let r = sized(&first);
        let again = report(text, Order::Path(r.path()));
        assert_eq!(sized(&again).multiply_adds(), r.multiply_adds());
        assert_eq!(sized(&again).peak(), r.peak());
        let again = report(text, Order::Tree(r.tree().to_vec()));
        assert_eq!(again.tree(), r.tree());
        let pasted = r.order();
        let pairs = r
            .tree()
            .iter()
            .map(|p| format!("{p:?}"))
            .collect::<Vec<_>>()
            .join(", ");
        assert_eq!(pasted, format!("order = tree([{pairs}])"));
    }
}

fn grid(n: usize) -> String {
    let mut terms = vec![String::new(); n * n];
    let mut next = 0u32;
    for at in 0..n * n {
        for (inside, other) in [(at % n + 1 < n, at + 1), (at / n + 1 < n, at + n)] {
            if inside {
                // CJK: a letter each, and as many as it takes.
                let label = char::from_u32(0x4e00 + next).unwrap();
                next += 1;
                terms[at].push(label);
                terms[other].push(label);
            }
        }
    }
    format!("{}->", terms.join(","))
}

#[test]
fn pictures_hold_every_tensor_once() {
    for text in [
        "ij->ji",
        "ij,jk->ik",
        "ij,jk,kl->il",
        "a,b,->",
        &grid(4),
        &grid(8),
    ] {
        let r = report(text, Order::Greedy);
        let operands = checked(text).inputs.len();
        let (nodes, edges) = match operands {
            1 => (2, 1),
            n => (2 * n - 1, 2 * n - 2),
        };
        let svg = r.to_svg();
        assert_eq!(svg.matches("<circle").count(), nodes - operands, "{text}");
        // The edges, the stub of the result, and one or two in the legend.
        let paths = svg.matches("<path").count();
        assert!((edges + 2..=edges + 3).contains(&paths), "{text}: {paths}");
        for tag in ["<g", "<text", "<title", "<svg", "<tspan"] {
            let end = tag.replace('<', "</");
            let open =
                svg.matches(&format!("{tag} ")).count() + svg.matches(&format!("{tag}>")).count();
            assert_eq!(
                open,
                svg.matches(&format!("{end}>")).count(),
                "{tag} of {text}"
            );
        }
        assert!(
            !svg.contains("->") && !svg.contains("NaN") && !svg.contains("inf\""),
            "{text}"
        );
        let dot = r.to_dot();
        assert_eq!(dot.matches(" -> t").count(), edges, "{text}");
        assert_eq!(dot.matches("[label = ").count(), nodes, "{text}");
        let mermaid = r.to_mermaid();
        assert_eq!(mermaid.matches(" --- t").count(), edges, "{text}");
        assert_eq!(mermaid.matches("linkStyle").count(), edges, "{text}");
        assert_eq!(
            mermaid.matches("  style t").count(),
            nodes - operands,
            "{text}"
        );
    }
}

/// No two rows or columns of a picture meet: every circle has a place of its own.
#[test]
fn circles_do_not_overlap() {
    let svg = report(&grid(8), Order::Auto).to_svg();
    let number = |text: &str, key: &str| -> f64 {
        let from = text.find(key).unwrap() + key.len();
        let to = text[from..].find('"').unwrap();
        text[from..from + to].parse().unwrap()
    };
    let circles: Vec<(f64, f64, f64)> = svg
        .split("<circle")
        .skip(1)
        .map(|c| (number(c, "cx=\""), number(c, "cy=\""), number(c, " r=\"")))
        .collect();
    assert_eq!(circles.len(), 63);
    for (i, a) in circles.iter().enumerate() {
        for b in &circles[..i] {
            let distance = (a.0 - b.0).hypot(a.1 - b.1);
            assert!(distance >= a.2 + b.2, "{a:?} {b:?}");
        }
    }
}

/// The figures that other planners print for known networks.
#[test]
fn known_figures() {
    // Six matrices of 256 and a vector.
    let text = "ab,bc,cd,de,ef,fg,g->a";
    let sized = |order: Order, cost: Cost| {
        let checked = checked(text);
        let request = Request {
            order,
            cost,
            ..Request::default()
        };
        let strategy = checked.strategy(&request).unwrap();
        let r = PlanReport::of_checked(&checked, strategy);
        r.at(checked.names.iter().map(|n| (n.as_str(), 256)))
    };
    let firsts = || Order::Path(vec![vec![0, 1]; 6]);
    assert_eq!(sized(Order::Auto, Cost::Time).multiply_adds(), 393_216);
    assert_eq!(sized(Order::Optimal, Cost::Flops).multiply_adds(), 393_216);
    assert_eq!(
        sized(Order::LeftToRight, Cost::Time).multiply_adds(),
        83_951_616
    );
    let r = sized(firsts(), Cost::Time);
    assert_eq!((r.multiply_adds(), r.largest()), (100_663_296, 16_777_216));
    // The 4×4 grid of bond 8 to a scalar.
    let text = grid(4);
    let of = |order: Order| {
        let checked = checked(&text);
        report(&text, order).at(checked.names.iter().map(|n| (n.as_str(), 8)))
    };
    let best = of(Order::Auto);
    assert!(best.multiply_adds() < 1_720_500, "{}", best.multiply_adds());
    assert_eq!(best.largest(), 4096);
    let plain = of(Order::LeftToRight).multiply_adds();
    assert_eq!((plain as f64 / 1e3).round(), 9577.0, "{plain}");
    let pairs = of(Order::Path(vec![vec![0, 1]; 15])).multiply_adds();
    assert_eq!((pairs as f64 / 1e5).round(), 3031.0, "{pairs}");
    // The heart of a tensor renormalization group.
    let trg = "war,abu,bgl,gwd->ruld";
    let at = |order: Order, n: usize| {
        report(trg, order).at(["w", "a", "r", "b", "u", "g", "l", "d"].map(|l| (l, n)))
    };
    let r = at(Order::Auto, 4);
    assert_eq!(
        (r.multiply_adds(), r.flops(), r.largest()),
        (6_144, 12_288, 256)
    );
    let slower = at(Order::LeftToRight, 16).multiply_adds() as f64;
    let factor = slower / at(Order::Auto, 16).multiply_adds() as f64;
    assert_eq!((factor * 10.0).round(), 18.0, "{factor}");
}
