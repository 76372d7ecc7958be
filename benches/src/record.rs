//! The rows of the race: printed, and written down as lines of JSON for `page`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::Command;
use std::sync::Mutex;

use serde_json::json;

use crate::clock::median;

/// Where rows go, and the regime they are of.
static BOOK: Mutex<(Option<BufWriter<File>>, String)> = Mutex::new((None, String::new()));

/// Opens the file that rows are written to, with a line about the machine.
pub(crate) fn open(path: &str) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let date = Command::new("date").arg("+%Y-%m-%d").output();
    let about = json!({
        "machine": model.map_or("unknown", |(_, name)| name),
        "cores": std::thread::available_parallelism().map_or(1, |n| n.get()),
        "date": date.map_or_else(|_| String::new(), |out| String::from_utf8_lossy(&out.stdout).trim().to_owned()),
    });
    writeln!(file, "{about}")?;
    BOOK.lock().expect("one thread").0 = Some(file);
    Ok(())
}

/// The rows to come are of this regime.
pub(crate) fn regime(name: &str) {
    BOOK.lock().expect("one thread").1 = name.to_owned();
}

/// One row: ours first.
pub(crate) struct Row {
    spec: String,
    size: String,
    shapes: Vec<Vec<usize>>,
    work: f64,
    names: Vec<String>,
    /// Of all rounds.
    shortest: Vec<f64>,
    /// Our time over that of each contender, by the medians of what the rounds say.
    ratios: Vec<f64>,
}

impl Row {
    pub(crate) fn new(
        spec: &str,
        size: &str,
        shapes: Vec<Vec<usize>>,
        names: &[&str],
        times: &[Vec<f64>],
        work: f64,
    ) -> Row {
        let shortest = times
            .iter()
            .map(|t| t.iter().copied().fold(f64::INFINITY, f64::min));
        let ratios = times
            .iter()
            .map(|t| median(times[0].iter().zip(t).map(|(a, b)| a / b).collect()));
        Row {
            spec: spec.to_owned(),
            size: size.to_owned(),
            shapes,
            work,
            names: names.iter().map(|&name| name.to_owned()).collect(),
            shortest: shortest.collect(),
            ratios: ratios.collect(),
        }
    }

    /// Prints the row, and writes it down if a file is open.
    pub(crate) fn report(&self) {
        let ours = self.shortest[0];
        let name = format!("{} {}", self.spec, self.size);
        print!("{name:<44} {:>9} {:>6.1}/ns", shown(ours), self.work / ours);
        for i in 1..self.names.len() {
            print!(
                "  {} {:>9} ({:.2})",
                self.names[i],
                shown(self.shortest[i]),
                self.ratios[i]
            );
        }
        let worst = self.ratios[1..].iter().copied().fold(0.0, f64::max);
        println!("  ratio to the best {worst:.2}");
        let mut book = BOOK.lock().expect("one thread");
        let (file, regime) = &mut *book;
        if let Some(file) = file {
            let line = json!({
                "regime": regime, "spec": self.spec, "size": self.size, "shapes": self.shapes, "work": self.work, "names": self.names,
                "nanoseconds": self.shortest, "ratios": self.ratios,
            });
            writeln!(file, "{line}")
                .and_then(|()| file.flush())
                .expect("the file can be written");
        }
    }
}

/// A time as people write it.
pub(crate) fn shown(time: f64) -> String {
    match time {
        t if t < 1e4 => format!("{t:.0} ns"),
        t if t < 1e7 => format!("{:.1} us", t / 1e3),
        t => format!("{:.1} ms", t / 1e6),
    }
}
