//! Subscripts that stand for a term: `ij,jk->ik`, or `[row, mid], [mid, col] -> [row, col]` where names are longer.

use cteinsum_plan::{Groups, Item, Member, Span as Place, Subscripts, Term};
use proc_macro2::Span;

use super::list::List;
use super::sum::Tree;

/// The subscripts of a term, and the way back to the source.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) subscripts: Subscripts,
    /// Where each label of the text starts, and its place in the source.
    spans: Vec<(usize, Span)>,
}

struct Writer<'a> {
    lists: &'a [List],
    short: bool,
    text: String,
    spans: Vec<(usize, Span)>,
    inputs: Vec<Term>,
    groups: Vec<Vec<Member>>,
}

impl Text {
    pub(super) fn new(tree: &Tree, lists: &[List], output: &List, short: bool) -> Text {
        let mut writer = Writer {
            lists,
            short,
            text: String::new(),
            spans: Vec::new(),
            inputs: Vec::new(),
            groups: Vec::new(),
        };
        writer.root(tree);
        writer.text += if short { "->" } else { " -> " };
        let output = writer.term(output);
        let Writer {
            text,
            spans,
            inputs,
            groups,
            ..
        } = writer;
        let groups = (!groups.is_empty()).then(|| Groups::from_list(groups));
        Text {
            subscripts: Subscripts::new(text, inputs, groups, output),
            spans,
        }
    }

    /// Where in the source the label stands that has this place in the text.
    pub(crate) fn span(&self, place: Place) -> Option<Span> {
        let found = self.spans.iter().find(|(start, _)| *start == place.start);
        found.map(|(_, span)| *span)
    }
}

impl Writer<'_> {
    /// The whole product: a list without parentheses is no group unless there is one inside it.
    fn root(&mut self, tree: &Tree) {
        match tree {
            Tree::Group(members) => {
                let members = self.members(members);
                if !self.groups.is_empty() {
                    self.groups.push(members);
                }
            }
            Tree::Operand(operand) => self.operand(*operand),
        }
    }

    fn members(&mut self, members: &[Tree]) -> Vec<Member> {
        let mut numbers = Vec::with_capacity(members.len());
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.text += if self.short { "," } else { ", " };
            }
            numbers.push(match member {
                Tree::Operand(operand) => {
                    self.operand(*operand);
                    Member::Operand(self.inputs.len() as u32 - 1)
                }
                Tree::Group(inner) => {
                    self.text.push('(');
                    let inner = self.members(inner);
                    self.text.push(')');
                    self.groups.push(inner);
                    Member::Group(self.groups.len() as u32 - 1)
                }
            });
        }
        numbers
    }

    fn operand(&mut self, operand: usize) {
        let lists = self.lists;
        let term = self.term(&lists[operand]);
        self.inputs.push(term);
    }

    fn term(&mut self, list: &List) -> Term {
        if !self.short {
            self.text.push('[');
        }
        let start = self.text.len();
        let mut items = Vec::with_capacity(list.indices.len());
        for (at, index) in list.indices.iter().enumerate() {
            if at > 0 && !self.short {
                self.text += ", ";
            }
            let start = self.text.len();
            self.text += index.label.as_deref().unwrap_or("...");
            self.spans.push((start, index.span));
            items.push(Item {
                span: Place {
                    start,
                    end: self.text.len(),
                },
                ellipsis: index.label.is_none(),
            });
        }
        let span = Place {
            start,
            end: self.text.len(),
        };
        if !self.short {
            self.text.push(']');
        }
        Term { items, span }
    }
}
