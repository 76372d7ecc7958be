//! opt_einsum and cotengra, run by a small program in Python.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::{Found, networks::Planned};

/// What the program prints: `method seconds a,b a,b …`, the pairs in SSA form, or `method -` where it gave up.
pub(crate) fn all(network: &Planned) -> Result<Vec<(String, Found)>, String> {
    let python = std::env::var("CTEINSUM_PYTHON").unwrap_or_else(|_| "python3".into());
    let list = |labels: &[usize]| {
        let labels: Vec<String> = labels.iter().map(usize::to_string).collect();
        labels.join(",")
    };
    let mut text = String::new();
    for input in &network.inputs {
        let _ = writeln!(text, "{}", list(input));
    }
    let _ = writeln!(
        text,
        "->{}\n={}",
        list(&network.output),
        list(&network.sizes)
    );
    let missing = |error: std::io::Error| format!("opt_einsum, cotengra: no `{python}` ({error})");
    let mut child = Command::new(&python)
        .args(["-c", include_str!("others.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(missing)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes()).map_err(missing)?;
    }
    let output = child.wait_with_output().map_err(missing)?;
    let mut rows = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let Some(seconds) = words.next().and_then(|s| s.parse::<f64>().ok()) else {
            println!("{}", line.replace(" -,", ":"));
            continue;
        };
        let pair = |word: &str| {
            let (a, b) = word.split_once(',')?;
            Some((a.parse().ok()?, b.parse().ok()?))
        };
        let tree: Option<Vec<(u32, u32)>> = words.map(pair).collect();
        rows.push((name.into(), tree.map(|tree| (tree, seconds))));
    }
    Ok(rows)
}
