//! `docs/performance.md` and its pictures from what a race wrote down.

mod pictures;
mod read;
mod tables;

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use read::Run;

/// Reads the lines and writes `performance.md` into the folder, with pictures beside it.
pub(crate) fn write(lines: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let run = Run::read(&fs::read_to_string(lines)?)?;
    fs::write(folder.join("performance.svg"), pictures::fraction(&run)?)?;
    fs::write(folder.join("bandwidth.svg"), pictures::bandwidth(&run)?)?;
    fs::write(folder.join("roofline.svg"), pictures::roofline(&run)?)?;
    let (tables, ahead, all) = tables::all(&run)?;
    let mut page = format!(
        "# Performance\n\n\
         Every row of one run, wins and losses alike; losses are in bold:\n\n\
         ```text\n\
         cargo run --release -p cteinsum-benches --features peers -- --json race.jsonl all\n\
         python3 benches/python_peers.py race.jsonl all.jsonl\n\
         cargo run --release -p cteinsum-benches --features peers -- page all.jsonl docs\n\
         ```\n\n\
         {} with {} cores, {}. One thread unless said. Arrays are row-major and, where they are large, on large pages\n\
         (as NumPy's are), for all contenders. Results are written into given arrays except\n\
         by ndarray-einsum, which makes new ones. The contenders of a row run in turns, at least five rounds (whoever takes more\n\
         than 0.3 s twice); a time is the shortest round, and the number behind a contender is *our time over its*, the median of\n\
         all rounds: below 1 we are ahead. The contenders have plans made beforehand, and our order where there is one to choose.\n\
         What they compute must agree: to the last bit, as long as whole numbers are exact. *Of the limit* is how close we come to the\n\
         multiply-adds that a core does in registers, or, where that is closer and the arrays are large, to a copy, a read or a fill\n\
         of the bytes of operands and result (in brackets which); marks are no contenders.\n",
        run.machine, run.cores, run.date,
    );
    if !run.beside.is_empty() {
        write!(
            page,
            "\n{} ran **after** the others on the same operands, by `benches/python_peers.py`: one thread, JAX jitted, into new\n\
             arrays but for NumPy and opt_einsum; their ratios are of shortest times. Their results agree with ours in the sum of\n\
             all elements and in two in which the places count.\n",
            run.beside.join(", ")
        )?;
    }
    write!(
        page,
        "\nAhead of every contender in {ahead} of {all} rows.\n\n\
         {}\n\
         ![Fraction of the peak over the size](performance.svg)\n\n\
         ![Bandwidth where the memory limits](bandwidth.svg)\n\n\
         ![Roofline](roofline.svg)\n{tables}",
        tables::marks(&run)?,
    )?;
    fs::write(folder.join("performance.md"), page)?;
    Ok(())
}
