//! The dummy arguments of a derivative procedure and its entries.

use xaif_schema::model::{Body, DummyArg, Intent, ProcId, Role, SymbolId, VertexKind};

use super::Slot;
use super::units::Maker;
use booster_build::Copied;

impl Maker<'_> {
    /// Gives the copy `new` of `proc` the dummy arguments of a derivative procedure.
    pub(super) fn signature(&mut self, proc: ProcId, new: ProcId, copied: &Copied) {
        let result = self.doc.procs[new].result.take();
        for symbol in result.into_iter().flat_map(|r| [Some(r), self.out.variable(r)]).flatten() {
            if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
                decl.intent = Some(Intent::Out);
            }
        }
        let args = std::mem::take(&mut self.doc.procs[new].args);
        let (list, slots) = self.expand(&args, result);
        if matches!(self.doc.procs[new].body, Body::Flow(_)) {
            self.heading(proc, new, &list, copied);
        }
        self.out.signatures.insert(self.doc.procs[new].symbol, slots);
        self.doc.procs[new].args = list;
        self.entry_points(new, result, copied);
    }

    /// Each active argument is followed by its derivative, all by the result and its derivative.
    pub(super) fn expand(
        &self,
        args: &[DummyArg],
        result: Option<SymbolId>,
    ) -> (Vec<DummyArg>, Vec<Slot>) {
        let (mut list, mut slots) = (Vec::new(), Vec::new());
        let mut add = |symbol: Option<SymbolId>, intent, deriv, slot| {
            let position = u32::try_from(list.len() + 1).unwrap_or(u32::MAX);
            list.push(DummyArg { position, symbol, intent, deriv });
            slots.push(slot);
        };
        for (arg, number) in args.iter().zip(1..) {
            add(arg.symbol, arg.intent, false, Slot::Argument(number));
            if let Some(derivative) = arg.symbol.and_then(|symbol| self.beside(symbol)) {
                add(Some(derivative), arg.intent, true, Slot::ArgumentDerivative(number));
            }
        }
        if let Some(result) = result {
            add(Some(result), Some(Intent::Out), false, Slot::Result);
            if let Some(derivative) = self.out.variable(result) {
                add(Some(derivative), Some(Intent::Out), true, Slot::ResultDerivative);
            }
        }
        (list, slots)
    }

    /// What follows a dummy argument: its derivative, for a dummy procedure the derivative procedure.
    fn beside(&self, symbol: SymbolId) -> Option<SymbolId> {
        match self.doc.role(symbol) {
            Some(Role::Procedure(_)) => self.out.callee(symbol),
            Some(_) | None => self.out.variable(symbol),
        }
    }

    /// ENTRY statements: each has its own list; all return the one result.
    fn entry_points(&mut self, new: ProcId, result: Option<SymbolId>, _copied: &Copied) {
        let Body::Flow(mut cfg) = std::mem::replace(&mut self.doc.procs[new].body, Body::Interface)
        else {
            return;
        };
        for vertex in cfg.vertices.values_mut() {
            let VertexKind::Entry(Some(entry)) = &mut vertex.kind else { continue };
            let (list, slots) = self.expand(&entry.args, result);
            entry.args = list;
            entry.result = None;
            if let Some(&symbol) = self.derivatives.get(&entry.symbol) {
                entry.symbol = symbol;
                self.out.signatures.insert(symbol, slots);
                if let Some(xaif_schema::model::Role::Procedure(info)) =
                    self.doc.symbols[symbol].decl.as_deref_mut().map(|decl| &mut decl.role)
                {
                    info.proc = Some(new);
                }
            }
        }
        self.doc.procs[new].body = Body::Flow(cfg);
    }
}
