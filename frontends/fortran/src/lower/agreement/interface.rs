//! Where the interface of a procedure is explicit to the caller.

use xaif_schema::model::{Body, CommentKind, ProcClass, ProcId, Role, SpecItem, SymbolId};

use crate::lower::Lowering;

/// Words of the directives by which compilers are told not to compare arguments.
const UNCHECKED: [&str; 2] = ["no_arg_check", "ignore_tkr"];

impl Lowering<'_> {
    /// Whether the language tells the caller all of the interface of `symbol`.
    pub(super) fn has_explicit_interface(&self, symbol: SymbolId) -> bool {
        let Some(Role::Procedure(info)) = self.doc.role(symbol) else {
            return matches!(
                self.doc.role(symbol),
                Some(Role::Binding { .. } | Role::Final { .. })
            );
        };
        match info.class {
            ProcClass::Module | ProcClass::Internal | ProcClass::Abstract => true,
            ProcClass::Entry => self.is_entry_of_module(info.proc),
            ProcClass::External | ProcClass::Dummy | ProcClass::Pointer | ProcClass::Intrinsic => {
                match (info.proc, info.interface) {
                    (Some(proc), _) => matches!(self.doc.procs[proc].body, Body::Interface),
                    (None, Some(interface)) => {
                        interface != symbol && self.has_explicit_interface(interface)
                    }
                    (None, None) => false,
                }
            }
        }
    }

    fn is_entry_of_module(&self, proc: Option<ProcId>) -> bool {
        let Some(proc) = proc else { return false };
        let role = self.doc.role(self.doc.procs[proc].symbol);
        matches!(role, Some(Role::Procedure(info)) if info.class == ProcClass::Module)
    }

    /// Whether a directive in the procedure that declares a dummy argument says that compilers must not
    /// compare types, kinds and ranks.
    pub(super) fn is_unchecked(&self, dummy: SymbolId) -> bool {
        let scope = self.doc.symbols[dummy].scope;
        self.doc.scopes[scope].items.iter().any(|item| {
            let SpecItem::Comment(comment) = item else { return false };
            comment.kind != CommentKind::Blank
                && UNCHECKED.iter().any(|word| comment.text.to_ascii_lowercase().contains(word))
        })
    }
}
