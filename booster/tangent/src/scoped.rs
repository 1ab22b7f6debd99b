//! Constructs that give names, ASSOCIATE and DO CONCURRENT; and loop variables that are real.
//!
//! Associate names of variables have their derivatives from the declarations already, in SELECT TYPE
//! and SELECT RANK, too; here are those of expressions.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Body, Cfg, Document, ExprId, ExprKind, Place, Role, ScopeId, ScopeKind, StmtId, StmtKind,
    Symbol, SymbolId, Vertex, VertexId, VertexKind,
};

use super::body::Tangent;
use super::reads::references;
use super::zero::zero;
use booster_build::{Emitter, assign, fresh_name};
use booster_shadow::derivative::Direction;

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
            if let ExprKind::Ref(reference) = doc.exprs[selector].kind
                && known
                && !self.parts.takes_all(doc, reference)
            {
                return Err(self.error(
                    doc,
                    Code::SEVERAL_DIRECTIONS,
                    doc.exprs[selector].place,
                    "a name for a component that is an array has no tangent in several directions \
                     at once",
                    "compute one direction at a time, or name the component itself",
                ));
            }
            if known {
                continue;
            }
            if let ExprKind::Ref(reference) = doc.exprs[selector].kind {
                // A passive component of what has a derivative.
                let passive = doc.refs[reference].active == Some(false);
                if passive || self.parts.reference(doc, reference, Direction::All).is_none() {
                    continue;
                }
                return Err(self.error(
                    doc,
                    Code::DERIVATIVE_REFUSED,
                    doc.exprs[selector].place,
                    format!(
                        "`{}` stands for what has a derivative, and has none",
                        doc.name(symbol)
                    ),
                    "do not change facts of activity by hand, or name the variable itself",
                ));
            }
            let place = doc.exprs[selector].place;
            let Some(derivative) = self.derivative(doc, selector, Direction::All)? else {
                continue;
            };
            let rank = doc.exprs[derivative].ty.rank;
            if self.parts.directions.is_none() {
                let shaped = booster_linearize::conform(doc, derivative, selector);
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

    /// A loop variable that is real has the derivative of what it begins with in all iterations, where the
    /// step has none.
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
            let mut read = match doc.stmts[update].kind {
                StmtKind::Assign { rhs, .. } => references(doc, rhs),
                _ => Vec::new(),
            };
            read.retain(|&reference| doc.refs[reference].base != variable);
            let begins = references(doc, rhs);
            let begins = begins.iter().any(|&reference| self.is_active(doc, reference));
            if read.iter().any(|&reference| self.is_active(doc, reference)) {
                return Err(self.error(
                    doc,
                    Code::DERIVATIVE_REFUSED,
                    place,
                    format!("the step of the loop variable `{}` is active", doc.name(variable)),
                    "count by an integer and compute the variable in the loop",
                ));
            }
            let Some(target) = self.parts.reference(doc, lhs, Direction::All) else { continue };
            let first = match begins {
                true => self.derivative(doc, rhs, Direction::All)?,
                false => None,
            };
            let value = first.unwrap_or_else(|| zero(doc, doc.refs[target].ty.base, place));
            let stmt = assign(doc, target, value, place);
            let scope = self.scope(doc);
            before_loop(cfg, vertex, stmt, scope, place);
        }
        Ok(())
    }

    /// What must be done with a graph when its statements have been rewritten; `named` tells which
    /// symbols the body names.
    pub(super) fn local_names(
        &mut self,
        doc: &mut Document,
        named: &std::collections::HashSet<SymbolId>,
    ) -> Result<(), Diagnostic> {
        let Body::Flow(cfg) = &mut doc.procs[self.proc].body else { return Ok(()) };
        let mut cfg = std::mem::take(cfg);
        let result = self.localities(doc, &mut cfg, named);
        doc.procs[self.proc].body = Body::Flow(cfg);
        result
    }

    /// The derivative of a variable that DO CONCURRENT makes local to an iteration is local, too.
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
                        Code::DERIVATIVE_REFUSED,
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

/// A block with a statement before a loop.
fn before_loop(cfg: &mut Cfg, head: VertexId, stmt: StmtId, scope: ScopeId, place: Place) {
    let kind = VertexKind::BasicBlock { scope, stmts: vec![stmt] };
    let block = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
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
