//! Sets of ends that share their parts.
//!
//! A set of a chain is often another one and one statement more. Written in full, the sets of n reads of elements of an
//! array behind n writes have n*n members. Here a set is its own members and the sets that it includes.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use smallvec::SmallVec;

use super::End;

/// Up to how many members a set is written in full.
pub const IN_FULL: usize = 8;

/// A set as it is made: perhaps in a circle with others, which then all have the same members.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) ends: SmallVec<[End; 1]>,
    pub(super) parts: SmallVec<[u32; 2]>,
}

/// A set: its own members, ascending, and the numbers of the sets that it includes, all of them less than its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// The members that no included set need have.
    pub ends: Vec<End>,
    /// The included sets, ascending.
    pub parts: Vec<u32>,
}

/// Makes sets of drafts; also the number of the set of each of `wanted`. Circles become one set, a set of few members
/// is written in full, and so is one that a single other set includes and nobody else asks for.
pub(super) fn finish(drafts: &[Draft], wanted: &[u32]) -> (Vec<Set>, Vec<u32>) {
    let condensed = Condensed::new(drafts, wanted);
    let mut made: Vec<Made> = Vec::with_capacity(condensed.classes.len());
    let mut sets: Vec<Set> = Vec::new();
    for class in 0..condensed.classes.len() {
        let mut content = condensed.content(class, &mut made);
        if content.ends.len() <= 4 * IN_FULL {
            content.tidy();
        }
        let next = if content.ends.is_empty() && content.parts.len() == 1 {
            Made::Set(content.parts[0])
        } else if content.parts.is_empty() && content.ends.len() <= IN_FULL {
            Made::Few(content.ends)
        } else if condensed.is_only_included(class) {
            Made::Open(content)
        } else {
            content.tidy();
            sets.push(content);
            Made::Set(sets.len() as u32 - 1)
        };
        made.push(next);
    }
    let mut number_of = |draft: u32| match &made[condensed.class_of[draft as usize]] {
        Made::Set(number) => *number,
        Made::Few(ends) | Made::Open(Set { ends, .. }) => {
            sets.push(Set { ends: ends.clone(), parts: Vec::new() });
            sets.len() as u32 - 1
        }
    };
    let numbers = wanted.iter().map(|&draft| number_of(draft)).collect();
    (sets, numbers)
}

/// What a class of drafts became.
enum Made {
    /// The set with this number.
    Set(u32),
    /// Few members, which each user writes in full.
    Few(Vec<End>),
    /// Members that the only user takes over.
    Open(Set),
}

impl Set {
    fn tidy(&mut self) {
        self.ends.sort_unstable();
        self.ends.dedup();
        self.parts.sort_unstable();
        self.parts.dedup();
    }
}

/// Drafts without circles: those of a circle are one class. Classes stand behind their parts.
struct Condensed<'d> {
    drafts: &'d [Draft],
    classes: Vec<Vec<u32>>,
    class_of: Vec<usize>,
    /// How many other classes include a class; where it is asked for, at least 2.
    uses: Vec<usize>,
}

impl<'d> Condensed<'d> {
    fn new(drafts: &'d [Draft], wanted: &[u32]) -> Self {
        // Only what is asked for, directly or not.
        let mut reached = vec![false; drafts.len()];
        let mut work: Vec<u32> = wanted.to_vec();
        while let Some(draft) = work.pop() {
            if !std::mem::replace(&mut reached[draft as usize], true) {
                work.extend(&drafts[draft as usize].parts);
            }
        }
        let mut graph = DiGraph::<u32, ()>::new();
        let mut nodes = vec![NodeIndex::end(); drafts.len()];
        for draft in (0..drafts.len()).filter(|&draft| reached[draft]) {
            nodes[draft] = graph.add_node(draft as u32);
        }
        for draft in (0..drafts.len()).filter(|&draft| reached[draft]) {
            for &part in &drafts[draft].parts {
                graph.add_edge(nodes[draft], nodes[part as usize], ());
            }
        }
        // Kosaraju's components come parts first.
        let classes: Vec<Vec<u32>> = kosaraju_scc(&graph)
            .into_iter()
            .map(|class| class.into_iter().map(|node| graph[node]).collect())
            .collect();
        let mut class_of = vec![usize::MAX; drafts.len()];
        for (number, class) in classes.iter().enumerate() {
            class.iter().for_each(|&draft| class_of[draft as usize] = number);
        }
        let mut uses = vec![0; classes.len()];
        let mut last = vec![usize::MAX; classes.len()];
        for (number, class) in classes.iter().enumerate() {
            for &part in class.iter().flat_map(|&draft| &drafts[draft as usize].parts) {
                let part = class_of[part as usize];
                if part != number && last[part] != number {
                    last[part] = number;
                    uses[part] += 1;
                }
            }
        }
        for &draft in wanted {
            uses[class_of[draft as usize]] += 2;
        }
        Condensed { drafts, classes, class_of, uses }
    }

    fn is_only_included(&self, class: usize) -> bool {
        self.uses[class] < 2
    }

    /// The members of a class and the sets that it includes. Takes what only this class includes.
    fn content(&self, class: usize, made: &mut [Made]) -> Set {
        let mut content = Set::default();
        let mut parts: Vec<usize> = Vec::new();
        let drafts = self.classes[class].iter().map(|&draft| &self.drafts[draft as usize]);
        for draft in drafts.clone() {
            parts.extend(draft.parts.iter().map(|&part| self.class_of[part as usize]));
        }
        parts.sort_unstable();
        parts.dedup();
        for part in parts.into_iter().filter(|&part| part != class) {
            match &mut made[part] {
                Made::Set(number) => content.parts.push(*number),
                Made::Few(ends) => content.ends.extend_from_slice(ends),
                Made::Open(open) => {
                    let mut open = std::mem::take(open);
                    if open.ends.len() > content.ends.len() {
                        std::mem::swap(&mut open.ends, &mut content.ends);
                    }
                    content.ends.append(&mut open.ends);
                    content.parts.append(&mut open.parts);
                }
            }
        }
        drafts.for_each(|draft| content.ends.extend(draft.ends.iter().copied()));
        content
    }
}
