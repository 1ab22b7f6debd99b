//! The dummy arguments of a derivative procedure, its entries, and the comment at its head.

use xaif_schema::model::{
    Body, Comment, CommentKind, DummyArg, Intent, ProcId, Role, SpecItem, SymbolId, VertexKind,
};

use super::Slot;
use super::units::Maker;
use booster_build::Copied;

/// A comment is broken behind this column.
const WIDTH: usize = 90;

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
            self.comment(proc, new, &list);
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

    /// `Tangent of p: derivative of y (yd) with respect to x (xd).`
    fn comment(&mut self, proc: ProcId, new: ProcId, list: &[DummyArg]) {
        let data = &self.doc.procs[proc];
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for arg in list.iter().filter(|arg| arg.deriv) {
            let Some(symbol) = arg.symbol else { continue };
            let Some(&primal) = self.primals.get(&symbol) else { continue };
            if matches!(self.doc.role(primal), Some(Role::Procedure(_))) {
                continue;
            }
            let intent = self.doc.symbols[primal].decl.as_ref().and_then(|decl| decl.intent);
            let name = format!("{} ({})", self.doc.name(primal), self.doc.name(symbol));
            if intent != Some(Intent::In) {
                outputs.push(name.clone());
            }
            if intent != Some(Intent::Out) {
                inputs.push(name);
            }
        }
        let mut text = format!("{} of {}", self.naming.title, self.doc.name(data.symbol));
        let (from, to) = (outputs.join(", "), inputs.join(", "));
        if self.naming.transposed {
            match (outputs.is_empty(), inputs.is_empty()) {
                (false, false) => {
                    text.push_str(&format!(
                        ": from the adjoints at exit of {from} to those at entry of {to}"
                    ));
                }
                (false, true) => text.push_str(&format!(": from the adjoints at exit of {from}")),
                (true, false) => text.push_str(&format!(": adjoints at entry of {to}")),
                (true, true) => {}
            }
        } else if !outputs.is_empty() {
            text.push_str(&format!(": derivative of {from}"));
            if !inputs.is_empty() {
                text.push_str(&format!(" with respect to {to}"));
            }
        }
        if let Some(directions) = self.out.directions {
            text.push_str(&format!(", in {directions} directions"));
        }
        text.push('.');
        let place = data.place;
        let lines = wrap(&text).into_iter().map(|line| {
            let text = format!(" {line}").into();
            SpecItem::Comment(Comment { text, trailing: false, kind: CommentKind::Text, place })
        });
        let lines: Vec<SpecItem> = lines.collect();
        let scope = self.doc.procs[new].scope;
        self.doc.scopes[scope].items.splice(0..0, lines);
    }
}

/// Breaks a text at blanks.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + word.len() >= WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
