//! What happens in a construct, as its surroundings see it: what all arms of IF or SELECT CASE do happens
//! each time that the construct is executed, what some of them do, or a loop, may happen.

use std::collections::BTreeSet;

use xaif_schema::model::{BranchForm, Cfg, StmtId, SymbolId, VertexId, VertexKind};

use super::{Event, Events};
use booster_flow::Ways;

/// A construct, as far as it has been read.
pub(crate) struct Construct {
    /// Where it begins; `None` if nothing is known of when its body is executed.
    head: Option<VertexId>,
    position: usize,
    arms: Vec<Events>,
}

impl Construct {
    /// Arms of which one is executed. Those of SELECT TYPE and SELECT RANK have scopes of their own, in which
    /// no block can be reserved for others: they are seen as loops are.
    pub(crate) fn branch(head: VertexId, form: BranchForm, position: usize) -> Self {
        let is_plain = match form {
            BranchForm::Plain
            | BranchForm::If
            | BranchForm::InlineIf
            | BranchForm::ElseIf
            | BranchForm::SelectCase => true,
            BranchForm::SelectType
            | BranchForm::SelectRank
            | BranchForm::ArithmeticIf
            | BranchForm::ComputedGoto
            | BranchForm::AssignedGoto
            | BranchForm::IndirectGoto => false,
        };
        Construct { head: is_plain.then_some(head), position, arms: Vec::new() }
    }

    /// A loop, or a scope.
    pub(crate) fn other(position: usize) -> Self {
        Construct { head: None, position, arms: Vec::new() }
    }

    /// An arm begins with `vertex` if the construct leads there: with the end of the construct one that does
    /// nothing. What comes from elsewhere, too (from the arm before in a switch of C), is no arm.
    pub(crate) fn begin_arm(&mut self, (cfg, ways): (&Cfg, &Ways<'_>), vertex: VertexId) {
        let Some(head) = self.head else { return };
        let mut into = ways.leading_to(vertex);
        if !into.clone().any(|way| way.source == head) {
            return;
        }
        let is_end = matches!(cfg.vertices[vertex].kind, VertexKind::EndBranch);
        if !is_end && into.any(|way| way.source != head) {
            self.head = None;
        }
        self.arms.push(Events::new());
    }

    /// Whether it begins before a position of the text.
    pub(crate) fn begins_before(&self, position: usize) -> bool {
        self.position < position
    }

    /// What happens in the arm that is read now.
    pub(crate) fn body(&mut self) -> &mut Events {
        if self.arms.is_empty() {
            self.arms.push(Events::new());
        }
        let last = self.arms.len() - 1;
        &mut self.arms[last]
    }

    /// What happens in the construct, which ends at `end`; `anything` may happen in it, too.
    pub(crate) fn seen_from_outside(
        &self,
        end: usize,
        anything: bool,
    ) -> Vec<(SymbolId, Vec<(usize, Event)>)> {
        let symbols: BTreeSet<SymbolId> =
            self.arms.iter().flat_map(|arm| arm.keys()).copied().collect();
        let of = |symbol: SymbolId| {
            let lists: Vec<&[(usize, Event)]> = self
                .arms
                .iter()
                .map(|arm| arm.get(&symbol).map_or(&[][..], Vec::as_slice))
                .collect();
            let sure = self.head.is_some() && !anything;
            let common = if sure { in_all(&lists, (self.position, end)) } else { None };
            (symbol, common.unwrap_or_else(|| in_some(&lists)))
        };
        symbols.into_iter().map(of).collect()
    }
}

/// What all arms do: each records the variable and then gives it a value, each takes it back as the last that it
/// does with it, or each gives it a value.
fn in_all(arms: &[&[(usize, Event)]], (begin, end): (usize, usize)) -> Option<Vec<(usize, Event)>> {
    let read = (begin, Event::Read);
    if let Some(stmts) = arms.iter().map(|arm| recorded_first(arm)).collect::<Option<Vec<_>>>() {
        return Some(vec![read, (begin, Event::Push(stmts.concat(), true)), (end, Event::Set)]);
    }
    if let Some(stmts) = arms.iter().map(|arm| taken_back_last(arm)).collect::<Option<Vec<_>>>() {
        return Some(vec![read, (end, Event::Pop(stmts.concat(), true))]);
    }
    arms.iter().all(|arm| only_sets(arm)).then(|| vec![read, (end, Event::Set)])
}

/// What records a variable before all that an arm may give it a value by, of which something surely does.
fn recorded_first(arm: &[(usize, Event)]) -> Option<Vec<StmtId>> {
    let at = arm.iter().position(|(_, event)| *event != Event::Read)?;
    let (_, Event::Push(stmts, true)) = &arm[at] else { return None };
    only_sets(&arm[at + 1..]).then(|| stmts.clone())
}

/// Whether something surely gives the variable a value, and nothing brings it to the tape or back.
fn only_sets(arm: &[(usize, Event)]) -> bool {
    let on_tape = |one: &(usize, Event)| matches!(one.1, Event::Push(..) | Event::Pop(..));
    arm.iter().any(|one| one.1 == Event::Set) && !arm.iter().any(on_tape)
}

/// What takes a variable back behind all that an arm reads of it.
fn taken_back_last(arm: &[(usize, Event)]) -> Option<Vec<StmtId>> {
    let ((_, last), before) = arm.split_last()?;
    let Event::Pop(stmts, true) = last else { return None };
    before.iter().all(|one| one.1 == Event::Read).then(|| stmts.clone())
}

/// What arms may do.
fn in_some(arms: &[&[(usize, Event)]]) -> Vec<(usize, Event)> {
    let perhaps = |(position, event): &(usize, Event)| {
        let event = match event {
            Event::Push(stmts, _) => Event::Push(stmts.clone(), false),
            Event::Pop(stmts, _) => Event::Pop(stmts.clone(), false),
            Event::Set | Event::Write => Event::Write,
            Event::Read => Event::Read,
        };
        (*position, event)
    };
    arms.iter().flat_map(|arm| arm.iter().map(perhaps)).collect()
}
