//! Functions whose results are pointers have no tangent.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Attr, Document};

use super::body::Tangent;
use booster_build::mentions;

impl Tangent<'_> {
    /// A function that associates its result with a target has no tangent, and no analysis here
    /// follows what the result is associated with.
    pub fn pointer_results(&self, doc: &Document) -> Result<(), Diagnostic> {
        let tree = doc.nest();
        for mention in mentions(doc, &tree, self.scope(doc), |_| false) {
            let Some(proc) = doc.described_by(mention.symbol) else { continue };
            let Some(result) = doc.procs[proc].result else { continue };
            let Some(decl) = doc.symbols[result].decl.as_deref() else { continue };
            if decl.has(Attr::Pointer) && self.parts.types.carries(decl.spec.base()) {
                let place = match mention.place.file {
                    Some(_) => mention.place,
                    None => doc.procs[proc].place,
                };
                let name = doc.name(doc.procs[proc].symbol);
                let message = format!("the result of `{name}` is a pointer");
                let help = "let a subroutine associate the pointer";
                return Err(self.error(doc, Code::DERIVATIVE_REFUSED, place, message, help));
            }
        }
        Ok(())
    }
}
