//! What a caller cannot record of what a call overwrites, as it has no name for it there, does not
//! know its extent, or has a pointer in it. Such a call is split: what it calls records it.

use xaif_schema::model::{Base, Document, Place, ProcId, Reference, StmtId};

use crate::call_modes::not_repeatable::spelt;
use crate::queries::designators::{designated, has_open_end, is_recordable};
use booster_facts::Storage;
use booster_facts::components::is_declared;
use booster_facts::nameable::Nameable;
use booster_facts::overwrites::Designator;
use booster_facts::storage::Member;

/// The name of something that a call overwrites, one of `names` or what facts tell, which `proc`, which calls, cannot
/// record: it has no name for it, does not know its extent, or cannot put it onto the tape.
pub(crate) fn hidden(
    doc: &Document,
    (storage, nameable): (&Storage, &Nameable<'_>),
    proc: ProcId,
    stmt: StmtId,
    names: &[Designator],
) -> Option<String> {
    let named = |name: &&Designator| designated(doc, name, Place::default());
    let is_hidden = |name: &&Designator| {
        !is_recordable(doc, &named(name))
            || match name {
                Designator::Member(member) => {
                    !nameable.can_be_named(storage, proc, member.symbol)
                        || !has_path(doc, member)
                        || member.path.is_empty() && has_open_end(doc, member.symbol)
                }
                Designator::Ref(reference)
                | Designator::Around(reference)
                | Designator::Component(reference, _) => {
                    let base = doc.refs[*reference].base;
                    let whole = matches!(name, Designator::Around(_))
                        || doc.refs[*reference].parts.is_empty();
                    whole && has_open_end(doc, base)
                }
                Designator::Symbol(_) => false,
            }
    };
    if let Some(name) = names.iter().find(is_hidden) {
        return Some(spelt(doc, &named(&name)));
    }
    let told = doc.stmts[stmt].recorded.iter().flatten().map(|&reference| &doc.refs[reference]);
    let is_hidden = |data: &&Reference| {
        !nameable.can_be_named(storage, proc, data.base)
            || data.parts.is_empty() && has_open_end(doc, data.base)
            || !is_recordable(doc, data)
    };
    told.into_iter().find(is_hidden).map(|data| spelt(doc, data))
}

/// Whether the declared type of a variable has the component, not only an extension of it.
fn has_path(doc: &Document, member: &Member) -> bool {
    let decl = doc.symbols[member.symbol].decl.as_ref();
    is_declared(doc, decl.map_or(Base::Unknown, |decl| decl.spec.base()), &member.path)
}
