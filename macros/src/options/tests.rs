use super::*;
use crate::tokens::split_commas;

/// The options read and what was said about them.
fn read(source: &str) -> (Options, Vec<String>) {
    let mut options = Options::default();
    let mut errors = Errors::default();
    for argument in split_commas(source.parse().unwrap()) {
        let (name, value) = split(&argument).expect("an option");
        options.add(&name, value, &mut errors);
    }
    let messages = errors.messages().iter().map(|m| String::from(*m)).collect();
    (options, messages)
}

fn order(source: &str) -> OrderOption {
    let (options, messages) = read(source);
    assert_eq!(messages, Vec::<String>::new());
    options.order.unwrap().0
}

fn mistakes(source: &str) -> Vec<String> {
    read(source).1
}

#[test]
fn orders() {
    assert!(matches!(order("order = greedy"), OrderOption::Greedy));
    assert!(matches!(
        order("order = left_to_right"),
        OrderOption::LeftToRight
    ));
    match order("order = [(0, 1), (0, 1_0), [2], (0, 1, 2,),]") {
        OrderOption::Path(steps, spans) => {
            assert_eq!(steps, [vec![0, 1], vec![0, 10], vec![2], vec![0, 1, 2]]);
            assert_eq!(spans.len(), 4);
        }
        other => panic!("{other:?}"),
    }
    match order("order = tree([(0, 1), (3, 2)])") {
        OrderOption::Tree(pairs, _) => assert_eq!(pairs, [(0, 1), (3, 2)]),
        other => panic!("{other:?}"),
    }
    assert!(matches!(order("order = []"), OrderOption::Path(steps, _) if steps.is_empty()));
}

#[test]
fn what_to_minimize_and_sizes() {
    assert!(matches!(order("order = optimal"), OrderOption::Optimal));
    assert!(matches!(order("order = search"), OrderOption::Search(1, 2)));
    assert!(matches!(
        order("order = search(effort = 3, seed = 1_000,)"),
        OrderOption::Search(1000, 3)
    ));
    let (options, messages) =
        read("minimize = flops, sizes = [i = 64, 0 = 2, 'é' = 1_000,], max_intermediate = 1_0");
    assert_eq!(messages, Vec::<String>::new());
    assert_eq!(options.cost, Some(Cost::Flops));
    assert_eq!(options.max_intermediate.map(|m| m.0), Some(10));
    let sizes: Vec<_> = options
        .sizes
        .iter()
        .map(|h| (h.label.as_str(), h.size))
        .collect();
    assert_eq!(sizes, [("i", 64), ("0", 2), ("é", 1000)]);
}

#[test]
fn both_in_any_order() {
    for source in [
        "order = greedy, engine = &mut e",
        "engine = &mut e, order = greedy",
    ] {
        let (options, messages) = read(source);
        assert!(messages.is_empty());
        assert!(options.order.is_some());
        assert_eq!(
            options
                .value("engine")
                .unwrap()
                .expr
                .to_string()
                .replace(' ', ""),
            "&mute"
        );
    }
}

#[test]
fn values_are_kept_as_written() {
    let (options, messages) = read("beta = 1.0, out = &mut c, engine = &mut e, alpha = f(2)");
    assert!(messages.is_empty());
    let names: Vec<_> = options.values.iter().map(|value| value.name).collect();
    assert_eq!(names, ["beta", "out", "engine", "alpha"]);
}

#[test]
fn operands_are_no_options() {
    let no_option = |source: &str| {
        let tokens: TokenStream = source.parse().unwrap();
        assert!(
            split(&tokens.into_iter().collect::<Vec<_>>()).is_none(),
            "{source}"
        );
    };
    for source in [
        "a", "a == b", "a + b", "f(x = 1)", "*a = b", "a.b = c", "|a| a", "a >= b", "a <= b",
    ] {
        no_option(source);
    }
}

#[test]
fn every_mistake_is_named() {
    assert_eq!(
        mistakes("ordre = greedy")[0],
        format!("unknown option `ordre`: did you mean `order`?\n{LIST}")
    );
    assert!(mistakes("optimize = greedy")[0].contains("did you mean `order`?"));
    assert_eq!(
        mistakes("retries = c")[0],
        format!("unknown option `retries`\n{LIST}")
    );
    assert!(mistakes("minimise = time")[0].contains("did you mean `minimize`?"));
    assert_eq!(
        mistakes("order = greedy, order = greedy"),
        ["option `order` is given twice"]
    );
    assert_eq!(
        mistakes("engine = e, engine = e"),
        ["option `engine` is given twice"]
    );
    assert_eq!(mistakes("order = gredy, ordre = x").len(), 2);
    assert!(mistakes("order = gredy")[0].contains("did you mean `greedy`?"));
    assert!(mistakes("order = auto")[0].contains("unknown order `auto`\n"));
    assert!(mistakes("order = greedy()")[0].contains("takes no arguments"));
    for (search, mistake) in [
        ("seed = x", "expected `seed = …` or `effort = …`"),
        ("1", "expected `seed = …` or `effort = …`"),
        ("seed = 1, seed = 1", "`seed` is given twice"),
        ("effort = 0", "an effort is a number from 1 to 6"),
        ("effort = 7", "an effort is a number from 1 to 6"),
    ] {
        let mistakes = mistakes(&format!("order = search({search})"));
        assert!(mistakes[0].contains(mistake), "{mistakes:?}");
    }
    assert!(mistakes("minimize = memory")[0].contains("unknown cost `memory`\n"));
    assert!(mistakes("minimize = flop")[0].contains("did you mean `flops`?"));
    assert!(mistakes("minimize = 3")[0].contains("expected what to minimize"));
    for sizes in [
        "[i]",
        "[i = x]",
        "[i = -1]",
        "[i 64]",
        "[= 3]",
        "[i = 2, , j = 3]",
    ] {
        assert!(
            mistakes(&format!("sizes = {sizes}"))[0].contains("expected a label and its size"),
            "{sizes}"
        );
    }
    assert!(mistakes("sizes = [i = 2, i = 2]")[0].contains("the size of `i` is given twice"));
    assert!(mistakes("sizes = (i = 2)")[0].contains("expected a list of sizes"));
    assert!(mistakes("max_intermediate = -1")[0].contains("expected a number of elements"));
    assert!(mistakes("max_intermediate = limit")[0].contains("Einsum::parse"));
    assert!(mistakes("order = tree")[0].contains("expected SSA pairs"));
    assert!(mistakes("order = tree(0, 1)")[0].contains("expected a list of pairs"));
    assert!(mistakes("order = tree([(0, 1, 2)])")[0].contains("a pair, found 3 numbers"));
    assert!(mistakes("order = 3")[0].contains("expected an order"));
    assert!(mistakes("order = ")[0].contains("expected an order"));
    assert!(mistakes("order = [0, 1]")[0].contains("found a list of numbers"));
    assert!(mistakes("order = [(0, 1), 1]")[0].contains("expected the operands of one step"));
    assert_eq!(mistakes("order = [(0, x), (-1, 0)]").len(), 2);
    assert!(mistakes("order = [(0, x)]")[0].contains("expected the position of an operand"));
    assert!(mistakes("order = [(0, 4294967296)]")[0].contains("expected the position"));
}
