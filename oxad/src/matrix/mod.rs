//! Whole matrices of derivatives: `oxad hessian` and `oxad jacobian` write the derivatives that products need, and a
//! procedure that calls them for all columns or rows.
//!
//! `routine` is what both know of the procedures that they call.

pub(crate) mod hessian;
pub(crate) mod jacobian;
mod routine;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, ProcId, Reference, ScopeKind};

use routine::Routine;

/// A head as it is named: with the arguments with respect to which, and those of which.
pub(crate) struct Head {
    name: String,
    module: Option<String>,
    independent: Vec<String>,
    dependent: Vec<String>,
}

/// The heads of a prepared program.
fn heads(doc: &Document) -> Result<Vec<Head>, Diagnostics> {
    let is_head = |&id: &ProcId| {
        let proc = &doc.procs[id];
        proc.active == Some(true) && !(proc.independent.is_empty() && proc.dependent.is_empty())
    };
    doc.procs.keys().filter(is_head).map(|proc| head(doc, proc)).collect()
}

fn head(doc: &Document, proc: ProcId) -> Result<Head, Diagnostics> {
    let data = &doc.procs[proc];
    let named = |reference: &Reference| {
        let is_dummy = data.args.iter().any(|dummy| dummy.symbol == Some(reference.base));
        if is_dummy && reference.parts.is_empty() {
            return Ok(doc.name(reference.base).to_owned());
        }
        let name = doc.name(reference.base);
        let message = format!("`{name}` is no argument of `{}`", doc.name(data.symbol));
        let error = Diagnostic::error(Code::NO_MATRIX, doc.spot(data.place), message);
        let help = "name arguments by --independent and --dependent, or differentiate twice with `oxad adjoint` and `oxad tangent`";
        Err(Diagnostics::from(error.with_help(help)))
    };
    let all = |list: &[xaif_schema::model::RefId]| -> Result<Vec<String>, Diagnostics> {
        list.iter().map(|&reference| named(&doc.refs[reference])).collect()
    };
    let host = doc.scopes[data.scope].parent.map(|host| doc.scopes[host].kind);
    Ok(Head {
        name: doc.name(data.symbol).to_owned(),
        module: match host {
            Some(ScopeKind::Module(module)) => Some(doc.name(module).to_owned()),
            Some(_) | None => None,
        },
        independent: all(&data.independent)?,
        dependent: all(&data.dependent)?,
    })
}

/// What a procedure for a whole matrix cannot have as an argument: only the products are written.
fn obstacle(doc: &Document, routine: &Routine) -> Option<Diagnostic> {
    let (argument, why) =
        routine.arguments.iter().find_map(|argument| Some((argument, argument.obstacle()?)))?;
    let message = format!(
        "no procedure for the whole matrix is written: the argument `{}` of `{}` {why}",
        argument.name, routine.name
    );
    let spot = doc.spot(doc.procs[routine.proc].place);
    let help = "call the procedure for products in a loop over directions";
    Some(Diagnostic::warning(Code::NO_MATRIX, spot, message).with_help(help))
}
