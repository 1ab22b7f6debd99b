//! The procedures `ad_follows_a` of derivative modules, which [`outer`](super::outer) writes: made,
//! declared, and brought into sight where they are called.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Body, Callee, Cfg, Comment, CommentKind, Document, Effects, Place, ProcClass, ProcId, ProcKind,
    ProcSort, Procedure, ProcedureInfo, Role, Scope, ScopeId, ScopeKind, SpecItem, StmtKind,
    SubroutineCall, SymbolId, Vertex, VertexKind,
};

use super::body::Tangent;
use crate::build::{rewrite_entries, whole};
use crate::transform::derivative::{Direction, declaration, symbol};

impl Tangent<'_> {
    /// The procedure that lets the derivative of the module variable `original` follow it; it is made
    /// when it is asked for first. `None` if the derivative stands in no module.
    pub(super) fn follower(
        &mut self,
        doc: &mut Document,
        original: SymbolId,
    ) -> Result<Option<SymbolId>, Diagnostic> {
        if let Some(&known) = self.followers.get(&original) {
            return Ok(Some(known));
        }
        let Some(derivative) = self.parts.variable(original) else { return Ok(None) };
        let home = doc.symbols[derivative].scope;
        if !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) {
            return Ok(None);
        }
        let (made, proc) = self.declare_follower(doc, original, derivative, home);
        self.followers.insert(original, made);
        let outer = std::mem::replace(&mut self.proc, proc);
        let (of, by) = (doc.name(derivative), doc.name(original));
        let text = format!(" Lets {of} follow {by}, which may have got other storage.").into();
        let place = Place::default();
        let comment = Comment { text, trailing: false, kind: CommentKind::Text, place };
        let done = rewrite_entries(doc, proc, |e, _| {
            e.stmt(StmtKind::Comment(comment.clone()), place);
            let object = whole(e.doc, original, Place::default());
            self.follow_state(e, object, Direction::All, 0)
        });
        self.proc = outer;
        done.map(|()| Some(made))
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

/// A name that nothing in the document has, so that it can be seen everywhere.
fn unique_name(doc: &Document, wish: &str) -> String {
    let wish: String = wish.chars().take(59).collect();
    let taken = |name: &str| doc.symbols.values().any(|s| s.id.eq_ignore_ascii_case(name));
    let numbered = (0..).map(|number: u32| format!("{wish}{number}"));
    let mut candidates = std::iter::once(wish.clone()).chain(numbered);
    candidates.find(|name| !taken(name)).unwrap_or(wish)
}
