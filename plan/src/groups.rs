//! Parentheses, and every other order that is given as nested groups.

use crate::lists::Listed;
use alloc::vec::Vec;

/// A member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// An operand, counted from 0.
    Operand(u32),
    /// An earlier group of the list.
    Group(u32),
}

/// Nested groups of operands: each is contracted to one tensor before anything outside touches its members.
///
/// A flat list in which every group stands after the groups inside it, so that no depth of parentheses needs
/// recursion; the last one is the root and holds everything. Each group has at least two members, each operand and
/// each group but the root is a member exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Groups {
    list: Vec<Vec<Member>>,
}

impl Groups {
    /// Groups as a list; the caller keeps what the type promises.
    pub fn from_list(list: Vec<Vec<Member>>) -> Groups {
        Groups { list }
    }

    /// The groups, inner ones first.
    pub fn iter(&self) -> impl Iterator<Item = &[Member]> {
        self.list.iter().map(Vec::as_slice)
    }

    /// The groups as numbers: operands are 0..n, group g is n + g.
    pub(crate) fn list(&self, operands: u32) -> Vec<Vec<u32>> {
        let number = |member: &Member| match *member {
            Member::Operand(operand) => operand,
            Member::Group(group) => operands + group,
        };
        let group = |members: &Vec<Member>| members.iter().map(number).listed();
        self.list.iter().map(group).listed()
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// There is always a root, except for a single operand.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
