//! Any text and any number of operands: parses, checks, renders every diagnostic, and plans what is right.
#![no_main]

use cteinsum_plan::{Order, Subscripts, TermRef, axis_span, label_names};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (operands, text) = input;
    let (subscripts, mistakes) = Subscripts::diagnose(text, usize::from(operands));
    for mistake in &mistakes {
        assert!(text.get(mistake.span.start..mistake.span.end).is_some());
        assert_eq!(mistake.render(text).split('\n').count(), 3);
    }
    let _ = (
        subscripts.output_rank(),
        label_names(text),
        axis_span(text, TermRef::Input(0), 0, 1),
    );
    if mistakes.is_empty() {
        let checked = subscripts.check().expect("there was no mistake");
        let tree = checked
            .tree(&Order::Greedy)
            .expect("greedy obeys parentheses");
        assert_eq!(tree.0.len() + 1, checked.inputs.len());
        let _ = checked.summary(&tree);
    }
});
