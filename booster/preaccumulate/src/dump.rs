//! The linearised computational graphs of the runs of a document, for those who look at eliminations
//! and not at programs. What stands here rewrites nothing beyond the canonical form.

use elimination::Graph;
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use super::{Options, find, graph};
use booster_canonical::canonicalize;
use booster_facts::Storage;

/// The graph of every run, named after its procedure and numbered where that has several, and warnings.
///
/// # Errors
/// Those of [`canonicalize`]; `doc` is then of no use.
pub fn graphs(
    doc: &mut Document,
    options: &Options,
) -> Result<(Vec<(String, Graph)>, Diagnostics), Diagnostics> {
    let warnings = canonicalize(doc)?;
    let storage = Storage::new(doc);
    let mut graphs = Vec::new();
    for (proc, _, runs) in find(doc, &storage, options) {
        let name = doc.symbols[doc.procs[proc].symbol].id.clone();
        let several = runs.len() > 1;
        for ((run, behind, _), number) in runs.iter().zip(1..) {
            let name = if several { format!("{name} {number}") } else { name.clone() };
            if let Ok(local) = graph::graph(doc, &storage, run, &behind.live, options.named) {
                graphs.push((name, local.graph));
            }
        }
    }
    Ok((graphs, warnings))
}
