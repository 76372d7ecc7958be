//! The networks that planners are compared on. The same on every run.

use cteinsum_plan::Label;

/// A network with sizes, and the count that all orders are compared by.
pub(crate) struct Planned {
    pub(crate) name: String,
    pub(crate) inputs: Vec<Vec<usize>>,
    pub(crate) output: Vec<usize>,
    /// By label.
    pub(crate) sizes: Vec<usize>,
}

impl Planned {
    fn new(
        name: impl Into<String>,
        inputs: Vec<Vec<usize>>,
        output: Vec<usize>,
        size: usize,
    ) -> Planned {
        let labels = inputs.iter().flatten().max().map_or(0, |most| most + 1);
        Planned {
            name: name.into(),
            inputs,
            output,
            sizes: vec![size; labels],
        }
        .renumbered()
    }

    /// An einsum of letters, one size a letter in order of first appearance.
    fn letters(spec: &str, sizes: &[usize]) -> Planned {
        let (inputs, output) = spec.split_once("->").expect("an arrow");
        let mut names: Vec<char> = Vec::new();
        for name in inputs.chars().filter(|c| *c != ',') {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let label = |c: char| names.iter().position(|n| *n == c).expect("a label");
        let inputs = inputs
            .split(',')
            .map(|term| term.chars().map(label).collect())
            .collect();
        let network = Planned {
            name: spec.into(),
            inputs,
            output: output.chars().map(label).collect(),
            sizes: sizes.to_vec(),
        };
        assert_eq!(network.sizes.len(), names.len());
        network
    }

    /// The same with labels numbered by first appearance, as the planner does.
    fn renumbered(self) -> Planned {
        let mut known: Vec<usize> = Vec::new();
        let mut number = |label: &usize| match known.iter().position(|k| k == label) {
            Some(at) => at,
            None => {
                known.push(*label);
                known.len() - 1
            }
        };
        let inputs = self
            .inputs
            .iter()
            .map(|term| term.iter().map(&mut number).collect())
            .collect();
        let output = self.output.iter().map(&mut number).collect();
        let sizes = known.iter().map(|label| self.sizes[*label]).collect();
        Planned {
            name: self.name,
            inputs,
            output,
            sizes,
        }
    }

    /// Other sizes, by a function of the label.
    fn sized(mut self, size: impl Fn(usize) -> usize) -> Planned {
        self.sizes = (0..self.sizes.len()).map(size).collect();
        self
    }

    pub(crate) fn labels(&self) -> (Vec<Vec<Label>>, Vec<Label>) {
        let labels = |term: &Vec<usize>| term.iter().map(|l| *l as Label).collect();
        (
            self.inputs.iter().map(labels).collect(),
            labels(&self.output),
        )
    }

    /// The subscripts: letters of ASCII for the first labels, then Chinese ones.
    pub(crate) fn text(&self) -> String {
        let name = |label: &usize| match *label as u32 {
            small @ 0..26 => char::from(b'a' + small as u8),
            capital @ 26..52 => char::from(b'A' + capital as u8 - 26),
            more => char::from_u32(0x4e00 + more).expect("fewer labels than characters"),
        };
        let term = |labels: &Vec<usize>| labels.iter().map(name).collect::<String>();
        let inputs: Vec<String> = self.inputs.iter().map(term).collect();
        format!("{}->{}", inputs.join(","), term(&self.output))
    }

    /// Multiply-adds of a tree. Labels that only one tensor carries and the output does not are summed before, for nothing.
    pub(crate) fn multiply_adds(&self, tree: &[(u32, u32)]) -> f64 {
        assert_eq!(tree.len() + 1, self.inputs.len(), "{}", self.name);
        let mut users = vec![0; self.sizes.len()];
        for &label in self.inputs.iter().flatten().chain(&self.output) {
            users[label] += 1;
        }
        let needed = |term: &Vec<usize>| {
            term.iter()
                .copied()
                .filter(|l| users[*l] > 1)
                .collect::<Vec<_>>()
        };
        let mut tensors: Vec<Vec<usize>> = self.inputs.iter().map(needed).collect();
        let mut total = 0.0;
        for &(a, b) in tree {
            let a = std::mem::take(&mut tensors[a as usize]);
            let b = std::mem::take(&mut tensors[b as usize]);
            let mut all = a.clone();
            for label in b {
                if a.contains(&label) {
                    users[label] -= 1;
                } else {
                    all.push(label);
                }
            }
            total += all.iter().map(|l| self.sizes[*l] as f64).product::<f64>();
            all.retain(|l| users[*l] > 1);
            tensors.push(all);
        }
        total
    }
}

pub(crate) fn all() -> Vec<Planned> {
    let mut list = Vec::new();
    for n in [4, 8, 16, 32, 64, 128, 256] {
        list.push(chain(n));
    }
    for n in [8, 16, 64, 256] {
        let mut uneven = chain(n).sized(|l| 2 + mixed(l as u64) as usize % 63);
        uneven.name = format!("chain {n}, uneven");
        list.push(uneven);
    }
    for n in [3, 4, 5, 6, 8, 10, 12] {
        list.push(grid(n));
    }
    for n in [30, 50, 70, 100] {
        list.push(regular(n));
    }
    list.push(brickwork(50, 8));
    list.push(mps_mpo_mps(20));
    list.push(plaquette());
    list.push(Planned::letters(
        "abcd,ai,bj,ck,dl->ijkl",
        &[40, 50, 60, 30, 8, 9, 10, 7],
    ));
    list.push(Planned::letters("ijk,ja,ka->ia", &[100, 120, 80, 16]));
    list.push(Planned::letters("ijkl,ja,ka,la->ia", &[40, 30, 50, 20, 16]));
    list.push(Planned::letters(
        "pi,qj,ijkl,rk,sl->pqrs",
        &[20, 60, 30, 60, 60, 60, 30, 20],
    ));
    list.push(Planned::letters("bgk,bkd,bk->bgd", &[64, 8, 4096, 128]));
    list.push(Planned::letters(
        "iP,sP,PQ,jQ,tQ,ti,sj->",
        &[10, 100, 40, 100, 10, 40],
    ));
    list.push(Planned::letters(
        "ijk,klmn,nop,jmp->ilo",
        &[8, 16, 16, 8, 16, 16, 8, 16],
    ));
    list.push(Planned::letters("war,abu,bgl,gwd->ruld", &[16; 8]));
    list
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// Matrices of bond 8.
fn chain(n: usize) -> Planned {
    Planned::new(
        format!("chain {n}"),
        (0..n).map(|p| vec![p, p + 1]).collect(),
        vec![0, n],
        8,
    )
}

/// A square lattice of bond 8, to a number.
fn grid(n: usize) -> Planned {
    let mut inputs = vec![Vec::new(); n * n];
    let mut label = 0;
    for at in 0..n * n {
        let right = (at % n + 1 < n).then_some(at + 1);
        let below = (at + n < n * n).then_some(at + n);
        for other in [right, below].into_iter().flatten() {
            inputs[at].push(label);
            inputs[other].push(label);
            label += 1;
        }
    }
    Planned::new(format!("grid {n}x{n}"), inputs, Vec::new(), 8)
}

/// A random 3-regular graph of bond 2: pairings of three stubs a vertex until there are no loops and no double edges.
fn regular(n: usize) -> Planned {
    let mut seed = n as u64;
    let mut random = |below: usize| {
        seed += 1;
        (mixed(seed * 7919) % below as u64) as usize
    };
    loop {
        let mut stubs: Vec<usize> = (0..3 * n).map(|s| s / 3).collect();
        for at in (1..stubs.len()).rev() {
            stubs.swap(at, random(at + 1));
        }
        let mut edges: Vec<(usize, usize)> = stubs
            .chunks(2)
            .map(|e| (e[0].min(e[1]), e[0].max(e[1])))
            .collect();
        edges.sort_unstable();
        if edges.windows(2).any(|pair| pair[0] == pair[1]) || edges.iter().any(|e| e.0 == e.1) {
            continue;
        }
        let mut inputs = vec![Vec::new(); n];
        for (label, (a, b)) in edges.into_iter().enumerate() {
            inputs[a].push(label);
            inputs[b].push(label);
        }
        return Planned::new(format!("3-regular {n}"), inputs, Vec::new(), 2);
    }
}

/// One amplitude of a circuit of two-qubit gates on neighbours, even and odd pairs in turns.
fn brickwork(qubits: usize, depth: usize) -> Planned {
    let mut wires: Vec<usize> = (0..qubits).collect();
    let mut inputs: Vec<Vec<usize>> = wires.iter().map(|w| vec![*w]).collect();
    let mut labels = qubits;
    for layer in 0..depth {
        for left in (layer % 2..qubits - 1).step_by(2) {
            inputs.push(vec![wires[left], wires[left + 1], labels, labels + 1]);
            (wires[left], wires[left + 1]) = (labels, labels + 1);
            labels += 2;
        }
    }
    inputs.extend(wires.iter().map(|w| vec![*w]));
    Planned::new(
        format!("brickwork {qubits} qubits, depth {depth}"),
        inputs,
        Vec::new(),
        2,
    )
}

/// The expectation value of an operator: bonds 32 and 5, dimension 2.
fn mps_mpo_mps(sites: usize) -> Planned {
    let mut inputs = Vec::new();
    let bond = |row: usize, at: usize| 5 * at + row;
    for row in 0..3 {
        for at in 0..sites {
            let mut term = Vec::new();
            if at > 0 {
                term.push(bond(row, at - 1));
            }
            if at + 1 < sites {
                term.push(bond(row, at));
            }
            if row < 2 {
                term.push(5 * at + 3 + row);
            }
            if row > 0 {
                term.push(5 * at + 2 + row);
            }
            inputs.push(term);
        }
    }
    let mut network = Planned {
        name: format!("MPS-MPO-MPS {sites}"),
        inputs,
        output: Vec::new(),
        sizes: vec![2; 5 * sites],
    };
    for at in 0..sites {
        (
            network.sizes[bond(0, at)],
            network.sizes[bond(1, at)],
            network.sizes[bond(2, at)],
        ) = (32, 5, 32);
    }
    network.renumbered()
}

/// A plaquette of four PEPS tensors and their conjugates (bond 4, dimension 2) in an environment of eight edge tensors and four
/// corners (bond 20), physical labels of one pair of sites left open: a two-site density matrix.
fn plaquette() -> Planned {
    let mut names: Vec<(String, usize)> = Vec::new();
    let mut label = |name: &str, size: usize| match names.iter().position(|n| n.0 == name) {
        Some(at) => at,
        None => {
            names.push((name.to_owned(), size));
            names.len() - 1
        }
    };
    let mut inputs = Vec::new();
    // Around the plaquette: corner, two edges, corner, ...; the legs of an edge lead to one site.
    let legs = [
        "a-up", "b-up", "b-right", "d-right", "d-down", "c-down", "c-left", "a-left",
    ];
    let mut ring = 0;
    for side in 0..4 {
        inputs.push(vec![
            label(&format!("ring{ring}"), 20),
            label(&format!("ring{}", ring + 1), 20),
        ]);
        ring += 1;
        for leg in &legs[2 * side..2 * side + 2] {
            let next = (ring + 1) % 12;
            inputs.push(vec![
                label(&format!("ring{ring}"), 20),
                label(&format!("ring{next}"), 20),
                label(&format!("{leg}-ket"), 4),
                label(&format!("{leg}-bra"), 4),
            ]);
            ring = next;
        }
    }
    let mut output = Vec::new();
    for (site, bonds) in [
        ("a", ["a-up", "a-left", "ab", "ac"]),
        ("b", ["b-up", "b-right", "ab", "bd"]),
        ("c", ["c-down", "c-left", "ac", "cd"]),
        ("d", ["d-down", "d-right", "bd", "cd"]),
    ] {
        for half in ["ket", "bra"] {
            let mut term: Vec<usize> = bonds
                .iter()
                .map(|bond| label(&format!("{bond}-{half}"), 4))
                .collect();
            let open = site < "c";
            let physical = if open {
                format!("{site}-{half}-open")
            } else {
                format!("{site}-closed")
            };
            let physical = label(&physical, 2);
            term.push(physical);
            if open {
                output.push(physical);
            }
            inputs.push(term);
        }
    }
    let sizes = names.iter().map(|n| n.1).collect();
    Planned {
        name: "PEPS plaquette".into(),
        inputs,
        output,
        sizes,
    }
    .renumbered()
}
