//! OX0231: the backward sweep of an adjoint takes back what the forward sweep has recorded, in reverse order.
//!
//! `tree` makes of each body what remains unmatched on the tape: pops, then pushes. `mirror` compares pushes with the pops
//! that follow them. A procedure with both sweeps leaves nothing; the pushes of `p_fwd` are mirrored by the pops of `p_bwd`.
//! Compared are types, variables, iterations of loops as wholes, arms of branches by their number or their condition, and calls
//! of halves.
//!
//! Not compared: adjoints that were read from a text, bodies with jumps but STOP, branches whose arms cannot be told apart by their text, trip counts, subscripts.

mod mirror;
mod tree;

use std::collections::{HashMap, HashSet};

use super::{At, Verifier};
use crate::diag::Code;
use crate::model::{Body, Document, ProcId, StmtId, StmtKind};
use crate::tape;
use mirror::mirror;
use tree::{Residue, Tree, half_of_call};

/// Why a body is not what it should be, or why that cannot be told.
#[derive(Clone, Debug)]
enum Fault {
    /// It cannot be told.
    Unknown,
    /// At this statement, or nowhere in particular.
    Wrong(Option<StmtId>, String),
}

/// One half of a split procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Forward,
    Backward,
}

/// What a name says: `p_fwd` is the forward half of `p`, and so is `p_fwd_2` of `p_2`.
fn half(name: &str) -> Option<(Half, String)> {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let (base, number) = match digits.strip_suffix('_') {
        Some(base) if digits.len() < name.len() => (base, &name[digits.len()..]),
        Some(_) | None => (name, ""),
    };
    let lower = base.to_ascii_lowercase();
    let halves = [("_fwd", Half::Forward), ("_bwd", Half::Backward)];
    halves.into_iter().find_map(|(suffix, half)| {
        lower.strip_suffix(suffix).map(|stem| (half, format!("{stem}#{number}")))
    })
}

pub(super) fn check(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    if !tape::has_tape(doc) || is_read_again(doc) {
        return;
    }
    let silent = silent(doc);
    let mut halves: HashMap<String, [Option<(ProcId, Residue)>; 2]> = HashMap::new();
    let mut found: Vec<(ProcId, Option<StmtId>, String)> = Vec::new();
    for (id, proc) in &doc.procs {
        let Body::Flow(cfg) = &proc.body else { continue };
        let residue = match Tree::new(doc, &silent).residue(cfg) {
            Ok(residue) => residue,
            Err(Fault::Unknown) => continue,
            Err(Fault::Wrong(stmt, message)) => {
                found.push((id, stmt, message));
                continue;
            }
        };
        match half(doc.name(proc.symbol)) {
            Some((half, stem)) => {
                let pair = halves.entry(stem).or_default();
                pair[usize::from(half == Half::Backward)] = Some((id, residue));
            }
            None => found.extend(residue.left_over().map(|(stmt, message)| (id, stmt, message))),
        }
    }
    for [forward, backward] in halves.into_values() {
        let (Some((_, forward)), Some((id, backward))) = (forward, backward) else { continue };
        if !forward.pops.is_empty() || !backward.pushes.is_empty() {
            continue;
        }
        if let Err(Fault::Wrong(stmt, message)) = mirror(&forward.pushes, &backward.pops) {
            found.push((id, stmt, message));
        }
    }
    found.sort_by_key(|(proc, ..)| *proc);
    for (proc, stmt, message) in found {
        let at = stmt.map_or(At::Proc(proc), At::Stmt);
        let message = format!("in `{}` {message}", doc.name(doc.procs[proc].symbol));
        verifier.report(Code::UNPAIRED_TAPE, at, message);
    }
}

/// Whether the sweeps were read from a text, which does not tell the variables of the program from those of the stage.
fn is_read_again(doc: &Document) -> bool {
    let has = |stage: &str| doc.history.iter().any(|run| run.stage == stage);
    has("f2xaif") && !has("xaif-reverse")
}

/// The halves that neither use the tape nor call halves that do, as far as that can be told: a call of one may be left
/// out of the other sweep. What a dummy procedure or a procedure pointer means cannot be told.
fn silent(doc: &Document) -> HashSet<String> {
    let mut calls: HashMap<String, (bool, Vec<String>)> = HashMap::new();
    for proc in doc.procs.values() {
        let (Body::Flow(cfg), Some((_, stem))) = (&proc.body, half(doc.name(proc.symbol))) else {
            continue;
        };
        let stmts = cfg.vertices.values().flat_map(|vertex| tree::statements(&vertex.kind));
        let known = calls.entry(stem).or_default();
        for &stmt in stmts {
            match &doc.stmts[stmt].kind {
                StmtKind::InlinableCall(call) => known.0 |= tape::operation(&call.name).is_some(),
                kind => known.1.extend(half_of_call(doc, kind).map(|(_, stem)| stem)),
            }
        }
    }
    let mut silent: HashSet<String> =
        calls.iter().filter(|(_, (uses, _))| !uses).map(|(stem, _)| stem.clone()).collect();
    loop {
        let before = silent.len();
        let may_be_silent = |callee: &String| callee.is_empty() || silent.contains(callee);
        let all_silent = |stem: &String| calls[stem].1.iter().all(may_be_silent);
        let kept: HashSet<String> =
            silent.iter().filter(|stem| all_silent(stem)).cloned().collect();
        silent = kept;
        if silent.len() == before {
            return silent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_told_by_their_names() {
        assert_eq!(half("step_fwd"), Some((Half::Forward, "step#".into())));
        assert_eq!(half("Step_bwd_2"), Some((Half::Backward, "step#2".into())));
        assert_eq!(half("step_b"), None);
        assert_eq!(half("fwd_2"), None);
    }
}
