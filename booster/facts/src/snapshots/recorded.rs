//! Two data-flow problems on a finished sweep: which locations are on the tape with the value that they have, and
//! which are read before they have another value.

use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;
use xaif_schema::model::{ArgValue, BranchForm, Document, Role, StmtKind, SymbolId, VertexKind};
use xaif_schema::tape;

use super::pairs::Site;
use crate::side_effects::{Action, Actions};
use crate::{Accesses, BodyEvents, StepKey};
use booster_flow::{Analysis, Direction, Flow, Solution, Step, steps_of_vertex, union};

/// The locations that have been recorded since they were overwritten last: forward, on some path.
pub(super) struct Recorded<'a> {
    doc: &'a Document,
    actions: &'a Actions,
    /// Blocks of the tape: what is assigned to their elements is recorded.
    blocks: HashSet<SymbolId>,
    /// The locations of the object that a name of an arm of SELECT TYPE stands for, where the stage that has made the arm
    /// does not tell it.
    arms: HashMap<SymbolId, Vec<u32>>,
}

/// How a statement uses the tape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Records,
    TakesBack,
    Neither,
}

impl<'a> Recorded<'a> {
    pub(super) fn new(accesses: &Accesses<'a>, flow: &Flow<'_>, actions: &'a Actions) -> Self {
        let doc = accesses.doc();
        let blocks = doc.stmts.values().filter_map(|stmt| {
            let StmtKind::InlinableCall(call) = &stmt.kind else { return None };
            let operation = tape::operation(&call.name)?;
            if operation.args.first()?.sort != tape::Sort::Block {
                return None;
            }
            let ArgValue::Expr(block) = call.args.first()?.value else { return None };
            Some(doc.refs[doc.exprs[block].reference()?].base)
        });
        let arms = arms(accesses, flow, actions);
        Recorded { doc, actions, blocks: blocks.collect(), arms }
    }

    fn use_of(&self, step: Step<'_>) -> Use {
        let Step::Stmt(stmt) = step else { return Use::Neither };
        match &self.doc.stmts[stmt].kind {
            StmtKind::InlinableCall(call) => match &*call.name {
                "push" | "push_array" => Use::Records,
                name => match tape::operation(name) {
                    Some(operation) if !operation.is_of_checkpoints() => Use::TakesBack,
                    Some(_) | None => Use::Neither,
                },
            },
            StmtKind::Assign { lhs, .. } if self.blocks.contains(&self.doc.refs[*lhs].base) => {
                Use::Records
            }
            // A structure that holds a pointer for the tape.
            StmtKind::PointerAssign { .. } => Use::Records,
            StmtKind::Assign { .. }
            | StmtKind::Call(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => Use::Neither,
        }
    }
}

impl Analysis for Recorded<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.actions.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.bottom()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        let records = self.use_of(step) == Use::Records;
        for action in self.actions.of(StepKey::of(step)) {
            match action {
                Action::Use { locations, refs } if records => {
                    let named = refs.iter().map(|(reference, _)| self.doc.refs[*reference].base);
                    let of_arms = named.filter_map(|name| self.arms.get(&name)).flatten();
                    locations
                        .iter()
                        .chain(of_arms)
                        .for_each(|&location| state.insert(location as usize));
                }
                Action::Use { .. } => {}
                Action::Define { locations, .. } => {
                    locations.iter().for_each(|&location| state.set(location as usize, false));
                }
            }
        }
    }
}

/// The locations that are read before they have another value: backward, on some path. What comes back from the tape has
/// the value that it had, whatever else its location stands for.
pub(super) struct Needed<'a> {
    pub(super) recorded: &'a Recorded<'a>,
}

impl Analysis for Needed<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        self.recorded.bottom()
    }

    fn boundary(&self) -> FixedBitSet {
        self.recorded.bottom()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        let actions = self.recorded.actions;
        actions.expose(StepKey::of(step), state);
        if self.recorded.use_of(step) == Use::TakesBack {
            for action in actions.of(StepKey::of(step)) {
                let Action::Define { locations, .. } = action else { continue };
                locations.iter().for_each(|&location| state.set(location as usize, false));
            }
        }
    }
}

/// What the names of arms of SELECT TYPE stand for that have no selector of their own.
fn arms(
    accesses: &Accesses<'_>,
    flow: &Flow<'_>,
    actions: &Actions,
) -> HashMap<SymbolId, Vec<u32>> {
    let (doc, cfg) = (accesses.doc(), flow.cfg);
    let mut found = HashMap::new();
    for &vertex in &cfg.layout {
        let VertexKind::Branch { form: BranchForm::SelectType, condition: Some(selector), .. } =
            &cfg.vertices[vertex].kind
        else {
            continue;
        };
        let Some(object) = doc.exprs[*selector].reference() else { continue };
        let reach = accesses.storage().reach(doc, object);
        let numbers =
            (0..).zip(&actions.locations).filter(|(_, location)| reach.contains(location));
        let numbers: Vec<u32> = numbers.map(|(number, _)| number).collect();
        for &edge in flow.out_edges(vertex) {
            let VertexKind::BasicBlock { scope, .. } = &cfg.vertices[cfg.edges[edge].target].kind
            else {
                continue;
            };
            let names = doc.scopes[*scope].symbols.iter().filter(|&&symbol| {
                matches!(doc.role(symbol), Some(Role::Associate { selector: None }))
            });
            found.extend(names.map(|&name| (name, numbers.clone())));
        }
    }
    found
}

/// What holds as control arrives at the statement of `site`.
pub(super) fn before<A: Analysis>(
    body: &BodyEvents<'_>,
    analysis: &A,
    solution: &Solution<A::Domain>,
    site: Site,
) -> A::Domain {
    let mut state = solution.before(site.vertex).clone();
    let steps = steps_of_vertex(body.flow.cfg, site.vertex);
    for step in steps.into_iter().take_while(|step| *step != Step::Stmt(site.stmt)) {
        analysis.transfer(step, &mut state);
    }
    state
}

/// What holds behind the statement of `site`, of a backward analysis.
pub(super) fn after<A: Analysis>(
    body: &BodyEvents<'_>,
    analysis: &A,
    solution: &Solution<A::Domain>,
    site: Site,
) -> A::Domain {
    let mut state = solution.after(site.vertex).clone();
    let steps = steps_of_vertex(body.flow.cfg, site.vertex);
    for step in steps.into_iter().rev().take_while(|step| *step != Step::Stmt(site.stmt)) {
        analysis.transfer(step, &mut state);
    }
    state
}
