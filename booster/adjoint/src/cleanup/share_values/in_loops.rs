//! Assignments to elements that hold for all iterations of a counted loop once it has ended.
//!
//! Behind `do i = 1, n` with `r(i) = exp(-t(i))` each `r(i)` of that range is `exp(-t(i))`, and another loop over the range
//! may read it, in whatever direction it runs. The statement must be executed in each iteration and write another
//! element each time; nothing else in the loop may overwrite the element, nor may the same or a later iteration overwrite
//! an operand behind the statement (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", section 2.3: no
//! dependence from the statement to such a write).

use xaif_schema::model::{
    Cfg, Document, ExprId, Part, RefId, StmtId, StmtKind, Subscript, SymbolId, VertexId, VertexKind,
};

use super::available::Fact;
use crate::cleanup::aliasing::{Aliasing, Effect, effect, reads};
use booster_build::{nodes_of, same_expr};
use booster_facts::dependence::Range;
use booster_facts::loops::{Loop, loops, offset};

/// The iterations in which a fact holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iterations {
    /// The head of the loop.
    pub(super) head: VertexId,
    variable: SymbolId,
    lower: ExprId,
    upper: ExprId,
}

impl Iterations {
    /// Whether a loop of these is over a part of the iterations.
    pub(super) fn cover(&self, doc: &Document, around: &[Range]) -> bool {
        around.iter().any(|range| {
            let (lower, upper) = match range.rising {
                true => (range.first, range.last),
                false => (range.last, range.first),
            };
            range.variable == self.variable
                && same_expr(doc, lower, self.lower)
                && same_expr(doc, upper, self.upper)
        })
    }
}

/// The facts among `facts` that hold behind a loop.
pub(super) fn behind_loops(
    doc: &Document,
    cfg: &Cfg,
    aliasing: &Aliasing,
    facts: &[Fact],
) -> Vec<Fact> {
    let all = loops(doc, cfg);
    let mut found = Vec::new();
    for of in all.iter().filter(|of| matches!(of.step, 1 | -1)) {
        let Some(body) = Body::new(doc, cfg, of) else { continue };
        let own = facts.iter().filter(|fact| body.executed.contains(&fact.stmt));
        found.extend(own.filter_map(|fact| body.fact(aliasing, fact)));
    }
    found
}

/// The statements of a loop.
struct Body<'a> {
    doc: &'a Document,
    of: &'a Loop,
    head: VertexId,
    /// The statements that each iteration executes.
    executed: Vec<StmtId>,
    /// The variables that they overwrite, in the order of the text.
    written: Vec<(StmtId, RefId)>,
}

impl<'a> Body<'a> {
    /// `None` where a statement may overwrite anything, or an iteration may end before its last statement.
    fn new(doc: &'a Document, cfg: &Cfg, of: &'a Loop) -> Option<Self> {
        let (mut executed, mut written) = (Vec::new(), Vec::new());
        let mut depth = 0_usize;
        let mut write = |stmt: StmtId| match effect(doc, stmt) {
            Effect::Nothing => Some(()),
            Effect::Writes(reference) => {
                written.push((stmt, reference));
                Some(())
            }
            Effect::Unknown => None,
        };
        for &vertex in cfg.layout.get(of.head + 1..of.end)? {
            match &cfg.vertices[vertex].kind {
                VertexKind::BasicBlock { .. } => {
                    let stmts = cfg.vertices[vertex].kind.stmts();
                    stmts.iter().try_for_each(|&stmt| write(stmt))?;
                    if depth == 0 {
                        executed.extend(stmts);
                    }
                }
                VertexKind::Branch { .. } => depth += 1,
                VertexKind::ForLoop { init, update, .. } => {
                    [*init, *update].into_iter().try_for_each(&mut write)?;
                    depth += 1;
                }
                VertexKind::EndBranch | VertexKind::EndLoop => depth = depth.checked_sub(1)?,
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => return None,
            }
        }
        Some(Body { doc, of, head: *cfg.layout.get(of.head)?, executed, written })
    }

    fn fact(&self, aliasing: &Aliasing, fact: &Fact) -> Option<Fact> {
        let (doc, variable) = (self.doc, self.of.variable);
        let StmtKind::Assign { lhs, .. } = doc.stmts[fact.stmt].kind else { return None };
        self.moving(lhs)?;
        let (lower, upper) = match self.of.step > 0 {
            true => (self.of.lower, self.of.upper),
            false => (self.of.upper, self.of.lower),
        };
        let bounds = nodes_of(doc, [lower, upper]).into_iter();
        let bounds: Vec<RefId> = bounds.filter_map(|node| doc.exprs[node].reference()).collect();
        let is_variable = |&name: &RefId| doc.refs[name].base == variable;
        let mut operands = reads(doc, fact.stmt);
        operands.retain(|name| !is_variable(name));
        let mut before = true;
        for &(stmt, written) in &self.written {
            before &= stmt != fact.stmt;
            let touches = |&name: &RefId| aliasing.touches(doc, written, name, &[]);
            let changes =
                |name: &RefId| touches(name) && !self.comes_before(written, *name, before);
            if stmt != fact.stmt && touches(&lhs)
                || bounds.iter().any(touches)
                || operands.iter().any(changes)
            {
                return None;
            }
        }
        let names = [lhs].into_iter().chain(operands).chain(bounds).collect();
        let iterations = Iterations { head: self.head, variable, lower, upper };
        Some(Fact { names, over: Some(iterations), ..fact.clone() })
    }

    /// The subscript, and the constant in it, by which a reference names another element in each iteration.
    fn moving(&self, reference: RefId) -> Option<(usize, i64)> {
        let [Part::Elements(list)] = &self.doc.refs[reference].parts[..] else { return None };
        list.iter().enumerate().find_map(|(dimension, subscript)| match *subscript {
            Subscript::Index(index) => match offset(self.doc, index)? {
                (Some(variable), constant) if variable == self.of.variable => {
                    Some((dimension, constant))
                }
                _ => None,
            },
            Subscript::Section { .. } => None,
        })
    }

    /// Whether all iterations that overwrite by `written` what an iteration reads by `name` come before that; an earlier
    /// statement of the same iteration does.
    fn comes_before(&self, written: RefId, name: RefId, earlier: bool) -> bool {
        let (Some((at, to)), Some((also, of))) = (self.moving(written), self.moving(name)) else {
            return false;
        };
        let same = self.doc.refs[written].base == self.doc.refs[name].base && at == also;
        // The write of `k` iterations later meets the element.
        let later = (of - to) * self.of.step.signum();
        same && if earlier { later < 1 } else { later < 0 }
    }
}
