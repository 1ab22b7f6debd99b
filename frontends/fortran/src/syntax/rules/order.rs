//! The order of the statements of a specification part: USE, IMPORT, IMPLICIT, declarations.

use xaif_schema::diag::Code;

use super::super::ast::{
    Argument, ArgumentValue, Designator, ExecItem, ExprKind, Implicit, SpecItem, SpecKind, StmtKind,
};
use super::Breach;

/// The parts of a specification part in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Use,
    Import,
    Implicit,
    Declarations,
}

/// The part that a statement belongs to; `None` where it may stand in several.
fn part(kind: &SpecKind) -> Option<Part> {
    Some(match kind {
        SpecKind::Use(_) => Part::Use,
        SpecKind::Import(_) => Part::Import,
        SpecKind::Implicit(_) => Part::Implicit,
        SpecKind::Parameter { .. }
        | SpecKind::Format(_)
        | SpecKind::Entry(_)
        | SpecKind::Opaque(_) => return None,
        SpecKind::Declaration(_)
        | SpecKind::Procedure(_)
        | SpecKind::Data(_)
        | SpecKind::Save(_)
        | SpecKind::Dimension(_)
        | SpecKind::Common(_)
        | SpecKind::Equivalence(_)
        | SpecKind::External(_)
        | SpecKind::Intrinsic(_)
        | SpecKind::Namelist(_)
        | SpecKind::Attribute(..)
        | SpecKind::Bind(..)
        | SpecKind::Access(..)
        | SpecKind::Generic(_)
        | SpecKind::TypeDef(_)
        | SpecKind::Enum(_)
        | SpecKind::Interface(_) => Part::Declarations,
    })
}

/// Adds the rules of order that a specification part and what follows it break.
pub(super) fn check(spec: &[SpecItem], exec: &[ExecItem], found: &mut Vec<Breach>) {
    let mut reached = Part::Use;
    let mut implicit: Option<bool> = None;
    for item in spec {
        let SpecItem::Stmt(stmt) = item else { continue };
        let mut breach = |message: &str, help| {
            let (code, place) = (Code::SPECIFICATION_ORDER, stmt.head.place);
            found.push(Breach { code, place, message: message.to_owned(), help });
        };
        if let SpecKind::Implicit(rules) = &stmt.kind {
            let is_none = matches!(rules, Implicit::None { types: true, .. });
            if implicit.is_some_and(|before| before || is_none) {
                breach("IMPLICIT NONE beside another IMPLICIT statement", "keep one of them");
            }
            let before = implicit.replace(implicit.unwrap_or(false) || is_none);
            if before.is_some_and(|before| before || is_none) {
                continue;
            }
        }
        let Some(part) = part(&stmt.kind) else { continue };
        if part < reached {
            let message = match part {
                Part::Use => "USE behind another specification statement",
                Part::Import => "IMPORT behind IMPLICIT or a declaration",
                Part::Implicit | Part::Declarations => "IMPLICIT behind a declaration",
            };
            breach(message, "the order is USE, IMPORT, IMPLICIT, declarations");
        }
        reached = reached.max(part);
    }
    declarations_behind(exec, found);
}

/// Declarations behind the first statement that is executable for sure.
fn declarations_behind(exec: &[ExecItem], found: &mut Vec<Breach>) {
    let mut is_executable = false;
    for item in exec {
        let ExecItem::Stmt(stmt) = item else { continue };
        let StmtKind::Spec(kind) = &stmt.kind else {
            let may_declare = matches!(&stmt.kind, StmtKind::Assign { target, .. }
                if may_be_statement_function(target));
            is_executable |= !may_declare;
            continue;
        };
        let may_stand = matches!(
            **kind,
            SpecKind::Data(_)
                | SpecKind::Format(_)
                | SpecKind::Entry(_)
                | SpecKind::Namelist(_)
                | SpecKind::Opaque(_)
        );
        if is_executable && !may_stand {
            found.push(Breach {
                code: Code::STATEMENT_OUT_OF_PLACE,
                place: stmt.head.place,
                message: "a declaration behind an executable statement".to_owned(),
                help: "move it to the other declarations, or into a BLOCK construct",
            });
        }
    }
}

/// Whether an assignment to `target` may define a statement function: `f(a, b) = …`.
fn may_be_statement_function(target: &Designator) -> bool {
    let is_name = |argument: &Argument| match &argument.value {
        ArgumentValue::Expr(expr) => {
            matches!(&expr.kind, ExprKind::Designator(name) if name.simple().is_some())
        }
        _ => false,
    };
    match target.parts.as_slice() {
        [part] => matches!(part.arguments.as_slice(), [list] if list.iter().all(is_name)),
        _ => false,
    }
}
