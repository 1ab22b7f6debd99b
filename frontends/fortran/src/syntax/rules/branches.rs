//! Branches and names of constructs.

use xaif_schema::diag::Code;

use super::super::ast::{
    Conditional, DoEnd, End, Name, Place, Select, Stmt, StmtKind, TypeGuard, TypeKind,
};
use super::Breach;

/// Adds the rules that a construct breaks; what stands in its branches is not looked at.
pub(super) fn check(stmt: &Stmt, found: &mut Vec<Breach>) {
    match &stmt.kind {
        StmtKind::If(conditional) => branches(conditional, "ELSE", "ELSE or ELSE IF", found),
        StmtKind::Where(conditional) => branches(conditional, "ELSEWHERE", "ELSEWHERE", found),
        StmtKind::SelectCase(select) => select_names(select, found),
        StmtKind::SelectRank(select) => select_names(select, found),
        StmtKind::SelectType(select) => {
            select_names(select, found);
            guards(select, found);
        }
        StmtKind::Forall { name, end, .. }
        | StmtKind::Associate { name, end, .. }
        | StmtKind::Block { name, end, .. }
        | StmtKind::Critical { name, end, .. } => end_name(name.as_ref(), end, found),
        StmtKind::Do(construct) => match &construct.end {
            DoEnd::EndDo(end) => end_name(construct.name.as_ref(), end, found),
            DoEnd::Terminal | DoEnd::Shared => {}
        },
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::AssignLabel { .. }
        | StmtKind::Call { .. }
        | StmtKind::Goto(_)
        | StmtKind::ComputedGoto { .. }
        | StmtKind::AssignedGoto { .. }
        | StmtKind::ArithmeticIf { .. }
        | StmtKind::LogicalIf { .. }
        | StmtKind::Return(_)
        | StmtKind::Stop { .. }
        | StmtKind::Pause(_)
        | StmtKind::Cycle(_)
        | StmtKind::Exit(_)
        | StmtKind::Continue
        | StmtKind::Io(_)
        | StmtKind::Allocate { .. }
        | StmtKind::Deallocate { .. }
        | StmtKind::Nullify(_)
        | StmtKind::WhereStmt { .. }
        | StmtKind::ForallStmt { .. }
        | StmtKind::Spec(_)
        | StmtKind::Opaque(_) => {}
    }
}

/// The last branch alone has no condition.
fn branches(conditional: &Conditional, last: &str, branch: &str, found: &mut Vec<Breach>) {
    let mut is_over = false;
    for arm in &conditional.arms {
        if is_over {
            found.push(Breach {
                code: Code::BRANCH_ORDER,
                place: arm.head.place,
                message: format!("{branch} behind the {last} that ends the branches"),
                help: "put the branch without a condition last, and let it stand once",
            });
        }
        is_over |= arm.condition.is_none();
        branch_name(conditional.name.as_ref(), arm.name.as_ref(), found);
    }
    end_name(conditional.name.as_ref(), &conditional.end, found);
}

fn select_names<S, G>(select: &Select<S, G>, found: &mut Vec<Breach>) {
    for arm in &select.arms {
        branch_name(select.name.as_ref(), arm.name.as_ref(), found);
    }
    end_name(select.name.as_ref(), &select.end, found);
}

/// No two branches of a SELECT TYPE are for the same derived type in the same way.
fn guards<S>(select: &Select<S, TypeGuard>, found: &mut Vec<Breach>) {
    let mut seen: Vec<(bool, &Name)> = Vec::new();
    for arm in &select.arms {
        let (exact, spec) = match &arm.guard {
            TypeGuard::TypeIs(spec) => (true, spec),
            TypeGuard::ClassIs(spec) => (false, spec),
            TypeGuard::Default => continue,
        };
        let TypeKind::Derived(name, parameters) = &spec.kind else { continue };
        if !parameters.is_empty() {
            continue;
        }
        if seen.contains(&(exact, name)) {
            found.push(Breach {
                code: Code::BRANCH_ORDER,
                place: arm.head.place,
                message: format!("a second branch for the type `{name}`"),
                help: "let one branch do the work of both",
            });
        }
        seen.push((exact, name));
    }
}

/// A branch repeats the name of its construct, or has none.
fn branch_name(construct: Option<&Name>, branch: Option<&Name>, found: &mut Vec<Breach>) {
    if let Some(name) = branch
        && construct != Some(name)
    {
        found.push(other_name(name.place, construct, Some(name)));
    }
}

/// The END of a construct with a name repeats it; that of one without a name has none.
fn end_name(construct: Option<&Name>, end: &End, found: &mut Vec<Breach>) {
    // An END that is missing was reported.
    if construct != end.name.as_ref() && end.head.place != Place::default() {
        let place = end.name.as_ref().map_or(end.head.place, |name| name.place);
        found.push(other_name(place, construct, end.name.as_ref()));
    }
}

fn other_name(place: Place, construct: Option<&Name>, here: Option<&Name>) -> Breach {
    let message = match (construct, here) {
        (Some(name), Some(here)) => format!("`{here}` stands where the construct is `{name}`"),
        (Some(name), None) => format!("the name `{name}` of the construct is missing"),
        (None, Some(here)) => format!("`{here}` stands where the construct has no name"),
        (None, None) => "the construct has no name".to_owned(),
    };
    let help = "repeat the name of the construct where it ends, and no other";
    Breach { code: Code::BLOCK_STRUCTURE, place, message, help }
}
