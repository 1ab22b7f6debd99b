//! Which scopes stand inside which, and which procedure a scope belongs to: what the parents of scopes say, the other
//! way round.
//!
//! A document keeps the nest from one question to the next and brings it up to date with the scopes and procedures that
//! have been added. Whoever gives a scope another parent does so by [`Document::set_parent`], and whoever gives
//! scopes or procedures other numbers calls [`Document::forget_nest`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cranelift_entity::EntityRef;

use super::{Document, ProcId, ScopeId};

/// The scopes inside each scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nest {
    children: HashMap<ScopeId, Vec<ScopeId>>,
    /// The procedure whose scope it is.
    procs: HashMap<ScopeId, ProcId>,
    /// How many scopes and procedures are known.
    known: (usize, usize),
}

impl Nest {
    /// `scope` and all scopes inside it, each after the one around it.
    pub fn inside(&self, scope: ScopeId) -> Vec<ScopeId> {
        let mut found = vec![scope];
        let mut next = 0;
        while let Some(&here) = found.get(next) {
            next += 1;
            found.extend(self.children(here));
        }
        found
    }

    /// The scopes that stand in `scope` itself.
    pub fn children(&self, scope: ScopeId) -> &[ScopeId] {
        self.children.get(&scope).map_or(&[], Vec::as_slice)
    }

    /// The procedures whose scopes stand in `scope` itself, in the order of the document.
    pub fn procedures_in(&self, scope: ScopeId) -> Vec<ProcId> {
        let mut found: Vec<ProcId> =
            self.children(scope).iter().filter_map(|&inner| self.procedure(inner)).collect();
        found.sort_unstable();
        found
    }

    /// The procedure (body or interface body) whose scope it is.
    pub fn procedure(&self, scope: ScopeId) -> Option<ProcId> {
        self.procs.get(&scope).copied()
    }

    fn is_up_to_date(&self, doc: &Document) -> bool {
        self.known == (doc.scopes.len(), doc.procs.len())
    }

    fn add_new(&mut self, doc: &Document) {
        let (scopes, procs) = self.known;
        for number in scopes..doc.scopes.len() {
            let scope = ScopeId::new(number);
            if let Some(parent) = doc.scopes[scope].parent {
                self.children.entry(parent).or_default().push(scope);
            }
        }
        for number in procs..doc.procs.len() {
            let proc = ProcId::new(number);
            self.procs.insert(doc.procs[proc].scope, proc);
        }
        self.known = (doc.scopes.len(), doc.procs.len());
    }
}

/// A nest that is kept.
#[derive(Debug, Default)]
pub struct KeptNest(Mutex<Arc<Nest>>);

impl Clone for KeptNest {
    fn clone(&self) -> Self {
        KeptNest(Mutex::new(Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))))
    }
}

/// What is kept says nothing that the document does not say.
impl PartialEq for KeptNest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Document {
    /// The nest of its scopes as it is now.
    pub fn nest(&self) -> Arc<Nest> {
        let mut kept = self.kept_nest.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.is_up_to_date(self) {
            Arc::make_mut(&mut kept).add_new(self);
        }
        Arc::clone(&kept)
    }

    /// Whether the kept nest is another one than the parents of scopes tell: somebody has moved a scope in silence. A
    /// document that nobody has asked keeps none.
    pub(crate) fn keeps_a_stale_nest(&self) -> bool {
        let mut kept =
            Nest::clone(&self.kept_nest.0.lock().unwrap_or_else(PoisonError::into_inner));
        if kept == Nest::default() {
            return false;
        }
        kept.add_new(self);
        let mut anew = Nest::default();
        anew.add_new(self);
        kept != anew
    }

    /// Puts `scope` into another one; `None` takes it out of all.
    pub fn set_parent(&mut self, scope: ScopeId, parent: Option<ScopeId>) {
        self.scopes[scope].parent = parent;
        self.forget_nest();
    }

    /// Puts the scopes that stand in `from` itself into `to`, but for `to`.
    pub fn move_scopes(&mut self, from: ScopeId, to: ScopeId) {
        let nest = self.nest();
        let moved = nest.children(from).iter().copied().filter(|&scope| scope != to);
        let moved: Vec<ScopeId> = moved.collect();
        for &scope in &moved {
            self.scopes[scope].parent = Some(to);
        }
        if !moved.is_empty() {
            self.forget_nest();
        }
    }

    /// Scopes or procedures have got other numbers.
    pub fn forget_nest(&mut self) {
        self.kept_nest = KeptNest::default();
    }
}
