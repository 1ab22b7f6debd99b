//! The side effects for people.

use std::fmt::Write as _;

use xaif_schema::model::{Document, ProcId};

use super::SideEffects;
use super::record::name_in;
use crate::{Bodies, LocationId, Storage};

/// A page: the sets of each procedure, then the locations that have several names.
pub fn print(
    doc: &Document,
    storage: &Storage,
    bodies: &Bodies<'_>,
    effects: &SideEffects,
) -> String {
    let mut text = String::new();
    for body in bodies.iter() {
        let summary = effects.of(body.proc);
        let sets = [
            ("in", &summary.input),
            ("use", &summary.used),
            ("out", &summary.out),
            ("kill", &summary.kill),
            ("mod here", &summary.out_here),
            ("read here", &summary.used_here),
            ("on entry", &summary.on_entry),
            ("asks", &summary.properties.used),
            ("reshapes", &summary.properties.out),
        ];
        let name = doc.name(doc.procs[body.proc].symbol);
        let _ = writeln!(text, "{name}");
        for (title, locations) in sets {
            if !locations.is_empty() {
                let names =
                    locations.iter().map(|&location| name_of(doc, storage, body.proc, location));
                let _ = writeln!(text, "  {title:<9}  {}", names.collect::<Vec<_>>().join(", "));
            }
        }
        if summary.world {
            let _ = writeln!(text, "  and it may read and write everything global");
        }
    }
    locations(doc, storage, &mut text);
    text
}

fn locations(doc: &Document, storage: &Storage, text: &mut String) {
    let mut title = "locations with several names\n";
    for (id, location) in storage.locations() {
        if location.members.len() < 2 || location.property {
            continue;
        }
        text.push_str(title);
        title = "";
        let names = location.members.iter().map(|member| {
            let name = member.name(doc);
            match storage.owner(doc, member.symbol) {
                Some(proc) => format!("{name} of {}", doc.name(doc.procs[proc].symbol)),
                None => name,
            }
        });
        let _ = write!(text, "  {id}  {}", names.collect::<Vec<_>>().join(", "));
        text.push_str(if location.strong_update {
            "\n"
        } else {
            " (never overwritten entirely)\n"
        });
    }
}

fn name_of(doc: &Document, storage: &Storage, proc: ProcId, location: LocationId) -> String {
    name_in(doc, storage, proc, location).map(|member| member.name(doc)).unwrap_or_default()
}
