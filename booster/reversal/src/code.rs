//! The backward sweep of one level as a sequence of operations with labels, and its structure.

use std::collections::HashMap;

use xaif_schema::model::{SymbolId, VertexId};

use super::graph::Node;
use super::plan::Plan;

/// A test whether a variable has one of these values, or none of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Test {
    pub(super) variable: SymbolId,
    pub(super) values: Vec<i64>,
    pub(super) negated: bool,
}

/// An operation. Labels are the nodes of the level.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// A place that may be jumped to.
    Label(usize),
    /// A jump.
    Goto(usize),
    /// A jump under a condition.
    GotoIf(Test, usize),
    /// `if (test) then`
    If(Test),
    /// `else`
    Else,
    /// `end if`
    EndIf,
    /// Takes an identifier from the tape.
    Pop(SymbolId),
    /// Assigns a number.
    Set(SymbolId, i64),
    /// The statements of a vertex, backwards.
    Vertex(VertexId),
    /// A kept construct.
    Construct(usize),
    /// The assignment of the next value by the loop around the level.
    Update,
}

/// The operations of a level.
pub(super) fn code(plan: &Plan, level: usize, around: Option<usize>) -> Vec<Op> {
    let Some(graph) = &plan.graphs[level] else { return Vec::new() };
    let mut ops = Vec::new();
    let inside = around.and_then(|construct| plan.loops.get(&construct));
    let way = inside.and_then(|plan| plan.way);
    if let (Some(inside), Some(way)) = (inside, way) {
        for (origin, number) in inside.origins.iter().zip(1..) {
            let test = Test { variable: way, values: vec![number], negated: false };
            ops.push(Op::GotoIf(test, *origin));
        }
    }
    if inside.is_some_and(|plan| plan.update.is_some()) {
        ops.push(Op::Update);
    }
    let end = graph.end();
    meet(plan, level, end, &mut ops);
    for node in (1..graph.nodes.len()).rev().filter(|&node| graph.needed[node] && node != end) {
        ops.push(Op::Label(node));
        match graph.nodes[node] {
            Node::Start | Node::End | Node::Sink(_) => {}
            Node::Vertex(vertex) => ops.push(Op::Vertex(vertex)),
            Node::Construct(construct) => ops.push(Op::Construct(construct)),
            Node::Way { construct, edge } => {
                if let Some(LoopWay { way, number }) = loop_way(plan, construct, edge) {
                    ops.push(Op::Set(way, number));
                }
            }
        }
        meet(plan, level, node, &mut ops);
    }
    ops.push(Op::Label(0));
    if let Some(way) = way {
        ops.push(Op::Set(way, 0));
    }
    structure(ops)
}

struct LoopWay {
    way: SymbolId,
    number: i64,
}

fn loop_way(plan: &Plan, construct: usize, edge: xaif_schema::model::EdgeId) -> Option<LoopWay> {
    let plan = plan.loops.get(&construct)?;
    Some(LoopWay { way: plan.way?, number: plan.ways.get(&edge).copied().unwrap_or(0) })
}

/// Goes to where control came from.
fn meet(plan: &Plan, level: usize, node: usize, ops: &mut Vec<Op>) {
    let Some(meeting) = plan.meetings.get(&(level, node)) else { return };
    if let Some(left) = meeting.left
        && let (Some(inner), Some(graph)) = (plan.loops.get(&left), &plan.graphs[level])
        && let (Some(way), Some(item)) =
            (inner.way, graph.nodes.iter().position(|&node| node == Node::Construct(left)))
    {
        ops.extend([Op::Pop(way), Op::Goto(item)]);
        return;
    }
    if meeting.popped
        && let Some(branch) = plan.branch
    {
        ops.push(Op::Pop(branch));
        // The one that comes next in the text is reached without a jump.
        let mut origins = meeting.origins.clone();
        origins.sort_by_key(|(origin, _)| *origin);
        let next = origins.iter().rposition(|(origin, _)| *origin < node);
        let last = origins.remove(next.unwrap_or(origins.len().saturating_sub(1)));
        for (origin, values) in origins.into_iter().rev() {
            let test = Test { variable: branch, values, negated: false };
            ops.push(Op::GotoIf(test, origin));
        }
        ops.push(Op::Goto(last.0));
        return;
    }
    if let [(origin, _)] = meeting.origins.as_slice() {
        ops.push(Op::Goto(*origin));
    }
}

/// Takes out jumps to what follows and labels that nobody jumps to, and makes IF constructs of
/// jumps forward over what is entered from nowhere else.
fn structure(mut ops: Vec<Op>) -> Vec<Op> {
    loop {
        tidy(&mut ops);
        let Some((at, label, otherwise)) = candidate(&ops) else { return ops };
        let Op::GotoIf(test, _) = ops[at].clone() else { return ops };
        let test = Test { negated: !test.negated, ..test };
        ops[at] = Op::If(test);
        match otherwise {
            Some(end) => {
                // `goto end` before the label becomes ELSE.
                ops.insert(end, Op::EndIf);
                ops[label - 1] = Op::Else;
                ops.remove(label);
            }
            None => ops.insert(label, Op::EndIf),
        }
    }
}

/// How often each label is jumped to.
fn jumps(ops: &[Op]) -> HashMap<usize, usize> {
    let mut jumps = HashMap::new();
    for op in ops {
        if let Op::Goto(label) | Op::GotoIf(_, label) = op {
            *jumps.entry(*label).or_insert(0) += 1;
        }
    }
    jumps
}

fn tidy(ops: &mut Vec<Op>) {
    loop {
        let before = ops.len();
        // Nothing is executed between a jump and the next label.
        let mut dead = false;
        ops.retain(|op| {
            let keep = match op {
                Op::Label(_) | Op::If(_) | Op::Else | Op::EndIf => true,
                Op::Goto(_)
                | Op::GotoIf(..)
                | Op::Pop(_)
                | Op::Set(..)
                | Op::Vertex(_)
                | Op::Construct(_)
                | Op::Update => !dead,
            };
            dead = match op {
                Op::Goto(_) => true,
                Op::Label(_) | Op::If(_) | Op::Else | Op::EndIf => false,
                Op::GotoIf(..)
                | Op::Pop(_)
                | Op::Set(..)
                | Op::Vertex(_)
                | Op::Construct(_)
                | Op::Update => dead,
            };
            keep
        });
        let mut at = 0;
        while at < ops.len() {
            let useless = match ops[at] {
                Op::Goto(label) | Op::GotoIf(_, label) => leads_to(ops, at + 1, label),
                _ => false,
            };
            if useless {
                ops.remove(at);
            } else {
                at += 1;
            }
        }
        let jumps = jumps(ops);
        ops.retain(|op| !matches!(op, Op::Label(label) if !jumps.contains_key(label)));
        if ops.len() == before {
            return;
        }
    }
}

/// Whether control comes from `at` to a label with nothing on the way.
fn leads_to(ops: &[Op], at: usize, label: usize) -> bool {
    let mut at = at;
    while let Some(op) = ops.get(at) {
        match op {
            Op::Label(found) if *found == label => return true,
            Op::Label(_) | Op::EndIf => at += 1,
            Op::Else => {
                let mut depth = 0;
                at += 1;
                while let Some(op) = ops.get(at) {
                    match op {
                        Op::If(_) => depth += 1,
                        Op::EndIf if depth == 0 => break,
                        Op::EndIf => depth -= 1,
                        _ => {}
                    }
                    at += 1;
                }
            }
            _ => return false,
        }
    }
    false
}

/// Levels with more operations are left as they are: looking for constructs takes quadratic time.
const LONGEST: usize = 2000;

/// A conditional jump forward that can become an IF, its label, and, where there is an ELSE, its
/// end.
fn candidate(ops: &[Op]) -> Option<(usize, usize, Option<usize>)> {
    if ops.len() > LONGEST {
        return None;
    }
    let total = jumps(ops);
    for at in (0..ops.len()).rev() {
        let Op::GotoIf(_, target) = ops[at] else { continue };
        let is_target = |op: &Op| matches!(op, Op::Label(label) if *label == target);
        let Some(label) = ops.iter().skip(at).position(is_target).map(|found| found + at) else {
            continue;
        };
        if !closed(&ops[at + 1..label], &total) {
            continue;
        }
        // The last operation of the first part may jump over the second.
        if let Some(Op::Goto(end)) = ops.get(label - 1)
            && total.get(&target) == Some(&1)
        {
            let is_end = |op: &Op| matches!(op, Op::Label(found) if found == end);
            let end = ops.iter().skip(label).position(is_end).map(|found| found + label);
            if let Some(end) = end
                && closed(&ops[label + 1..end], &total)
            {
                return Some((at, label, Some(end)));
            }
        }
        return Some((at, label, None));
    }
    None
}

/// Whether IF constructs are complete in `ops` and nothing outside jumps to a label in it.
fn closed(ops: &[Op], total: &HashMap<usize, usize>) -> bool {
    let own = jumps(ops);
    let mut depth = 0usize;
    for op in ops {
        match op {
            Op::Label(label) if own.get(label) != total.get(label) => return false,
            Op::If(_) => depth += 1,
            Op::EndIf => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            Op::Else if depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0
}
