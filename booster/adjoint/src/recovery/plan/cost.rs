//! Costs of recomputations and records.
//!
//! The location is about a quarter of a nanosecond for a number in cache. A count that is not known counts as
//! [`MANY`]. Costs decide only whether a recomputation stays; the derivative is the same.

use std::collections::{BTreeMap, HashMap, HashSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use xaif_schema::model::{
    Dim, Document, ExprId, ExprKind, ProcId, Reference, StmtId, StmtKind, SymbolId,
};

use super::Made;
use crate::tbr::{Facts, Tbr};
use booster_build::{constant_integer, nodes_of};
use booster_facts::Bodies;
use booster_facts::loops::{Loop, loops};
use booster_flow::Step;

/// The count of iterations or elements that are not known.
const MANY: f64 = 100.0;

/// The cost of recording and taking back a number.
const RECORD: f64 = 12.0;

/// Costs of elemental operations, by their names in the dialect. An operation that is not here is not recomputed.
const COSTS: &[(&str, u32)] = &[
    ("add_scal_scal", 1),
    ("sub_scal_scal", 1),
    ("minus_scal", 1),
    ("plus_scal", 0),
    ("mul_scal_scal", 1),
    ("div_scal_scal", 4),
    ("sqrt_scal", 5),
    ("abs_scal", 1),
    ("iabs_scal", 1),
    ("sign_scal_scal", 1),
    ("nc_max_scal_scal", 1),
    ("nc_min_scal_scal", 1),
    ("real_scal", 1),
    ("int_scal", 1),
    ("nint_scal", 2),
    ("mod_scal_scal", 4),
    ("bogus_modulo_scal_scal", 5),
    ("bogus_floor_scal", 2),
    ("bogus_ceil_scal", 2),
    ("complex_scal", 1),
    ("imag_scal", 1),
];

/// The cost of an expression, per element; `None` where an operation has no cost in the table.
pub(super) fn cost_of(doc: &Document, root: ExprId) -> Option<u32> {
    let mut sum = 0;
    for node in nodes_of(doc, [root]) {
        sum += match &doc.exprs[node].kind {
            ExprKind::Intrinsic { name, operands, .. } => {
                match COSTS.iter().find(|(known, _)| **known == **name) {
                    Some(&(_, cost)) => cost,
                    None => reduction(doc, name, operands.first().map(|operand| operand.expr)?)?,
                }
            }
            ExprKind::Boolean { .. } => 1,
            ExprKind::Constant(_) | ExprKind::Ref(_) => 0,
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return None,
        };
    }
    Some(sum)
}

/// The cost of a sum over an array of few elements.
fn reduction(doc: &Document, name: &str, operand: ExprId) -> Option<u32> {
    let each = match name {
        "sum_arr" => 1.0,
        "dot_product" => 2.0,
        _ => return None,
    };
    let reference = doc.exprs[operand].reference()?;
    let cost = each * elements(doc, &doc.refs[reference]);
    // The sum of an array of unknown size is not cheap.
    (cost < MANY).then_some(cost as u32)
}

/// The number of elements of a reference.
pub(super) fn elements(doc: &Document, reference: &Reference) -> f64 {
    let whole = reference.parts.is_empty();
    let decl = doc.symbols[reference.base].decl.as_deref();
    match decl {
        Some(decl) if whole => decl.dims.iter().map(|dim| extent(doc, dim)).product(),
        Some(_) | None => MANY.powi(i32::from(reference.ty.rank)),
    }
}

fn extent(doc: &Document, dim: &Dim) -> f64 {
    let Dim::Explicit { lower, upper } = dim else { return MANY };
    let lower = lower.map_or(Some(1), |lower| constant_integer(doc, lower));
    match (lower, constant_integer(doc, *upper)) {
        (Some(lower), Some(upper)) => (upper - lower + 1).max(0) as f64,
        (Some(_) | None, Some(_) | None) => MANY,
    }
}

/// How often a statement of a loop nest is executed.
fn iterations(doc: &Document, all: &[Loop], position: usize) -> f64 {
    let around = all.iter().filter(|one| one.head < position && position <= one.end);
    around.map(|one| count_of(doc, one)).product()
}

/// The number of iterations of a loop.
pub(super) fn count_of(doc: &Document, one: &Loop) -> f64 {
    let known = [one.lower, one.upper].map(|bound| constant_integer(doc, bound));
    match known {
        [Some(lower), Some(upper)] if one.step != 0 => {
            ((upper - lower + one.step) / one.step).max(0) as f64
        }
        _ => MANY,
    }
}

/// The costs of the records of a document, by procedure and variable.
#[derive(Debug, Default)]
pub(super) struct Records(HashMap<(ProcId, SymbolId), f64>);

impl Records {
    /// The records that an analysis asks for.
    pub(super) fn new(doc: &Document, facts: &Facts, frequencies: &Frequencies) -> Self {
        let mut records = Records::default();
        for (stmt, recorded) in facts.stmts() {
            let Some(&(proc, often)) = frequencies.get(&stmt) else { continue };
            for reference in &recorded.values {
                let cost = often * elements(doc, reference) * RECORD;
                *records.0.entry((proc, reference.base)).or_default() += cost;
            }
        }
        records
    }

    /// The records of all assignments to variables of `made`.
    fn of_assignments(
        doc: &Document,
        made: &HashMap<StmtId, Made>,
        frequencies: &Frequencies,
    ) -> Self {
        let values: HashSet<(ProcId, SymbolId)> =
            made.values().map(|one| (one.proc, one.value)).collect();
        let mut records = Records::default();
        for (&stmt, &(proc, often)) in frequencies {
            let StmtKind::Assign { lhs, .. } = doc.stmts[stmt].kind else { continue };
            let own = (proc, doc.refs[lhs].base);
            if values.contains(&own) && !doc.stmts[stmt].recompute {
                let cost = often * elements(doc, &doc.refs[lhs]) * RECORD;
                *records.0.entry(own).or_default() += cost;
            }
        }
        records
    }

    /// The recorded variables of each procedure that records any.
    pub(super) fn by_procedure(&self) -> BTreeMap<ProcId, HashSet<SymbolId>> {
        let mut found: BTreeMap<ProcId, HashSet<SymbolId>> = BTreeMap::new();
        for &(proc, symbol) in self.0.keys() {
            found.entry(proc).or_default().insert(symbol);
        }
        found
    }

    /// The cost of all records of a variable.
    fn of(&self, proc: ProcId, symbol: SymbolId) -> f64 {
        self.0.get(&(proc, symbol)).copied().unwrap_or_default()
    }
}

/// For each statement its procedure, and how often one call of the procedure executes it.
pub(super) type Frequencies = HashMap<StmtId, (ProcId, f64)>;

/// How often each statement is executed in one call of its procedure.
pub(super) fn frequencies(doc: &Document, bodies: &Bodies<'_>) -> Frequencies {
    let mut found = HashMap::new();
    for body in bodies.iter() {
        let cfg = body.flow.cfg;
        let all = loops(doc, cfg);
        let positions: HashMap<_, _> =
            cfg.layout.iter().enumerate().map(|(position, &vertex)| (vertex, position)).collect();
        for at in &body.steps {
            if let (Step::Stmt(stmt), Some(&position)) = (at.step, positions.get(&at.vertex)) {
                found.insert(stmt, (body.proc, iterations(doc, &all, position)));
            }
        }
    }
    found
}

/// The costs of a document with recomputations, beside those without.
pub(super) struct Costs<'c> {
    made: &'c HashMap<StmtId, Made>,
    /// The recomputations that are needed, and what each costs.
    needed: HashMap<StmtId, f64>,
    before: Records,
    now: Records,
    /// The records of all assignments to the variables that are recomputed.
    whole: Records,
}

impl<'c> Costs<'c> {
    /// Compares the records of `tbr` with those before the recomputations were `made`.
    pub(super) fn new(
        doc: &Document,
        tbr: &Tbr<'_, '_>,
        made: &'c HashMap<StmtId, Made>,
        before: Records,
    ) -> Self {
        let facts = tbr.facts();
        let idle = facts.idle();
        let frequencies = frequencies(doc, tbr.bodies());
        let mut needed = HashMap::new();
        for &stmt in made.keys().filter(|stmt| !idle.contains(stmt)) {
            let often = frequencies.get(&stmt).map_or(1.0, |&(_, often)| often);
            needed.insert(stmt, often * made[&stmt].work);
        }
        let now = Records::new(doc, &facts, &frequencies);
        let whole = Records::of_assignments(doc, made, &frequencies);
        Costs { made, needed, before, now, whole }
    }

    /// The recomputations that nothing needs, and groups of them that cost more than they save. A group are the
    /// recomputations that make an operand recorded, with those that depend on each other.
    ///
    /// Groups that compute operands of others come after these: without them such operands are recorded.
    pub(super) fn not_worth_it(&self) -> HashSet<StmtId> {
        let mut removed: HashSet<StmtId> =
            self.made.keys().filter(|stmt| !self.needed.contains_key(stmt)).copied().collect();
        let mut kept_operands: HashSet<(ProcId, SymbolId)> = HashSet::new();
        for group in self.ordered(self.groups()) {
            let values: HashSet<(ProcId, SymbolId)> =
                group.iter().map(|stmt| (self.made[stmt].proc, self.made[stmt].value)).collect();
            let operands: HashSet<(ProcId, SymbolId)> = group
                .iter()
                .flat_map(|stmt| {
                    let Made { proc, operands, .. } = &self.made[stmt];
                    operands.iter().map(|&symbol| (*proc, symbol))
                })
                .filter(|operand| !values.contains(operand))
                .collect();
            let variables = || operands.iter().chain(&values);
            let now: f64 = variables().map(|&(proc, symbol)| self.now.of(proc, symbol)).sum();
            let before: f64 = variables()
                .map(|&(proc, symbol)| match kept_operands.contains(&(proc, symbol)) {
                    true => self.whole.of(proc, symbol).max(self.before.of(proc, symbol)),
                    false => self.before.of(proc, symbol),
                })
                .sum();
            let work: f64 = group.iter().filter_map(|stmt| self.needed.get(stmt)).sum();
            if now + work >= before {
                removed.extend(group);
            } else {
                kept_operands.extend(operands);
            }
        }
        removed
    }

    /// The groups, each before those that compute its operands.
    fn ordered(&self, groups: Vec<Vec<StmtId>>) -> Vec<Vec<StmtId>> {
        let mut of_value: HashMap<(ProcId, SymbolId), usize> = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            for stmt in group {
                of_value.insert((self.made[stmt].proc, self.made[stmt].value), number);
            }
        }
        let mut graph: DiGraph<usize, ()> = DiGraph::new();
        let nodes: Vec<_> = (0..groups.len()).map(|number| graph.add_node(number)).collect();
        for (number, group) in groups.iter().enumerate() {
            for stmt in group {
                let Made { proc, operands, .. } = &self.made[stmt];
                let mut others: Vec<usize> = operands
                    .iter()
                    .filter_map(|&symbol| of_value.get(&(*proc, symbol)).copied())
                    .filter(|&other| other != number)
                    .collect();
                others.sort_unstable();
                others.dedup();
                for other in others {
                    graph.update_edge(nodes[number], nodes[other], ());
                }
            }
        }
        // The components come with those first that no other depends on.
        let components = tarjan_scc(&graph);
        let order = components.into_iter().rev().flatten().map(|node| graph[node]);
        let mut groups: Vec<Option<Vec<StmtId>>> = groups.into_iter().map(Some).collect();
        order.filter_map(|number| groups[number].take()).collect()
    }

    /// Recomputations that share a variable, directly or through others.
    fn groups(&self) -> Vec<Vec<StmtId>> {
        let mut of_variable: HashMap<(ProcId, SymbolId), usize> = HashMap::new();
        let mut groups: Vec<Vec<StmtId>> = Vec::new();
        let mut stmts: Vec<StmtId> = self.needed.keys().copied().collect();
        stmts.sort_unstable();
        for stmt in stmts {
            let Made { proc, value, operands, .. } = &self.made[&stmt];
            // An operand that is not recorded anew ties nothing together.
            let tied = operands.iter().filter(|&&symbol| self.is_new(*proc, symbol)).chain([value]);
            let keys: Vec<(ProcId, SymbolId)> = tied.map(|&symbol| (*proc, symbol)).collect();
            let mut joined: Vec<usize> =
                keys.iter().filter_map(|key| of_variable.get(key).copied()).collect();
            joined.sort_unstable();
            joined.dedup();
            let into = joined.first().copied().unwrap_or(groups.len());
            if into == groups.len() {
                groups.push(Vec::new());
            }
            for &other in joined.iter().skip(1) {
                let moved = std::mem::take(&mut groups[other]);
                groups[into].extend(moved);
                of_variable.values_mut().filter(|group| **group == other).for_each(|g| *g = into);
            }
            groups[into].push(stmt);
            for key in keys {
                of_variable.insert(key, into);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn is_new(&self, proc: ProcId, symbol: SymbolId) -> bool {
        self.now.of(proc, symbol) > self.before.of(proc, symbol)
    }
}
