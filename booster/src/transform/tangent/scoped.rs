//! Constructs that give names: ASSOCIATE, BLOCK, SELECT TYPE, SELECT RANK, DO CONCURRENT; and loop
//! variables that are real.
//!
//! ASSOCIATE gets a name for the derivative of each selector. In an arm of SELECT TYPE the
//! derivative object must be narrowed as its original is: the body of the arm stands in a SELECT
//! TYPE on the derivative object, which has the same dynamic type; so with SELECT RANK.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Body, BranchForm, Cfg, Document, Edge, ExprId, ExprKind, Guard, Place, Role, ScopeId,
    ScopeKind, StmtId, StmtKind, Symbol, SymbolId, Vertex, VertexId, VertexKind,
};

use super::body::Tangent;
use super::reads::references;
use super::zero::zero;
use crate::build::{Copier, Emitter, assign, binary, fresh_name, integer};
use crate::transform::derivative::Direction;

impl Tangent<'_> {
    /// The beginning of ASSOCIATE or BLOCK.
    pub(super) fn open_scope(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        scope: ScopeId,
    ) -> Result<(), Diagnostic> {
        e.push(stmt);
        match e.doc.scopes[scope].kind {
            ScopeKind::Associate => self.associate_expressions(e.doc, scope),
            ScopeKind::Block
            | ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::Procedure(_)
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => Ok(()),
        }
    }

    /// Names for the derivatives of selectors that are expressions.
    fn associate_expressions(
        &mut self,
        doc: &mut Document,
        scope: ScopeId,
    ) -> Result<(), Diagnostic> {
        for symbol in doc.scopes[scope].symbols.clone() {
            let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol) else {
                continue;
            };
            let selector = *selector;
            let known = self.parts.variable(symbol).is_some();
            if known || matches!(doc.exprs[selector].kind, ExprKind::Ref(_)) {
                continue;
            }
            let place = doc.exprs[selector].place;
            let Some(derivative) = self.derivative(doc, selector, Direction::All)? else {
                continue;
            };
            let rank = doc.exprs[derivative].ty.rank;
            if self.parts.directions.is_none() {
                let shaped = crate::transform::linearize::conform(doc, derivative, selector);
                self.name_expression(doc, scope, symbol, shaped);
            } else if doc.exprs[selector].ty.rank == 0 && rank == 1 {
                self.name_expression(doc, scope, symbol, derivative);
            } else {
                return Err(self.error(
                    doc,
                    Code::SEVERAL_DIRECTIONS,
                    place,
                    "an associate name for an array expression has no derivative in several \
                     directions at once",
                    "assign the expression to a variable",
                ));
            }
        }
        Ok(())
    }

    fn name_expression(
        &mut self,
        doc: &mut Document,
        scope: ScopeId,
        symbol: SymbolId,
        derivative: ExprId,
    ) {
        let wish = format!("{}{}", doc.name(symbol), self.suffix);
        let name = fresh_name(doc, scope, &wish);
        let old = doc.symbols[symbol].clone();
        let mut decl = old.decl.clone();
        if let Some(decl) = &mut decl {
            decl.name = name.clone();
            decl.role = Role::Associate { selector: Some(derivative) };
        }
        let made = doc.add_symbol(Symbol {
            id: name.to_ascii_lowercase(),
            rank: Some(doc.exprs[derivative].ty.rank),
            active: Some(false),
            temp: Some(true),
            decl,
            ..old
        });
        self.parts.add_variable(symbol, made);
    }

    /// What must be done with a graph before its statements are rewritten.
    pub(super) fn constructs(&mut self, doc: &mut Document) -> Result<(), Diagnostic> {
        let Body::Flow(cfg) = &mut doc.procs[self.proc].body else { return Ok(()) };
        let mut cfg = std::mem::take(cfg);
        let result = self.real_loops(doc, &mut cfg);
        doc.procs[self.proc].body = Body::Flow(cfg);
        result
    }

    /// A loop variable that is real has the derivative zero, where bounds and step have.
    fn real_loops(&mut self, doc: &mut Document, cfg: &mut Cfg) -> Result<(), Diagnostic> {
        for vertex in cfg.layout.clone() {
            let VertexKind::ForLoop { init, update, .. } = cfg.vertices[vertex].kind else {
                continue;
            };
            let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[init].kind else { continue };
            if !self.parts.is_active(doc, lhs) {
                continue;
            }
            let variable = doc.refs[lhs].base;
            let place = cfg.vertices[vertex].place;
            let mut read = references(doc, rhs);
            if let StmtKind::Assign { rhs, .. } = doc.stmts[update].kind {
                read.extend(references(doc, rhs));
            }
            read.retain(|&reference| doc.refs[reference].base != variable);
            if read.iter().any(|&reference| self.is_active(doc, reference)) {
                return Err(self.error(
                    doc,
                    Code::TANGENT_REFUSED,
                    place,
                    format!("the loop variable `{}` is active", doc.name(variable)),
                    "count by an integer and compute the variable in the loop",
                ));
            }
            let Some(target) = self.parts.reference(doc, lhs, Direction::All) else { continue };
            let value = zero(doc, doc.refs[target].ty.base, place);
            let stmt = assign(doc, target, value, place);
            let scope = self.scope(doc);
            before_loop(cfg, vertex, stmt, scope, place);
        }
        Ok(())
    }

    /// What must be done with a graph when its statements have been rewritten; `named` tells which
    /// symbols the body names.
    pub(super) fn narrow(
        &mut self,
        doc: &mut Document,
        named: &std::collections::HashSet<SymbolId>,
    ) -> Result<(), Diagnostic> {
        let Body::Flow(cfg) = &mut doc.procs[self.proc].body else { return Ok(()) };
        let mut cfg = std::mem::take(cfg);
        for vertex in cfg.layout.clone() {
            if let VertexKind::Branch {
                form: form @ (BranchForm::SelectType | BranchForm::SelectRank),
                ..
            } = cfg.vertices[vertex].kind
            {
                self.narrow_arms(doc, &mut cfg, vertex, form, named);
            }
        }
        let result = self.localities(doc, &mut cfg, named);
        doc.procs[self.proc].body = Body::Flow(cfg);
        result
    }

    fn narrow_arms(
        &mut self,
        doc: &mut Document,
        cfg: &mut Cfg,
        branch: VertexId,
        form: BranchForm,
        named: &std::collections::HashSet<SymbolId>,
    ) {
        let arms: Vec<Edge> = cfg.successors(branch).cloned().collect();
        for edge in arms {
            let VertexKind::BasicBlock { scope, .. } = cfg.vertices[edge.target].kind else {
                continue;
            };
            let Some(derivative) = self.derivative_name(doc, scope) else { continue };
            if !named.contains(&derivative) {
                doc.scopes[scope].symbols.retain(|&symbol| symbol != derivative);
                continue;
            }
            self.narrow_arm(doc, cfg, branch, &edge, scope, derivative, form);
        }
    }

    /// The derivative of the associate name of an arm.
    fn derivative_name(&self, doc: &Document, scope: ScopeId) -> Option<SymbolId> {
        let symbols = &doc.scopes[scope].symbols;
        let is_name = |symbol: &SymbolId| matches!(doc.role(*symbol), Some(Role::Associate { .. }));
        symbols.iter().filter(|&symbol| is_name(symbol)).find_map(|&symbol| {
            self.parts.variable(symbol).filter(|derivative| symbols.contains(derivative))
        })
    }

    /// Puts the body of an arm into a construct of its own on the derivative object.
    #[allow(clippy::too_many_arguments)]
    fn narrow_arm(
        &mut self,
        doc: &mut Document,
        cfg: &mut Cfg,
        branch: VertexId,
        arm: &Edge,
        scope: ScopeId,
        derivative: SymbolId,
        form: BranchForm,
    ) {
        let Some(Role::Associate { selector: Some(selector) }) = doc.role(derivative) else {
            return;
        };
        let selector = *selector;
        let Some((region, end)) = region(cfg, branch, arm.target) else { return };
        let place = cfg.vertices[arm.target].place;
        let inner = doc.add_scope(scope, ScopeKind::Associate, place);
        doc.scopes[scope].symbols.retain(|&symbol| symbol != derivative);
        doc.scopes[inner].symbols.push(derivative);
        doc.symbols[derivative].scope = inner;
        let children: Vec<ScopeId> = doc
            .scopes
            .iter()
            .filter(|(id, data)| data.parent == Some(scope) && *id != inner)
            .map(|(id, _)| id)
            .collect();
        for child in children {
            doc.scopes[child].parent = Some(inner);
        }
        for &vertex in &region {
            if let VertexKind::BasicBlock { scope: own, .. } = &mut cfg.vertices[vertex].kind
                && *own == scope
            {
                *own = inner;
            }
        }
        let guard = arm.guard.as_deref().map(|guard| self.guard_of_derivative(doc, guard));
        let condition = Some(Copier::new().expr(doc, selector));
        let new = |cfg: &mut Cfg, kind| cfg.vertices.push(Vertex { kind, place, id: None });
        let block = || VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let first = new(cfg, block());
        let select = new(cfg, VertexKind::Branch { condition, form, name: None });
        let join = new(cfg, VertexKind::EndBranch);
        let last = new(cfg, block());
        for edge in cfg.edges.values_mut() {
            if edge.source == branch && edge.target == arm.target {
                edge.target = first;
            }
            let falls = region.contains(&edge.source) && edge.target == end;
            if falls && !matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(_)) {
                edge.target = join;
            }
        }
        cfg.connect(first, select);
        let is_default = matches!(guard, Some(Guard::Default) | None);
        let condition = (!is_default).then_some(1);
        let guard = guard.map(Box::new);
        cfg.edges.push(Edge { source: select, target: arm.target, condition, guard });
        if !is_default {
            cfg.connect(select, join);
        }
        cfg.connect(join, last);
        cfg.connect(last, end);
        let at = |cfg: &Cfg, vertex| cfg.layout.iter().position(|&other| other == vertex);
        if let Some(from) = at(cfg, arm.target) {
            cfg.layout.splice(from..from, [first, select]);
            let to = from + 2 + region.len();
            cfg.layout.splice(to..to, [join, last]);
        }
    }

    /// A guard on the derivative object, which has one dimension more with several directions.
    fn guard_of_derivative(&self, doc: &mut Document, guard: &Guard) -> Guard {
        let copier = Copier::new();
        match guard {
            Guard::TypeIs(spec) => {
                let mut spec = spec.clone();
                copier.spec(doc, &mut spec);
                Guard::TypeIs(spec)
            }
            Guard::ClassIs(spec) => {
                let mut spec = spec.clone();
                copier.spec(doc, &mut spec);
                Guard::ClassIs(spec)
            }
            Guard::Rank(rank) => {
                let rank = copier.expr(doc, *rank);
                if self.parts.directions.is_none() {
                    return Guard::Rank(rank);
                }
                let one = integer(doc, 1, doc.exprs[rank].place);
                Guard::Rank(binary(doc, "add_scal_scal", rank, one))
            }
            Guard::Case(ranges) => Guard::Case(ranges.clone()),
            Guard::Default => Guard::Default,
            Guard::RankStar => Guard::RankStar,
        }
    }

    /// The derivative of a variable that DO CONCURRENT makes local to a round is local, too.
    fn localities(
        &mut self,
        doc: &Document,
        cfg: &mut Cfg,
        named: &std::collections::HashSet<SymbolId>,
    ) -> Result<(), Diagnostic> {
        for vertex in cfg.vertices.values_mut() {
            let place = vertex.place;
            let VertexKind::ConcurrentLoop { header, locality: Some(text), .. } = &mut vertex.kind
            else {
                continue;
            };
            *text = self.locality(doc, text, header.scope, named, place)?.into();
        }
        Ok(())
    }

    fn locality(
        &self,
        doc: &Document,
        text: &str,
        scope: ScopeId,
        named: &std::collections::HashSet<SymbolId>,
        place: Place,
    ) -> Result<String, Diagnostic> {
        let mut clauses = Vec::new();
        for clause in text.split_inclusive(')').map(str::trim).filter(|clause| !clause.is_empty()) {
            let Some((word, list)) = clause.trim_end_matches(')').split_once('(') else {
                clauses.push(clause.to_owned());
                continue;
            };
            let (operator, list) = match list.split_once(':') {
                Some((operator, list)) => (Some(operator.trim()), list),
                None => (None, list),
            };
            let mut names = Vec::new();
            for name in list.split(',').map(str::trim) {
                names.push(name.to_owned());
                let derivative = seen(doc, scope, name)
                    .and_then(|symbol| self.parts.variable(symbol))
                    .filter(|derivative| named.contains(derivative));
                let Some(derivative) = derivative else { continue };
                if operator.is_some_and(|operator| operator != "+") {
                    return Err(self.error(
                        doc,
                        Code::TANGENT_REFUSED,
                        place,
                        format!("the reduction of `{name}` has no tangent"),
                        "reduce in a statement of its own behind the loop",
                    ));
                }
                names.push(doc.name(derivative).to_owned());
            }
            let operator = operator.map(|operator| format!("{operator}: ")).unwrap_or_default();
            clauses.push(format!("{word}({operator}{})", names.join(", ")));
        }
        let strict = clauses.iter().any(|clause| clause == "default(none)");
        if strict && let Some(counter) = self.counted() {
            clauses.push(format!("local({})", doc.name(counter)));
        }
        Ok(clauses.join(" "))
    }
}

/// The symbol that a name means in `scope`.
fn seen(doc: &Document, scope: ScopeId, name: &str) -> Option<SymbolId> {
    let id = name.to_ascii_lowercase();
    std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent)
        .find_map(|scope| doc.symbol_in(scope, &id))
}

/// The vertices of an arm in the order of the text, and the end of its branch.
fn region(cfg: &Cfg, branch: VertexId, arm: VertexId) -> Option<(Vec<VertexId>, VertexId)> {
    let from = cfg.layout.iter().position(|&vertex| vertex == arm)?;
    let others: Vec<VertexId> = cfg.successors(branch).map(|edge| edge.target).collect();
    let mut depth = 0_usize;
    let mut last = None;
    let mut end = None;
    for (index, &vertex) in cfg.layout.iter().enumerate().skip(from) {
        if depth == 0 && index > from && last.is_none() && others.contains(&vertex) {
            last = Some(index);
        }
        match &cfg.vertices[vertex].kind {
            VertexKind::Branch { form, .. } if has_end(*form) => depth += 1,
            VertexKind::EndBranch if depth == 0 => {
                end = Some((index, vertex));
                break;
            }
            VertexKind::EndBranch => depth -= 1,
            _ => {}
        }
    }
    let (index, end) = end?;
    let to = last.unwrap_or(index);
    Some((cfg.layout.get(from..to)?.to_vec(), end))
}

fn has_end(form: BranchForm) -> bool {
    match form {
        BranchForm::Plain
        | BranchForm::If
        | BranchForm::InlineIf
        | BranchForm::ElseIf
        | BranchForm::SelectCase
        | BranchForm::SelectType
        | BranchForm::SelectRank => true,
        BranchForm::ArithmeticIf
        | BranchForm::ComputedGoto
        | BranchForm::AssignedGoto
        | BranchForm::IndirectGoto => false,
    }
}

/// A block with a statement before a loop.
fn before_loop(cfg: &mut Cfg, head: VertexId, stmt: StmtId, scope: ScopeId, place: Place) {
    let kind = VertexKind::BasicBlock { scope, stmts: vec![stmt] };
    let block = cfg.vertices.push(Vertex { kind, place, id: None });
    let back: Vec<bool> = cfg
        .edges
        .values()
        .map(|edge| matches!(cfg.vertices[edge.source].kind, VertexKind::EndLoop))
        .collect();
    for (edge, back) in cfg.edges.values_mut().zip(back) {
        if edge.target == head && !back {
            edge.target = block;
        }
    }
    cfg.connect(block, head);
    if let Some(at) = cfg.layout.iter().position(|&vertex| vertex == head) {
        cfg.layout.insert(at, block);
    }
}
