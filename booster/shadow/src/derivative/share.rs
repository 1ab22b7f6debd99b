//! Adjoint procedures with one adjoint for several arguments.
//!
//! Where a call passes one variable twice, and nothing overwrites it, both dummy arguments have the
//! same adjoint. An adjoint must not be passed twice: a compiler takes dummy arguments for different
//! variables. A copy of `p_b` in which both names of the adjoint are one has no such arguments. It is
//! made before any statement is written, so all that looks at statements sees one variable.

use xaif_schema::model::{Document, ProcId, SymbolId};

use super::{Counterparts, Slot, names};
use booster_build::{Copied, renamed};

impl Counterparts {
    /// A copy of the adjoint procedure `proc`, which is still a plain copy of its original, in which
    /// the adjoint of each second one of `pairs`, dummy arguments by their positions in the original, is
    /// that of the first.
    pub fn share(&mut self, doc: &mut Document, proc: ProcId, pairs: &[(u32, u32)]) {
        if self.shared(proc, pairs).is_none()
            && let Some(symbol) = self.sharing(doc, proc, pairs)
        {
            self.shares.insert((proc, pairs.to_vec()), symbol);
        }
    }

    /// The name of what [`Counterparts::share`] has made.
    pub fn shared(&self, proc: ProcId, pairs: &[(u32, u32)]) -> Option<SymbolId> {
        self.shares.get(&(proc, pairs.to_vec())).copied()
    }

    /// Whether it has made anything.
    pub fn shares(&self) -> bool {
        !self.shares.is_empty()
    }

    fn sharing(
        &mut self,
        doc: &mut Document,
        proc: ProcId,
        pairs: &[(u32, u32)],
    ) -> Option<SymbolId> {
        let own = doc.procs[proc].symbol;
        let parent = doc.scopes[doc.procs[proc].scope].parent?;
        let slots = self.signature(own)?.to_vec();
        let place_of = |position: u32| {
            slots.iter().position(|slot| *slot == Slot::ArgumentDerivative(position))
        };
        let mut joined = Vec::new();
        for &(first, second) in pairs {
            joined.push((place_of(first)?, place_of(second)?));
        }
        let taken = |name: &str| {
            let id = name.to_ascii_lowercase();
            doc.symbols.values().any(|symbol| symbol.id == id)
        };
        let name = names::fresh(&format!("{}_same", doc.name(own)), taken);
        let symbol = renamed(doc, own, doc.symbols[own].scope, name);
        let mut copied = Copied::default();
        copied.copier.symbols.insert(own, symbol);
        self.copy(doc, proc, parent, &mut copied, "Adjoint, with one for equal arguments, of");
        let &new = copied.procs.get(&proc)?;
        let mut args = std::mem::take(&mut doc.procs[new].args);
        let symbol_at = |at: usize| args.get(at).and_then(|arg| arg.symbol);
        let variables: Vec<(SymbolId, SymbolId)> = self.variables.iter().collect();
        for &(first, second) in &joined {
            let (Some(first), Some(second)) = (symbol_at(first), symbol_at(second)) else {
                continue;
            };
            for &(primal, _) in variables.iter().filter(|(_, adjoint)| *adjoint == second) {
                self.variables.insert(primal, first);
            }
            if let Some(decl) = doc.symbols[second].decl.as_deref_mut() {
                decl.intent = None;
            }
        }
        let goes = |at: &usize| joined.iter().any(|(_, second)| second == at);
        let mut at = 0..;
        args.retain(|_| at.next().is_none_or(|at| !goes(&at)));
        args.iter_mut().zip(1..).for_each(|(arg, position)| arg.position = position);
        doc.procs[new].args = args;
        let kept = slots.iter().enumerate().filter(|(at, _)| !goes(at)).map(|(_, slot)| *slot);
        self.signatures.insert(symbol, kept.collect());
        self.procedures.sort_unstable();
        Some(symbol)
    }
}
