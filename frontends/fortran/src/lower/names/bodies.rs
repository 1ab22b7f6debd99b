//! Around the body of a procedure: statement functions, directives, edges of the call graph.

use std::collections::HashSet;

use xaif_schema::intrinsics;
use xaif_schema::model::{
    Attr, Body, EntityRef, ExprId, ExprKind, Place, ProcClass, ProcId, ProcSort, Reference, Role,
    ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, SymbolId,
};

use super::needs::Needs;
use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// Lowers the executable part of `unit`.
    pub(super) fn lower_body(&mut self, unit: &'a ast::Unit, proc: ProcId) {
        let scope = self.doc.procs[proc].scope;
        self.file = self.names[scope].file;
        self.scan(scope, &unit.exec);
        let (kept, start) = self.statement_functions(scope, unit);
        self.settle_functions(proc, scope);
        let (stmts, exprs) = (self.doc.stmts.len(), self.doc.exprs.len());
        let rest = unit.exec.get(start..).unwrap_or_default();
        let cfg = if kept.is_empty() {
            self.body(proc, scope, rest, &unit.end.head)
        } else {
            let mut exec = kept;
            exec.extend(rest.iter().cloned());
            self.body(proc, scope, &exec, &unit.end.head)
        };
        self.doc.procs[proc].body = Body::Flow(cfg);
        self.call_edges(proc, stmts, exprs);
        self.apply_directives();
    }

    /// Scalars that the body passes as arguments and calls as functions are functions, also where
    /// they are passed before they are called.
    fn settle_functions(&mut self, proc: ProcId, scope: ScopeId) {
        let mut names: Vec<&'a str> = self.names[scope].functions.iter().copied().collect();
        names.sort_unstable();
        for key in names {
            let Some(symbol) = self.lookup_own(scope, key) else { continue };
            let is_result = self.doc.procs[proc].result == Some(symbol)
                || self.entries.values().any(|entry| entry.result == Some(symbol));
            let is_intrinsic = intrinsics::named(key).is_some()
                && !self.is_dummy(symbol)
                && !self.has_attr(symbol, Attr::External);
            let is_data = self.doc.symbols[symbol]
                .decl
                .as_deref()
                .is_none_or(|decl| decl.common.is_some() || decl.intent.is_some());
            if !is_result && !is_intrinsic && !is_data {
                self.make_procedure(symbol, ProcSort::Function);
            }
        }
    }

    /// Finds BLOCK constructs and directives, at any depth.
    fn scan(&mut self, scope: ScopeId, exec: &'a [ast::ExecItem]) {
        let mut todo: Vec<&'a [ast::ExecItem]> = vec![exec];
        while let Some(block) = todo.pop() {
            for item in block {
                match item {
                    ast::ExecItem::Trivia(ast::Trivia::Directive(directive)) => {
                        self.note_directive(scope, directive);
                    }
                    ast::ExecItem::Trivia(_) => {}
                    ast::ExecItem::Stmt(stmt) => self.scan_stmt(stmt, &mut todo),
                }
            }
        }
    }

    fn scan_stmt(&mut self, stmt: &'a ast::Stmt, todo: &mut Vec<&'a [ast::ExecItem]>) {
        if let ast::StmtKind::Block { spec, .. } = &stmt.kind {
            self.blocks.insert((self.file, stmt.head.place), spec);
        }
        todo.extend(stmt.blocks());
    }

    /// Takes the statement functions at the beginning of the executable part. What is left is a
    /// list of statements that stood among them, and the index of the first one behind them.
    fn statement_functions(
        &mut self,
        scope: ScopeId,
        unit: &'a ast::Unit,
    ) -> (Vec<ast::ExecItem>, usize) {
        let mut kept = entries_among_declarations(unit);
        let mut start = 0;
        let mut between: Vec<&ast::ExecItem> = Vec::new();
        for (index, item) in unit.exec.iter().enumerate() {
            let ast::ExecItem::Stmt(stmt) = item else {
                between.push(item);
                continue;
            };
            match &stmt.kind {
                ast::StmtKind::Spec(_) => between.push(item),
                ast::StmtKind::Assign { target, value } => {
                    let Some((name, args)) = self.statement_function(scope, target) else { break };
                    self.pass_over(scope, &between, &mut kept);
                    between.clear();
                    self.lower_statement_function(scope, &stmt.head, name, &args, value);
                    start = index + 1;
                }
                _ => break,
            }
        }
        (kept, start)
    }

    /// Comments before a statement function stay before it; FORMAT and the like are executable.
    fn pass_over(
        &mut self,
        scope: ScopeId,
        between: &[&ast::ExecItem],
        kept: &mut Vec<ast::ExecItem>,
    ) {
        for item in between {
            match item {
                ast::ExecItem::Trivia(trivia) => {
                    let comment = self.trivia(trivia);
                    self.doc.scopes[scope].items.push(SpecItem::Comment(comment));
                }
                ast::ExecItem::Stmt(_) => kept.push((*item).clone()),
            }
        }
    }

    /// The name and dummy arguments, if an assignment to `target` defines a statement function.
    fn statement_function<'t>(
        &mut self,
        scope: ScopeId,
        target: &'t ast::Designator,
    ) -> Option<(&'t ast::Name, Vec<&'t ast::Name>)> {
        let [part] = target.parts.as_slice() else { return None };
        let [arguments] = part.arguments.as_slice() else { return None };
        let args: Vec<&ast::Name> = arguments.iter().map(simple_argument).collect::<Option<_>>()?;
        let is_scalar = match self.names[scope].own.get(part.name.key()).copied() {
            Some(symbol) => {
                self.settle(symbol);
                let decl = self.doc.symbols[symbol].decl.as_deref()?;
                matches!(decl.role, Role::Variable)
                    && decl.dims.is_empty()
                    && !self.is_dummy(symbol)
            }
            None => {
                self.find(scope, part.name.key()).is_none() && self.missing_module(scope).is_none()
            }
        };
        is_scalar.then_some((&part.name, args))
    }

    fn lower_statement_function(
        &mut self,
        scope: ScopeId,
        head: &ast::Head,
        name: &ast::Name,
        args: &[&ast::Name],
        value: &ast::Expr,
    ) {
        let symbol = self.lookup_or_declare(scope, name);
        self.decl_mut(symbol, |decl| decl.role = Role::StatementFunction);
        self.classify(symbol);
        let inner = self.open_scope(scope, ScopeKind::StatementFunction(symbol), name.place);
        let args = args.iter().map(|name| self.declare_index(inner, name, None)).collect();
        let body = self.expr(inner, value);
        let item = SpecItem::StatementFunction { symbol, scope: inner, args, body };
        for need in Needs::of_item(&self.doc, &item) {
            if self.doc.symbols[need].scope == scope && self.is_undeclared_variable(need) {
                self.names[scope].declared.insert(need);
                self.doc.scopes[scope].items.push(SpecItem::Declare(vec![need]));
            }
        }
        let mut items = std::mem::take(&mut self.doc.scopes[scope].items);
        let before = items.len();
        items.push(item);
        self.trail(&mut items, head, before);
        self.doc.scopes[scope].items = items;
    }

    /// Adds the edges of the call graph that the declarations make, and the statements and
    /// expressions from these on.
    fn call_edges(&mut self, caller: ProcId, stmts: usize, exprs: usize) {
        let mut callees = Needs::called_in(&self.doc, self.doc.procs[caller].scope);
        for index in stmts..self.doc.stmts.len() {
            match &self.doc.stmts[StmtId::new(index)].kind {
                StmtKind::Call(call) => callees.push(call.callee.symbol),
                StmtKind::Assign { defined: Some(callee), .. } => callees.push(callee.symbol),
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
        for index in exprs..self.doc.exprs.len() {
            if let ExprKind::Call(call) = &self.doc.exprs[ExprId::new(index)].kind {
                callees.push(call.callee.symbol);
            }
        }
        let mut seen = HashSet::new();
        for symbol in callees {
            if let Some(callee) = self.executed(symbol)
                && seen.insert(callee)
            {
                self.doc.calls.push((caller, callee));
            }
        }
    }

    /// The procedure whose body is executed when `symbol` is called, as far as it is given.
    fn executed(&mut self, symbol: SymbolId) -> Option<ProcId> {
        let mut symbol = symbol;
        for _ in 0..4 {
            match self.doc.role(symbol)? {
                Role::Binding { target: Some(target), .. } => symbol = *target,
                Role::Procedure(info) => {
                    let proc = info.proc?;
                    if !matches!(self.doc.procs[proc].body, Body::Interface) {
                        return Some(proc);
                    }
                    let key = self.doc.symbols[symbol].id.clone();
                    return match info.class {
                        ProcClass::External => self.given_external(&key).or(Some(proc)),
                        ProcClass::Module => self.implementation(symbol).or(Some(proc)),
                        _ => Some(proc),
                    };
                }
                _ => return None,
            }
        }
        None
    }

    /// The separate module procedure that implements the interface `symbol`: of those with its name
    /// the one in the module of the interface or below it.
    fn implementation(&self, symbol: SymbolId) -> Option<ProcId> {
        let symbol = &self.doc.symbols[symbol];
        let candidates = self.separate.get(&symbol.id)?;
        candidates.iter().copied().find(|&proc| {
            let mut scope = self.doc.scopes[self.doc.procs[proc].scope].parent;
            // Submodules that were given as each other's parents have no module above them.
            for _ in 0..=self.modules.len() {
                match scope {
                    Some(around) if around == symbol.scope => return true,
                    Some(around) => scope = self.doc.scopes[around].parent,
                    None => return false,
                }
            }
            false
        })
    }

    /// Remembers an INDEPENDENT or DEPENDENT directive until all names are known.
    pub(super) fn note_directive(&mut self, scope: ScopeId, directive: &'a ast::Directive) {
        if is_noted(directive) {
            self.directives.push((scope, self.file, directive));
        }
    }

    /// Records INDEPENDENT and DEPENDENT directives in their procedures.
    fn apply_directives(&mut self) {
        for (scope, file, directive) in std::mem::take(&mut self.directives) {
            self.file = file;
            let Some((independent, names)) = variables(&directive.text) else { continue };
            let Some(names) = names else {
                self.idle_directive(
                    directive,
                    "the list of this directive cannot be read, so it has no effect",
                    "list variables, separated by commas: `!$oxad independent(x, y)`",
                );
                continue;
            };
            let Some(proc) = self.procedure_around(scope) else {
                self.directive_outside(directive);
                continue;
            };
            for name in names {
                self.differentiated(scope, proc, directive, independent, name);
            }
        }
    }

    fn idle_directive(&mut self, directive: &ast::Directive, message: &str, help: &str) {
        let code = xaif_schema::diag::Code::UNKNOWN_DIRECTIVE;
        self.warn(code, directive.place, message.to_owned(), help);
    }

    /// Warns of an INDEPENDENT or DEPENDENT directive in no procedure.
    pub(super) fn directive_outside(&mut self, directive: &ast::Directive) {
        if is_noted(directive) && variables(&directive.text).is_some() {
            self.idle_directive(
                directive,
                "this directive stands in no procedure, so it has no effect",
                "move it into the procedure whose derivative is wanted",
            );
        }
    }

    fn differentiated(
        &mut self,
        scope: ScopeId,
        proc_id: ProcId,
        directive: &ast::Directive,
        independent: bool,
        name: &str,
    ) {
        let name = ast::Name::new(name, directive.place);
        let symbol = match self.lookup(scope, name.key()) {
            None if self.missing_module(scope).is_some() => {
                Some(self.lookup_or_declare(scope, &name))
            }
            found => found,
        };
        let is_variable = symbol.is_some_and(|symbol| {
            matches!(self.doc.role(symbol), Some(Role::Variable | Role::Unresolved { .. }))
        });
        let Some(symbol) = symbol.filter(|_| is_variable) else {
            self.warn(
                xaif_schema::diag::Code::DIRECTIVE_NAME,
                directive.place,
                format!("the directive names `{name}`, which is no variable here"),
                "list variables of the procedure in which the directive stands",
            );
            return;
        };
        let ty = self.type_of(symbol);
        let place: Place = self.place(directive.place);
        let proc = &self.doc.procs[proc_id];
        let listed = if independent { &proc.independent } else { &proc.dependent };
        // A name that is given again says nothing new.
        if listed.iter().any(|&reference| self.doc.refs[reference].base == symbol) {
            return;
        }
        let reference = self.doc.refs.push(Reference::whole(symbol, ty, place));
        let proc = &mut self.doc.procs[proc_id];
        if independent {
            proc.independent.push(reference);
        } else {
            proc.dependent.push(reference);
        }
    }
}

/// Whether INDEPENDENT and DEPENDENT behind the sentinel of a directive are obeyed.
fn is_noted(directive: &ast::Directive) -> bool {
    matches!(&*directive.sentinel, "$openad" | "$ad" | "$oxad")
}

/// ENTRY statements among declarations are executable: they come first.
fn entries_among_declarations(unit: &ast::Unit) -> Vec<ast::ExecItem> {
    unit.spec
        .iter()
        .filter_map(|item| match item {
            ast::SpecItem::Stmt(stmt) if matches!(stmt.kind, ast::SpecKind::Entry(_)) => {
                Some(ast::ExecItem::Stmt(Box::new(ast::Stmt {
                    head: stmt.head.clone(),
                    kind: ast::StmtKind::Spec(Box::new(stmt.kind.clone())),
                })))
            }
            ast::SpecItem::Stmt(_) | ast::SpecItem::Trivia(_) => None,
        })
        .collect()
}

/// An argument that is nothing but a name.
fn simple_argument(argument: &ast::Argument) -> Option<&ast::Name> {
    match &argument.value {
        ast::ArgumentValue::Expr(ast::Expr { kind: ast::ExprKind::Designator(d), .. })
            if argument.keyword.is_none() =>
        {
            d.simple()
        }
        _ => None,
    }
}

/// Whether a directive is INDEPENDENT (else DEPENDENT), and the names that it lists; `None` where the
/// list cannot be read. Of an element or section the whole variable counts.
fn variables(text: &str) -> Option<(bool, Option<Vec<&str>>)> {
    let text = text.trim();
    let word: usize = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (keyword, rest) = text.split_at(word);
    let independent = match keyword.to_ascii_lowercase().as_str() {
        "independent" => true,
        "dependent" => false,
        _ => return None,
    };
    Some((independent, listed(rest.trim())))
}

/// The names of a list, in parentheses or not.
fn listed(list: &str) -> Option<Vec<&str>> {
    let inner = match list.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None => list,
    };
    let mut names = Vec::new();
    let (mut depth, mut begin) = (0i32, 0);
    for (index, character) in inner.char_indices().chain([(inner.len(), ',')]) {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                names.push(base_name(inner.get(begin..index)?.trim())?);
                begin = index + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then_some(names)
}

/// The name that a variable, an element, a section or a component begins with.
fn base_name(item: &str) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = item.find(|c: char| !is_name(c)).unwrap_or(item.len());
    let (name, rest) = item.split_at(end);
    let rest = rest.trim_start();
    let is_whole = rest.is_empty() || rest.starts_with(['(', '%']);
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && is_whole).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::variables;

    #[test]
    fn a_directive_lists_variables_by_name() {
        assert_eq!(variables("INDEPENDENT(x, y(1:n, 2))"), Some((true, Some(vec!["x", "y"]))));
        assert_eq!(variables("dependent (z)"), Some((false, Some(vec!["z"]))));
        assert_eq!(variables("dependent z, w"), Some((false, Some(vec!["z", "w"]))));
        assert_eq!(variables("xxx Template oad.f"), None);
    }

    #[test]
    fn a_list_that_is_not_clear_is_not_read_in_part() {
        for list in ["", "()", "(", "(x", "x)", "(x) y", "(x y)", "(x,,y)", "(2x)", "= x"] {
            assert_eq!(variables(&format!("independent {list}")), Some((true, None)), "{list}");
        }
    }
}
