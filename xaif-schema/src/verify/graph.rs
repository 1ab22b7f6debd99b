//! The control flow graphs of a document.

use super::Graph;
use crate::model::{Body, Cfg, Document, ProcId};

/// The graphs of one procedure.
pub(super) fn graphs(doc: &Document, proc: ProcId) -> impl Iterator<Item = (Graph, &Cfg)> {
    let (body, list) = match doc.procs.get(proc).map(|proc| &proc.body) {
        Some(Body::Flow(cfg)) => (Some(cfg), &[][..]),
        Some(Body::Replacements { list, .. }) => (None, list.as_slice()),
        Some(Body::Interface) | None => (None, &[][..]),
    };
    let fragments = list.iter().zip(1..).map(|(replacement, i)| (i, &replacement.cfg));
    let all = body.map(|cfg| (0, cfg)).into_iter().chain(fragments);
    all.map(move |(fragment, cfg)| (Graph { proc, fragment }, cfg))
}

/// All graphs.
pub(super) fn all(doc: &Document) -> impl Iterator<Item = (Graph, &Cfg)> {
    doc.procs.keys().flat_map(|proc| graphs(doc, proc))
}
