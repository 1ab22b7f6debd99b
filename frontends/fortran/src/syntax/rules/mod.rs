//! The rules of the standard on order and uniqueness that the syntax tree alone can tell.
//!
//! - `branches`: the branches and names of constructs.
//! - `order`: the order of the statements of a specification part.
//! - `once`: attributes and names that may stand once, or not together.
//! - `types`: the statements of a type definition.
//!
//! Nothing here knows types or values: `lower` checks the rules that need them.

mod branches;
mod once;
mod order;
mod types;

use xaif_schema::diag::Code;

use super::ast::{
    Dummy, ExecItem, InterfaceItem, Name, Place, SpecItem, SpecKind, StmtKind, Unit, UnitItem,
    UnitKind,
};

/// A rule that the source breaks.
#[derive(Debug)]
pub(super) struct Breach {
    pub(super) code: Code,
    pub(super) place: Place,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// The dummy arguments of a unit; `None` where they stand elsewhere.
type Dummies<'a> = Option<Vec<&'a Name>>;

/// All rules that the program units of a file break, in the order of the text.
pub(super) fn breaches(items: &[UnitItem]) -> Vec<Breach> {
    let mut found = Vec::new();
    let mut units: Vec<&Unit> = units_of(items).collect();
    while let Some(unit) = units.pop() {
        order::check(&unit.spec, &unit.exec, &mut found);
        specification(&unit.spec, dummies(unit).as_ref(), &mut units, &mut found);
        executable(&unit.exec, &mut units, &mut found);
        units.extend(unit.contains.iter().flat_map(|contains| units_of(&contains.items)));
    }
    found.sort_by_key(|breach| breach.place);
    found
}

fn units_of(items: &[UnitItem]) -> impl Iterator<Item = &Unit> {
    items.iter().filter_map(|item| match item {
        UnitItem::Unit(unit) => Some(&**unit),
        UnitItem::Trivia(_) => None,
    })
}

/// The rules of one specification part; the interface bodies in it are added to `units`.
fn specification<'a>(
    spec: &'a [SpecItem],
    dummies: Option<&Vec<&'a Name>>,
    units: &mut Vec<&'a Unit>,
    found: &mut Vec<Breach>,
) {
    once::check(spec, dummies, found);
    types::check(spec, found);
    for item in spec {
        let SpecItem::Stmt(stmt) = item else { continue };
        let SpecKind::Interface(interface) = &stmt.kind else { continue };
        units.extend(interface.items.iter().filter_map(|item| match item {
            InterfaceItem::Unit(UnitItem::Unit(unit)) => Some(&**unit),
            InterfaceItem::Unit(UnitItem::Trivia(_)) | InterfaceItem::Procedures { .. } => None,
        }));
    }
}

/// The rules of all constructs, and of the BLOCK constructs among them.
fn executable<'a>(exec: &'a [ExecItem], units: &mut Vec<&'a Unit>, found: &mut Vec<Breach>) {
    let mut blocks: Vec<&'a [ExecItem]> = vec![exec];
    while let Some(block) = blocks.pop() {
        for item in block {
            let ExecItem::Stmt(stmt) = item else { continue };
            branches::check(stmt, found);
            if let StmtKind::Block { spec, body, .. } = &stmt.kind {
                order::check(spec, body, found);
                specification(spec, Some(&Vec::new()), units, found);
            }
            blocks.extend(stmt.blocks());
        }
    }
}

/// The dummy arguments of a unit, those of its ENTRY statements among them.
fn dummies(unit: &Unit) -> Dummies<'_> {
    let mut all: Vec<&Name> = match &unit.kind {
        UnitKind::ModuleProcedure(_) => return None,
        UnitKind::Subroutine(procedure) | UnitKind::Function(procedure) => {
            procedure.dummies.iter().flatten().filter_map(named).collect()
        }
        UnitKind::Program(_)
        | UnitKind::Module(_)
        | UnitKind::Submodule(_)
        | UnitKind::BlockData(_) => Vec::new(),
    };
    let mut blocks: Vec<&[ExecItem]> = vec![&unit.exec];
    let mut entries: Vec<&SpecKind> = Vec::new();
    entries.extend(unit.spec.iter().filter_map(|item| match item {
        SpecItem::Stmt(stmt) => Some(&stmt.kind),
        SpecItem::Trivia(_) => None,
    }));
    while let Some(block) = blocks.pop() {
        for item in block {
            let ExecItem::Stmt(stmt) = item else { continue };
            if let StmtKind::Spec(kind) = &stmt.kind {
                entries.push(kind);
            }
            blocks.extend(stmt.blocks());
        }
    }
    for kind in entries {
        if let SpecKind::Entry(entry) = kind {
            all.extend(entry.dummies.iter().flatten().filter_map(named));
        }
    }
    Some(all)
}

/// The name of a dummy argument that is no alternate return.
fn named(dummy: &Dummy) -> Option<&Name> {
    match dummy {
        Dummy::Name(name) => Some(name),
        Dummy::Star(_) => None,
    }
}
