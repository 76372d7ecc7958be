//! The rows of the race: printed, and written down as lines of JSON for `page`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::Command;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::clock::median;
use crate::peers::Peer;

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

/// The rows to come are of this regime; what the machine can do at this moment is written down before them.
pub(crate) fn regime(name: &str) {
    BOOK.lock().expect("one thread").1 = name.to_owned();
    let marks = crate::marks::measure();
    for (name, value) in marks.as_object().into_iter().flatten() {
        print!("{name} {:.1}, ", value.as_f64().unwrap_or(f64::NAN));
    }
    println!("in GB/s and GFLOP/s");
    let mark = |name: &str| marks[name].as_f64().unwrap_or(f64::NAN);
    if mark("fma f64 on two threads") < 1.7 * mark("fma f64") {
        eprintln!(
            "two threads do no more than one: there are no two cores, or something else runs on them"
        );
    }
    write(&json!({ "regime": name, "marks": marks }));
}

fn write(line: &Value) {
    let mut book = BOOK.lock().expect("one thread");
    if let Some(file) = &mut book.0 {
        writeln!(file, "{line}")
            .and_then(|()| file.flush())
            .expect("the file can be written");
    }
}

/// What another program can compute from the same operands and compare: the sum of all elements, and two in which the
/// place of an element counts, of the real parts and, if there are any, of the imaginary parts.
pub(crate) fn fingerprint<T: Peer>(out: &[T]) -> Vec<f64> {
    let mut sums = [0.0; 6];
    for (i, &element) in out.iter().enumerate() {
        let weights = [1.0, (i % 7 + 1) as f64, (i % 101 + 1) as f64];
        for (part, value) in element.parts().into_iter().enumerate() {
            for (sum, weight) in sums[3 * part..].iter_mut().zip(weights) {
                *sum += weight * value;
            }
        }
    }
    let parts = if <T as cteinsum::Scalar>::conj(T::small(1)) == T::small(1) {
        3
    } else {
        6
    };
    sums[..parts].to_vec()
}

/// One row: ours first.
pub(crate) struct Row<'a> {
    pub(crate) spec: &'a str,
    pub(crate) size: String,
    /// Of the operands.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// Of the result.
    pub(crate) shape: Vec<usize>,
    pub(crate) work: f64,
    pub(crate) names: Vec<&'a str>,
    /// Of all rounds.
    pub(crate) times: Vec<Vec<f64>>,
    /// The last so many are no contenders, but marks.
    pub(crate) marks: usize,
    pub(crate) fingerprint: Vec<f64>,
}

impl Row<'_> {
    /// Prints the row, and writes it down if a file is open.
    pub(crate) fn report(&self) {
        let (names, times, contenders) = (&self.names, &self.times, self.names.len() - self.marks);
        let shortest = times
            .iter()
            .map(|t| t.iter().copied().fold(f64::INFINITY, f64::min));
        let shortest: Vec<f64> = shortest.collect();
        // Our time over that of each contender, by the medians of what the rounds say.
        let ratios = times
            .iter()
            .map(|t| median(times[0].iter().zip(t).map(|(a, b)| a / b).collect()));
        let ratios: Vec<f64> = ratios.collect();
        let name = format!("{} {}", self.spec, self.size);
        print!(
            "{name:<44} {:>9} {:>6.1}/ns",
            shown(shortest[0]),
            self.work / shortest[0]
        );
        for i in 1..names.len() {
            let mark = if i < contenders { "" } else { "mark: " };
            print!(
                "  {mark}{} {:>9} ({:.2})",
                names[i],
                shown(shortest[i]),
                ratios[i]
            );
        }
        match ratios[1..contenders].iter().copied().reduce(f64::max) {
            Some(worst) => println!("  ratio to the best {worst:.2}"),
            None => println!(),
        }
        let regime = BOOK.lock().expect("one thread").1.clone();
        write(&json!({
            "regime": regime, "spec": self.spec, "size": self.size, "shapes": self.shapes, "shape": self.shape, "work": self.work,
            "names": names[..contenders], "nanoseconds": shortest[..contenders], "ratios": ratios[..contenders],
            "marks": {
                "names": names[contenders..], "nanoseconds": shortest[contenders..], "ratios": ratios[contenders..],
            },
            "fingerprint": self.fingerprint,
        }));
    }
}

/// A time as people write it.
pub(crate) fn shown(time: f64) -> String {
    match time {
        t if t < 10.0 => format!("{t:.1} ns"),
        t if t < 1e4 => format!("{t:.0} ns"),
        t if t < 1e7 => format!("{:.1} us", t / 1e3),
        t => format!("{:.1} ms", t / 1e6),
    }
}
