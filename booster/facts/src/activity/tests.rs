//! Tests as dependents: the derivatives of what conditions compare are wanted for the validity of a tangent.
//!
//! What is compared flows into one location, which is useful wherever a head is executed.

use xaif_schema::model::ExprId;

use super::collect::read;
use super::equations::StepId;
use super::program::{Carrier, Piece, Plain, Read, What, Write};
use crate::access::{CallSort, Source};
use crate::switches::{compared, roots_of};
use crate::{Accesses, Event};
use booster_build::nodes_of;
use booster_flow::Step;

/// The flow of what a step compares.
pub(super) fn piece(
    accesses: &Accesses<'_>,
    step: Step<'_>,
    events: &[Event<'_>],
) -> Option<Piece> {
    let tests = accesses.storage().tests()?;
    let doc = accesses.doc();
    let roots: Vec<ExprId> = match step {
        Step::Evaluate(condition) => vec![condition],
        Step::Stmt(stmt) => roots_of(doc, stmt),
        Step::Enter(_) | Step::Concurrent(_) | Step::Leave => return None,
    };
    let nodes = nodes_of(doc, compared(doc, &roots));
    let id = StepId::of(step)?;
    let mut reads: Vec<Read> = nodes
        .iter()
        .filter_map(|&node| doc.exprs[node].reference())
        .map(|reference| read(accesses, id, Source::Ref(reference)))
        .collect();
    for (number, event) in (0..).zip(events) {
        if let Event::Call(call) = event
            && let CallSort::Function(node) = call.sort
            && nodes.contains(&node)
        {
            reads.push(read(accesses, id, Source::Result(number)));
        }
    }
    reads.retain(|read| !read.carriers.is_empty());
    let targets = [Carrier::Location(tests)].into();
    let write = Write { reference: None, targets, kills: false, reads };
    (!write.reads.is_empty())
        .then(|| Piece::Plain(Plain { writes: vec![write], what: What::Statement }))
}
