//! The derivative of a procedure, found in a document or in a text of it, and executed.

use xaif_run::{Mode, Outcome};
use xaif_schema::diag::Code;
use xaif_schema::model::{Body, Document, SymbolId};

use super::super::check::{Failure, Named, execute_after};

/// The derivative of a procedure in a document.
pub(super) struct Derivative<'a> {
    doc: &'a Document,
    /// Its name.
    head: String,
    /// Its arguments, and those among them that are derivatives behind what they are derivatives of.
    args: Vec<String>,
    /// Variables with their derivatives, by name.
    pub(super) pairs: Vec<(String, String)>,
    /// What the arguments are called in this document.
    names: Vec<String>,
}

impl<'a> Derivative<'a> {
    /// `None` where nothing is active.
    pub(super) fn of(doc: &'a Document, head: &str, suffix: char) -> Option<Derivative<'a>> {
        let begins = format!("{head}_{suffix}");
        let mut all = doc.procs.values().filter(|proc| {
            let name = doc.name(proc.symbol);
            name.strip_prefix(&begins).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
                && proc.args.iter().any(|arg| arg.deriv)
                && matches!(proc.body, Body::Flow(_))
        });
        let proc = all.next()?;
        let mut pairs = Vec::new();
        let mut own: Option<SymbolId> = None;
        for arg in &proc.args {
            match (arg.deriv, arg.symbol, own) {
                (true, Some(derivative), Some(own)) => {
                    pairs.push((doc.name(own).to_owned(), doc.name(derivative).to_owned()));
                }
                (false, symbol, _) => own = symbol,
                (true, ..) => {}
            }
        }
        let head = doc.name(proc.symbol).to_owned();
        let args = arguments(doc, &head);
        Some(Derivative { doc, head, names: args.clone(), args, pairs })
    }

    /// The same in what a text means: it does not tell which arguments are derivatives, and some have
    /// other names there.
    pub(super) fn in_text<'t>(&self, doc: &'t Document) -> Derivative<'t> {
        let Derivative { head, args, pairs, .. } = self;
        let (head, args, pairs) = (head.clone(), args.clone(), pairs.clone());
        Derivative { doc, names: arguments(doc, &head), head, args, pairs }
    }

    /// What an argument is called in the document.
    fn name(&self, own: &str) -> String {
        let at = self.args.iter().position(|name| name == own);
        at.and_then(|at| self.names.get(at)).map_or(own, String::as_str).to_owned()
    }

    fn values(&self, values: Vec<Named>) -> Vec<Named> {
        values.into_iter().map(|(name, given)| (self.name(&name), given)).collect()
    }

    /// Executes it behind others; values and outputs have the names of the arguments.
    pub(super) fn execute(
        &self,
        before: u32,
        step: &str,
        values: Vec<Named>,
    ) -> Result<Option<Outcome>, Failure> {
        let values = self.values(values);
        let of = (self.doc, self.head.as_str());
        let mut found = match execute_after(before, step, of, (&values, &[]), Mode::Value) {
            Ok(Some(found)) => found,
            // A procedure without a body is none that a test could execute.
            Err(found) if found.message.contains(&Code::RUN_EXTERNAL.to_string()) => {
                return Ok(None);
            }
            other => return other,
        };
        for output in &mut found.outputs {
            let at = self.names.iter().position(|name| *name == output.name);
            if let Some(own) = at.and_then(|at| self.args.get(at)) {
                output.name.clone_from(own);
            }
        }
        Ok(Some(found))
    }
}

/// The names of the arguments of a procedure.
fn arguments(doc: &Document, head: &str) -> Vec<String> {
    let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == head);
    let args = proc.into_iter().flat_map(|proc| &proc.args).filter_map(|arg| arg.symbol);
    args.map(|symbol| doc.name(symbol).to_owned()).collect()
}
