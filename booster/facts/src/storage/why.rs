//! Why two names may share memory: the chain of statements and assumptions that makes them one.
//!
//! Each time the binding makes two nodes one, the reason is an edge between them. What shares memory is connected by edges,
//! and a shortest chain of them is the explanation.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, Place, SymbolId};

use super::tree::{Forest, NodeId};
use super::{Storage, is_data};
use crate::activity::names::is_of;

/// The edges, and their reasons by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    edges: Vec<(NodeId, NodeId, usize)>,
    reasons: Vec<(Place, String)>,
    /// The nodes of variables and components before any are one.
    named: BTreeMap<SymbolId, Vec<NodeId>>,
}

impl Log {
    pub(super) fn edge(&mut self, a: NodeId, b: NodeId) {
        self.edges.push((a, b, self.reasons.len().saturating_sub(1)));
    }

    /// The reasons on a shortest chain from one of `from` to one of `to`.
    fn chain(&self, from: &[NodeId], to: &[NodeId]) -> Option<Vec<usize>> {
        let mut next: BTreeMap<NodeId, Vec<(NodeId, usize)>> = BTreeMap::new();
        for &(a, b, reason) in &self.edges {
            next.entry(a).or_default().push((b, reason));
            next.entry(b).or_default().push((a, reason));
        }
        let mut before: BTreeMap<NodeId, Option<(NodeId, usize)>> =
            from.iter().map(|&node| (node, None)).collect();
        let mut work: VecDeque<NodeId> = from.iter().copied().collect();
        while let Some(node) = work.pop_front() {
            if to.contains(&node) {
                let mut chain = Vec::new();
                let mut at = node;
                while let Some(Some((previous, reason))) = before.get(&at) {
                    chain.push(*reason);
                    at = *previous;
                }
                chain.reverse();
                chain.dedup();
                return Some(chain);
            }
            for &(other, reason) in next.get(&node).into_iter().flatten() {
                before.entry(other).or_insert_with(|| {
                    work.push_back(other);
                    Some((node, reason))
                });
            }
        }
        None
    }
}

impl Forest {
    /// Tells why what follows makes nodes one.
    pub(super) fn because(&mut self, place: Place, text: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.reasons.push((place, text()));
        }
    }
}

/// Whether what two names mean, `X`, `M%X`, `P%X` or `T%C`, may share memory, and why.
///
/// # Errors
/// A name that the document does not have, or another number of names.
pub fn why_shared(doc: &Document, names: &[String]) -> Result<String, Diagnostics> {
    let refused = |message: String| {
        let error = Diagnostic::error(Code::WHY_NOT_FOUND, None, message);
        error.with_help("name two variables or components: --why X,M%Y")
    };
    let [one, other] = names else {
        return Err([refused("two names are compared".to_owned())].into_iter().collect());
    };
    let storage = Storage::logged(doc, &[], Some(Log::default()));
    let Some(log) = &storage.forest.log else { return Ok(String::new()) };
    let nodes = |name: &String| -> Result<Vec<NodeId>, Diagnostics> {
        let meant = log.named.iter().filter(|&(&symbol, _)| is_of(doc, symbol, name));
        let found: Vec<NodeId> = meant.flat_map(|(_, nodes)| nodes).copied().collect();
        match found.is_empty() {
            true => Err([refused(format!("there is no variable `{name}`"))].into_iter().collect()),
            false => Ok(found),
        }
    };
    let (from, to) = (nodes(one)?, nodes(other)?);
    let Some(chain) = log.chain(&from, &to) else {
        return Ok(format!("`{one}` and `{other}` share no memory\n"));
    };
    let mut text = format!("`{one}` and `{other}` may share memory\n");
    for (place, reason) in chain.into_iter().filter_map(|number| log.reasons.get(number)) {
        let spot = doc.spot(*place).map(|spot| format!("{spot}: ")).unwrap_or_default();
        let _ = writeln!(text, "  {spot}{reason}");
    }
    Ok(text)
}

impl Storage {
    /// Keeps the nodes that names have before any are one, where somebody asks.
    pub(super) fn keep_named(&mut self, doc: &Document) {
        if self.forest.log.is_none() {
            return;
        }
        let mut named: BTreeMap<SymbolId, Vec<NodeId>> = BTreeMap::new();
        for symbol in doc.symbols.keys() {
            let own = self.nodes[symbol].filter(|_| is_data(&doc.symbols[symbol]));
            let roots = own.into_iter().chain(self.forest.children_named(symbol));
            for root in roots {
                let below = self.forest.leaves(root, false);
                named.entry(symbol).or_default().extend(std::iter::once(root).chain(below));
            }
        }
        if let Some(log) = &mut self.forest.log {
            log.named = named;
        }
    }
}
