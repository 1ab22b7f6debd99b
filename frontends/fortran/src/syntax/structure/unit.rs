//! Program units and files.

use super::super::ast::{Block, Contains, Head, Label, Name, Unit, UnitEnd, UnitItem, UnitKind};
use super::super::stmt::{Ends, Flat};
use super::{Next, Parser};

impl Parser {
    /// The program units of the file.
    pub(in super::super) fn items(&mut self) -> Vec<UnitItem> {
        let mut items = Vec::new();
        loop {
            match self.next(true) {
                Next::End => return items,
                Next::Trivia(trivia) => items.push(UnitItem::Trivia(trivia)),
                Next::Stmt(head, flat) => {
                    self.broken &= self.diagnostics.has_errors();
                    if let Some(unit) = self.file_unit(head, flat) {
                        self.broken = false;
                        items.push(UnitItem::Unit(Box::new(unit)));
                    }
                }
            }
        }
    }

    /// The unit that a statement at file level begins.
    fn file_unit(&mut self, head: Head, flat: Flat) -> Option<Unit> {
        match flat {
            Flat::Unit(kind) => {
                self.broken = false;
                Some(self.unit(head, kind))
            }
            Flat::Contains => {
                self.mismatch(head.place, "CONTAINS outside a program unit", None);
                None
            }
            Flat::Branch(..) => {
                self.mismatch(head.place, "this statement has no block to belong to", None);
                None
            }
            Flat::End(end) if end.what.is_some_and(|what| what != Ends::Program) => {
                self.mismatch(head.place, "there is nothing that could end here", None);
                None
            }
            flat @ (Flat::Spec(_)
            | Flat::Exec(_)
            | Flat::Open(..)
            | Flat::TypeDef(..)
            | Flat::Enum
            | Flat::Interface(..)
            | Flat::End(_)) => {
                let opened = Head { place: head.place, ..Head::default() };
                self.put_back(head, flat);
                Some(self.unit(opened, UnitKind::Program(None)))
            }
        }
    }

    /// The unit that begins with `kind`.
    pub(super) fn unit(&mut self, head: Head, kind: UnitKind) -> Unit {
        let mut unit = Unit {
            head,
            kind,
            spec: Vec::new(),
            exec: Block::new(),
            contains: None,
            end: UnitEnd::default(),
        };
        if self.deeper(unit.head.place) {
            let Unit { spec, exec, .. } = &mut unit;
            self.spec_part(spec, exec);
            self.body(&mut unit);
        }
        self.depth = self.depth.saturating_sub(1);
        unit
    }

    /// The executable part, CONTAINS and END.
    fn body(&mut self, unit: &mut Unit) {
        let opened = unit.head.place;
        loop {
            self.block(&mut unit.exec, None::<Label>);
            match self.next(false) {
                Next::End => {
                    self.mismatch(self.last, "the file ends inside a program unit", Some(opened));
                    return;
                }
                Next::Trivia(_) => {}
                Next::Stmt(head, Flat::End(end)) if end.is_bare() || ends(&unit.kind, end.what) => {
                    unit.end = UnitEnd { head, long: !end.is_bare(), name: end.plain_name() };
                    self.check_end_name(unit);
                    return;
                }
                Next::Stmt(head, Flat::End(end)) => {
                    self.mismatch(head.place, "this END ends nothing that was begun", Some(opened));
                    if end.what.is_some_and(Ends::is_unit) {
                        return;
                    }
                }
                Next::Stmt(head, Flat::Contains) => {
                    self.contained(unit, head);
                    return;
                }
                Next::Stmt(head, Flat::Unit(kind)) => {
                    self.mismatch(
                        head.place,
                        "a program unit begins before END of the one before",
                        Some(opened),
                    );
                    self.put_back(head, Flat::Unit(kind));
                    return;
                }
                Next::Stmt(head, _) => {
                    self.mismatch(
                        head.place,
                        "this statement has no block to belong to",
                        Some(opened),
                    );
                }
            }
        }
    }

    /// What follows CONTAINS, with the END of `unit`.
    fn contained(&mut self, unit: &mut Unit, head: Head) {
        let opened = unit.head.place;
        let mut items = Vec::new();
        loop {
            match self.next(true) {
                Next::End => {
                    self.mismatch(self.last, "the file ends inside a program unit", Some(opened));
                    break;
                }
                Next::Trivia(trivia) => items.push(UnitItem::Trivia(trivia)),
                Next::Stmt(head, Flat::Unit(kind)) => {
                    let broken = std::mem::take(&mut self.broken);
                    items.push(UnitItem::Unit(Box::new(self.unit(head, kind))));
                    self.broken |= broken;
                }
                Next::Stmt(head, Flat::End(end)) if end.is_bare() || ends(&unit.kind, end.what) => {
                    unit.end = UnitEnd { head, long: !end.is_bare(), name: end.plain_name() };
                    self.check_end_name(unit);
                    break;
                }
                Next::Stmt(head, _) => {
                    self.mismatch(
                        head.place,
                        "only procedures may stand behind CONTAINS",
                        Some(opened),
                    );
                }
            }
        }
        unit.contains = Some(Contains { head, items });
    }

    fn check_end_name(&mut self, unit: &Unit) {
        let Some(end) = &unit.end.name else { return };
        if unit.name().is_none_or(|name: &Name| name != end) {
            let message = format!("END names `{end}`, which is not what ends here");
            self.mismatch(end.place, &message, Some(unit.head.place));
        }
    }
}

/// Whether `END what` ends a unit of this kind.
fn ends(kind: &UnitKind, what: Option<Ends>) -> bool {
    let expected = match kind {
        UnitKind::Program(_) => Ends::Program,
        UnitKind::Module(_) => Ends::Module,
        UnitKind::ModuleProcedure(_) => Ends::Procedure,
        UnitKind::Submodule(_) => Ends::Submodule,
        UnitKind::BlockData(_) => Ends::BlockData,
        UnitKind::Subroutine(_) => Ends::Subroutine,
        UnitKind::Function(_) => Ends::Function,
    };
    what == Some(expected)
}
