//! The procedures `ad_follows_a` of derivative modules, which [`outer`](super::outer) writes: made,
//! declared, and brought into sight where they are called.
//!
//! A pointer may be associated with any target of its module and of the modules that this one uses;
//! `associated(p, a)` tells at run time with which, as far as it is a whole variable.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Attr, Base, Body, Callee, Cfg, Comment, CommentKind, Document, Effects, Part, Place, ProcClass,
    ProcId, ProcKind, ProcSort, Procedure, ProcedureInfo, RefId, Role, Scope, ScopeId, ScopeKind,
    SpecItem, StmtKind, SubroutineCall, Subscript, SymbolId, Ty, Vertex, VertexKind,
};

use super::body::Tangent;
use booster_build::{
    Emitter, bound, integer, intrinsic, rewrite_entries, unique_name, value_of, whole,
};
use booster_shadow::derivative::{Direction, declaration, symbol};

impl Tangent<'_> {
    /// The procedure that lets the derivative of the module variable `original` follow it; it is made
    /// when it is asked for first. `None` if the derivative stands in no module.
    /// One that is not `strict` goes on where it cannot tell what a pointer is associated with.
    pub(super) fn follower(
        &mut self,
        doc: &mut Document,
        original: SymbolId,
        strict: bool,
    ) -> Result<Option<SymbolId>, Diagnostic> {
        if let Some(&known) = self.followers.get(&(original, strict)) {
            return Ok(Some(known));
        }
        let Some(derivative) = self.parts.variable(original) else { return Ok(None) };
        let home = doc.symbols[derivative].scope;
        if !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) {
            return Ok(None);
        }
        if !strict && self.targets_of(doc, original).is_empty() {
            return Ok(None);
        }
        let (made, proc) = self.declare_follower(doc, original, derivative, home);
        self.followers.insert((original, strict), made);
        let outer = std::mem::replace(&mut self.proc, proc);
        let (of, by) = (doc.name(derivative), doc.name(original));
        let text = format!(" Lets {of} follow {by}, which may have got other storage.").into();
        let place = Place::default();
        let comment = Comment { text, trailing: false, kind: CommentKind::Text, place };
        let done = rewrite_entries(doc, proc, |e, _| {
            e.stmt(StmtKind::Comment(comment.clone()), place);
            let object = whole(e.doc, original, Place::default());
            if !e.doc.has(original, Attr::Pointer) {
                return self.follow_state(e, object, Direction::All);
            }
            let targets = self.associate_with_targets(e, object, original, derivative)?;
            if strict {
                if targets > 0 {
                    e.open_else();
                }
                self.follow_state(e, object, Direction::All)?;
            }
            (0..targets).for_each(|_| e.close_if());
            Ok(())
        });
        self.proc = outer;
        done.map(|()| Some(made))
    }

    /// The module variables with derivatives that a pointer of a module may be associated with as a
    /// whole, among those of its module and of the modules that this one uses.
    fn targets_of(&self, doc: &Document, pointer: SymbolId) -> Vec<SymbolId> {
        let shape = |symbol: SymbolId| {
            let decl = doc.symbols[symbol].decl.as_ref()?;
            Some((decl.spec.base(), decl.dims.len()))
        };
        let of_module = |module: SymbolId| {
            doc.scopes.iter().find_map(|(id, scope)| match scope.kind {
                ScopeKind::Module(symbol) if symbol == module => Some(id),
                _ => None,
            })
        };
        let mut modules = vec![doc.symbols[pointer].scope];
        let (mut next, mut found) = (0, Vec::new());
        while let Some(&module) = modules.get(next) {
            next += 1;
            for item in &doc.scopes[module].items {
                if let SpecItem::Use(used) = item
                    && let Some(scope) = of_module(used.module)
                    && !modules.contains(&scope)
                {
                    modules.push(scope);
                }
            }
            found.extend(doc.scopes[module].symbols.iter().copied().filter(|&symbol| {
                matches!(doc.role(symbol), Some(Role::Variable))
                    && doc.has(symbol, Attr::Target)
                    && shape(symbol) == shape(pointer)
                    && self.parts.variable(symbol).is_some()
            }));
        }
        found
    }

    /// `if (associated(p, a)) then; pd(lbound(p, 1):) => ad; else if ...`; leaves as many IFs open as
    /// it returns.
    fn associate_with_targets(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        original: SymbolId,
        derivative: SymbolId,
    ) -> Result<usize, Diagnostic> {
        let place = Place::default();
        let mut open = 0;
        for target in self.targets_of(e.doc, original) {
            let Some(of_target) = self.parts.variable(target) else { continue };
            if !self.import(e.doc, target) || !self.import(e.doc, of_target) {
                continue;
            }
            let pointer = whole(e.doc, original, place);
            let pointer = value_of(e.doc, pointer);
            let whole_target = whole(e.doc, target, place);
            let it = value_of(e.doc, whole_target);
            let logical = Ty::scalar(Base::Logical(4));
            let same = intrinsic(e.doc, "associated", &[pointer, it], logical);
            if open == 0 {
                e.open_if(same, place)
            } else {
                e.open_else_if(same, place)
            }
            let lhs = whole(e.doc, derivative, place);
            let rank = e.doc.refs[object].ty.rank;
            let leading = e.doc.refs[lhs].ty.rank.saturating_sub(rank);
            if rank > 0 {
                let of_directions =
                    (0..leading).map(|_| integer(e.doc, 1, place)).collect::<Vec<_>>();
                let own = (1..=rank).map(|n| bound(e.doc, object, "lbound", n)).collect::<Vec<_>>();
                let bounds = of_directions.into_iter().chain(own).map(|lower| Subscript::Section {
                    lower: Some(lower),
                    upper: None,
                    stride: None,
                });
                let bounds = Part::Elements(bounds.collect());
                e.doc.refs[lhs].parts.push(bounds);
            }
            let rhs = whole(e.doc, of_target, place);
            let rhs = value_of(e.doc, rhs);
            e.stmt(StmtKind::PointerAssign { lhs, rhs }, place);
            open += 1;
        }
        Ok(open)
    }

    fn declare_follower(
        &self,
        doc: &mut Document,
        original: SymbolId,
        derivative: SymbolId,
        home: ScopeId,
    ) -> (SymbolId, ProcId) {
        let place = doc.scopes[home].place;
        let (of, by) = (doc.name(derivative).to_owned(), doc.name(original).to_owned());
        let name = unique_name(doc, &format!("{of}_follows_{by}"));
        let role = |proc| {
            let (sort, class) = (ProcSort::Subroutine, ProcClass::Module);
            Role::Procedure(ProcedureInfo { sort, class, proc, interface: None, pass: None })
        };
        let made = doc.add_symbol(symbol(home, declaration(name, role(None), place)));
        let scope = doc.scopes.push(Scope::new(Some(home), ScopeKind::Procedure(made), place));
        let mut cfg = Cfg::default();
        let entry =
            cfg.push(Vertex { kind: VertexKind::Entry(None), place, id: None, recorded: None });
        let exit = cfg.push(Vertex { kind: VertexKind::Exit, place, id: None, recorded: None });
        cfg.connect(entry, exit);
        let proc = doc.procs.push(Procedure {
            symbol: made,
            scope,
            args: Vec::new(),
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Flow(cfg),
            place,
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
        if let Some(decl) = doc.symbols[made].decl.as_deref_mut() {
            decl.role = role(Some(proc));
        }
        doc.scopes[home].contains.push(SpecItem::Unit(scope));
        (made, proc)
    }
}

/// `call follower()`
pub(super) fn call_of(follower: SymbolId) -> StmtKind {
    StmtKind::Call(Box::new(SubroutineCall {
        callee: Callee { symbol: follower, generic: None, object: None },
        args: Vec::new(),
        formal_count: Some(0),
        active: Some(false),
    }))
}
