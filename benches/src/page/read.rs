//! What a race wrote down.

use std::collections::BTreeMap;
use std::error::Error;

use serde_json::Value;

use crate::clock::median;

/// A contender or a mark of a row.
pub(super) struct Time {
    pub(super) name: String,
    pub(super) nanoseconds: f64,
    /// Our time over this one.
    pub(super) ratio: f64,
}

/// A row; the first time is ours.
pub(super) struct Row {
    pub(super) regime: String,
    pub(super) spec: String,
    pub(super) size: String,
    pub(super) work: f64,
    /// Bytes of the operands, and of the result.
    pub(super) bytes: [f64; 2],
    pub(super) times: Vec<Time>,
    pub(super) marks: Vec<Time>,
}

/// A run.
pub(super) struct Run {
    pub(super) machine: String,
    pub(super) cores: u64,
    pub(super) date: String,
    /// What ran after the others.
    pub(super) beside: Vec<String>,
    /// What the machine did in the run, by name: the median, because bandwidths change with what neighbours leave of the last cache.
    pub(super) marks: BTreeMap<String, f64>,
    pub(super) rows: Vec<Row>,
}

impl Run {
    pub(super) fn read(text: &str) -> Result<Run, Box<dyn Error>> {
        let mut lines = text.lines().map(serde_json::from_str::<Value>);
        let about = lines.next().ok_or("no line about the machine")??;
        let (mut marks, mut rows) = (BTreeMap::<String, Vec<f64>>::new(), Vec::new());
        for line in lines {
            let line = line?;
            if line.get("spec").is_some() {
                rows.push(Row::read(&line));
                continue;
            }
            for (name, value) in line["marks"].as_object().into_iter().flatten() {
                marks
                    .entry(name.clone())
                    .or_default()
                    .extend(value.as_f64());
            }
        }
        Ok(Run {
            machine: about["machine"].as_str().unwrap_or("unknown").to_owned(),
            cores: about["cores"].as_u64().unwrap_or(0),
            date: about["date"].as_str().unwrap_or("").to_owned(),
            beside: strings(&about["beside"]),
            marks: marks
                .into_iter()
                .map(|(name, all)| (name, median(all)))
                .collect(),
            rows,
        })
    }

    /// A mark of the run.
    pub(super) fn mark(&self, name: &str) -> f64 {
        self.marks.get(name).copied().unwrap_or(f64::NAN)
    }
}

impl Row {
    fn read(line: &Value) -> Row {
        let text = |name: &str| line[name].as_str().unwrap_or("").to_owned();
        let size = text("size");
        let element = match size.split([' ', ',']).next() {
            Some("c64") => 16.0,
            Some("f32" | "i32") => 4.0,
            Some("i8") => 1.0,
            _ => 8.0,
        };
        let len = |shape: &Value| numbers(shape).iter().product::<f64>();
        let operands = line["shapes"].as_array().into_iter().flatten().map(len);
        Row {
            regime: text("regime"),
            spec: text("spec"),
            work: line["work"].as_f64().unwrap_or(f64::NAN),
            bytes: [
                operands.sum::<f64>() * element,
                len(&line["shape"]) * element,
            ],
            times: times(line),
            marks: times(&line["marks"]),
            size,
        }
    }

    /// The largest ratio: above 1, we are behind somebody.
    pub(super) fn worst(&self) -> f64 {
        self.times[1..]
            .iter()
            .map(|time| time.ratio)
            .fold(0.0, f64::max)
    }

    /// A contender or mark.
    pub(super) fn of(&self, name: &str) -> f64 {
        let all = self.times.iter().chain(&self.marks);
        all.filter(|time| time.name == name)
            .map(|time| time.nanoseconds)
            .next()
            .unwrap_or(f64::NAN)
    }

    /// Whether its arrays are beyond the caches that a core has for itself.
    pub(super) fn is_large(&self) -> bool {
        self.bytes[0] + self.bytes[1] > 4e6
    }

    /// Which bandwidth limits what the memory limits: by what is read and what is written.
    pub(super) fn moves(&self) -> &'static str {
        match self.bytes {
            [read, written] if written < 0.1 * read => "read",
            [read, written] if read < 0.1 * written => "fill",
            _ => "copy",
        }
    }
}

fn times(line: &Value) -> Vec<Time> {
    let (nanoseconds, ratios) = (numbers(&line["nanoseconds"]), numbers(&line["ratios"]));
    let names = strings(&line["names"]).into_iter();
    let times = names.zip(nanoseconds.into_iter().zip(ratios));
    times
        .map(|(name, (nanoseconds, ratio))| Time {
            name,
            nanoseconds,
            ratio,
        })
        .collect()
}

fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}
