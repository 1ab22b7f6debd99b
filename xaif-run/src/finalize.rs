//! FINAL procedures (Fortran 2018, 7.5.6).
//!
//! They are called where DEALLOCATE ends the life of an object. Where the language calls them
//! elsewhere (assignment, the end of a procedure, INTENT(OUT)), the program is refused: compilers
//! differ there.

use smallvec::smallvec;
use xaif_schema::model::{Attr, ScopeKind, SymbolId};

use crate::call::Actual;
use crate::callee::target_of;
use crate::fault::{Run, refuse};
use crate::machine::Machine;
use crate::value::Elem;
use crate::view::View;

impl Machine<'_> {
    /// Calls the FINAL procedures of the elements of `view`.
    pub(crate) fn finalize(&mut self, view: &View) -> Run<()> {
        let Elem::Derived(layout) = view.elem else { return Ok(()) };
        let mut at = Some(layout);
        while let Some(id) = at {
            self.check_stack()?;
            let elem = Elem::Derived(id);
            let finals = self.layouts[id as usize].finals.clone();
            if let Some(&procedure) = self.pick(&finals, view.rank()) {
                let target = target_of(self, procedure)?;
                let elemental = self.has_attribute(procedure, Attr::Elemental);
                let whole = View { elem, ..view.clone() };
                let parts: Vec<View> = if elemental {
                    view.elements().map(|addr| View::scalar(elem, addr)).collect()
                } else {
                    vec![whole]
                };
                for view in parts {
                    let actual = Actual::Data { view, copied: false };
                    self.invoke(&target, smallvec![actual], self.place)?;
                }
            }
            let parent = self.layouts[id as usize].parent;
            let inherited = parent.map_or(0, |id| self.layouts[id as usize].components.len());
            let own: Vec<_> = self.layouts[id as usize].components.clone();
            for component in own.iter().skip(inherited) {
                if component.elem.is_some_and(|elem| self.is_finalizable(elem)) {
                    return refuse(
                        "the end of an object with a component that has a FINAL procedure",
                    );
                }
            }
            at = parent;
        }
        Ok(())
    }

    /// The procedure for this rank, else an elemental one.
    fn pick<'f>(&self, finals: &'f [SymbolId], rank: usize) -> Option<&'f SymbolId> {
        let rank_of = |symbol: SymbolId| {
            let proc = self.doc.procedure_of(symbol)?;
            let dummy = self.doc.procs[proc].args.first()?.symbol?;
            self.doc.symbols[dummy].decl.as_ref().map(|decl| decl.dims.len())
        };
        finals
            .iter()
            .find(|&&symbol| rank_of(symbol) == Some(rank))
            .or_else(|| finals.iter().find(|&&s| self.has_attribute(s, Attr::Elemental)))
    }

    fn has_attribute(&self, symbol: SymbolId, attr: Attr) -> bool {
        self.doc.symbols[symbol].has(attr)
    }

    /// Whether a FINAL procedure belongs to a type, its parents or its components.
    pub(crate) fn is_finalizable(&self, elem: Elem) -> bool {
        let Elem::Derived(first) = elem else { return false };
        let mut seen = vec![first];
        let mut at = 0;
        while let Some(&id) = seen.get(at) {
            at += 1;
            let Some(layout) = self.layouts.get(id as usize) else { continue };
            if !layout.finals.is_empty() {
                return true;
            }
            let parts = layout.components.iter().filter_map(|component| match component.elem {
                Some(Elem::Derived(part)) => Some(part),
                _ => None,
            });
            for part in layout.parent.into_iter().chain(parts) {
                if !seen.contains(&part) {
                    seen.push(part);
                }
            }
        }
        false
    }

    /// Refuses what would call FINAL procedures unseen.
    pub(crate) fn refuse_final(&self, elem: Elem, what: &str) -> Run<()> {
        if self.is_finalizable(elem) {
            return refuse(format!("{what} whose type has a FINAL procedure"));
        }
        Ok(())
    }

    /// Refuses a variable of a procedure whose end would call a FINAL procedure.
    pub(crate) fn refuse_final_local(&self, symbol: SymbolId, elem: Elem) -> Run<()> {
        let scope = self.doc.symbols[symbol].scope;
        let main = match self.program.owners[scope] {
            Some(proc) => self.doc.procs[proc].kind == xaif_schema::model::ProcKind::Program,
            None => true,
        };
        let block = self.doc.scopes[scope].kind == ScopeKind::Block;
        if (main && !block) || self.program.statics.contains(&symbol) {
            return Ok(());
        }
        self.refuse_final(elem, "a local variable")
    }
}
