//! SELECT constructs, and branches that are written with jumps.

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::model::{
    BranchForm, CaseRange, ExprId, ExprKind, Guard, Role, VertexId, VertexKind,
};

use super::print::Body;
use crate::code::Code;
use crate::expression::{Tok, comma, list, owned, text, whole};
use crate::lines::Lines;
use backend_flow::plan::Site;

/// The first line of a SELECT.
pub(super) fn head(body: &Body<'_, '_>, index: usize, branch: VertexId) -> Code {
    let VertexKind::Branch { condition, form, .. } = body.graph.kind(branch) else {
        return Code::default();
    };
    let word = match form {
        BranchForm::SelectType => "select type (",
        BranchForm::SelectRank => "select rank (",
        BranchForm::Plain
        | BranchForm::If
        | BranchForm::InlineIf
        | BranchForm::ElseIf
        | BranchForm::SelectCase
        | BranchForm::ArithmeticIf
        | BranchForm::ComputedGoto
        | BranchForm::AssignedGoto
        | BranchForm::IndirectGoto => "select case (",
    };
    let mut tokens = vec![body.naming(branch), text(word), Tok::Down];
    if matches!(form, BranchForm::SelectType | BranchForm::SelectRank) {
        tokens.extend(associate_name(body, index, branch, *condition).map(owned));
    }
    tokens.extend(condition.map(whole));
    tokens.extend([Tok::Up, text(")")]);
    body.printer(index).code(tokens)
}

/// `name => ` where the arms of SELECT TYPE call the selector by a name of their own.
fn associate_name(
    body: &Body<'_, '_>,
    index: usize,
    branch: VertexId,
    selector: Option<ExprId>,
) -> Option<String> {
    let doc = body.cx.doc;
    let arms = body.plan.structure.arms.get(&branch)?;
    let symbol = arms.iter().find_map(|arm| match body.graph.kind(arm.target) {
        VertexKind::BasicBlock { scope, .. } => doc.scopes[*scope]
            .symbols
            .iter()
            .copied()
            .find(|&symbol| matches!(doc.role(symbol), Some(Role::Associate { .. }))),
        _ => None,
    })?;
    let name = body.cx.names.declared(symbol);
    let same = selector.is_some_and(|expr| match doc.exprs[expr].kind {
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[reference];
            let (base, _) = body.cx.names.in_scope(body.printer(index).scope, reference.base);
            reference.parts.is_empty() && base.eq_ignore_ascii_case(name)
        }
        _ => false,
    });
    (!same).then(|| format!("{name} => "))
}

/// The line that begins an arm.
pub(super) fn case(body: &Body<'_, '_>, index: usize, branch: VertexId, arm: usize) -> Code {
    let edges = body.plan.arm_edges(branch, arm);
    let edges: Vec<_> = edges.iter().map(|&edge| &body.graph.cfg.edges[edge]).collect();
    let guards: Vec<&Guard> = edges.iter().filter_map(|edge| edge.guard.as_deref()).collect();
    let printer = body.printer(index);
    let mut tokens: Vec<Tok<'_>> = Vec::new();
    if guards.is_empty() {
        let values: Vec<i64> = edges.iter().filter_map(|edge| edge.condition).collect();
        if values.len() < edges.len() || values.is_empty() {
            return Code::from("case default");
        }
        tokens.extend([text("case ("), Tok::Down]);
        tokens.extend(list(values.iter().map(|value| owned(value.to_string()))));
        tokens.extend([Tok::Up, text(")")]);
        return printer.code(tokens);
    }
    if guards.iter().any(|guard| matches!(guard, Guard::Default)) {
        return Code::from(default_word(body, branch));
    }
    let mut ranges: Vec<CaseRange> = Vec::new();
    for guard in guards {
        match guard {
            Guard::Case(cases) => ranges.extend(cases),
            Guard::Default => {}
            Guard::TypeIs(spec) => tokens.extend(type_guard(printer.bare_type(spec), false)),
            Guard::ClassIs(spec) => tokens.extend(type_guard(printer.bare_type(spec), true)),
            Guard::Rank(rank) => tokens.extend([text("rank ("), whole(*rank), text(")")]),
            Guard::RankStar => tokens.push(text("rank (*)")),
        }
    }
    if !ranges.is_empty() {
        tokens.extend(case_values(&ranges));
    }
    printer.code(tokens)
}

fn case_values<'d>(ranges: &[CaseRange]) -> Vec<Tok<'d>> {
    let mut tokens = vec![text("case ("), Tok::Down];
    for (index, range) in ranges.iter().enumerate() {
        if index > 0 {
            tokens.extend(comma());
        }
        match *range {
            CaseRange::Value(value) => tokens.push(whole(value)),
            CaseRange::Range(lower, upper) => {
                tokens.extend(lower.map(whole));
                tokens.push(text(":"));
                tokens.extend(upper.map(whole));
            }
        }
    }
    tokens.extend([Tok::Up, text(")")]);
    tokens
}

/// `type is (t)`
fn type_guard(spelt: Vec<Tok<'_>>, class: bool) -> Vec<Tok<'_>> {
    let mut tokens = vec![text(if class { "class is (" } else { "type is (" })];
    tokens.extend(spelt);
    tokens.push(text(")"));
    tokens
}

fn default_word(body: &Body<'_, '_>, branch: VertexId) -> &'static str {
    match body.graph.kind(branch) {
        VertexKind::Branch { form: BranchForm::SelectType, .. } => "class default",
        VertexKind::Branch { form: BranchForm::SelectRank, .. } => "rank default",
        _ => "case default",
    }
}

/// A branch whose arms stand elsewhere: it jumps to them.
pub(super) fn flat(
    body: &Body<'_, '_>,
    lines: &mut Lines,
    index: usize,
    branch: VertexId,
    condition: Option<ExprId>,
    form: BranchForm,
) {
    let named = body.plan.named.get(&index).map_or(&[][..], Vec::as_slice);
    let label = |site: Site| owned(body.label_of(site).to_string());
    let printer = body.printer(index);
    let Some(condition) = condition else {
        body.cx.error(
            DiagCode::CANNOT_STRUCTURE,
            body.graph.cfg.vertices[branch].place,
            "a branch that only jumps has no condition",
        );
        return;
    };
    if body.is_if(branch) {
        for &(value, site) in named {
            let mut tokens = vec![text("if (")];
            match value {
                Some(0) => tokens.extend([text(".not. "), Tok::Expr(condition, 13)]),
                _ => tokens.push(whole(condition)),
            }
            tokens.extend([text(") goto "), label(site)]);
            lines.code(None, &printer.code(tokens));
        }
        return;
    }
    let find = |value: i64| named.iter().find(|(v, _)| *v == Some(value)).map(|&(_, site)| site);
    let tokens = match form {
        BranchForm::ArithmeticIf => {
            let labels = [-1, 0, 1].map(|value| find(value).map_or(owned("0"), label));
            let mut tokens = vec![text("if ("), whole(condition), text(") ")];
            tokens.extend(list(labels.into_iter()));
            tokens
        }
        BranchForm::ComputedGoto => {
            let labels = (1..).map_while(find).map(label);
            let mut tokens = vec![text("goto (")];
            tokens.extend(list(labels));
            tokens.extend([text("), "), whole(condition)]);
            tokens
        }
        BranchForm::AssignedGoto => {
            let mut tokens = vec![text("goto "), whole(condition)];
            if !named.is_empty() {
                tokens.push(text(", ("));
                tokens.extend(list(named.iter().map(|&(_, site)| label(site))));
                tokens.push(text(")"));
            }
            tokens
        }
        BranchForm::Plain
        | BranchForm::If
        | BranchForm::InlineIf
        | BranchForm::ElseIf
        | BranchForm::SelectCase
        | BranchForm::SelectType
        | BranchForm::SelectRank
        | BranchForm::IndirectGoto => return flat_cases(body, lines, index, branch, condition),
    };
    lines.code(None, &printer.code(tokens));
}

/// `select case … case (1) … goto 10 … end select`
fn flat_cases(
    body: &Body<'_, '_>,
    lines: &mut Lines,
    index: usize,
    branch: VertexId,
    condition: ExprId,
) {
    let named = body.plan.named.get(&index).map_or(&[][..], Vec::as_slice);
    let printer = body.printer(index);
    let head = vec![text("select case ("), whole(condition), text(")")];
    lines.code(None, &printer.code(head));
    let mut done = Vec::new();
    for (_, edge) in body.graph.out(branch) {
        let Some(value) = edge.condition else { continue };
        let Some((_, site)) = named.iter().find(|(v, _)| *v == Some(value)) else { continue };
        if done.contains(&value) {
            continue;
        }
        done.push(value);
        let tokens = match edge.guard.as_deref() {
            Some(Guard::Case(ranges)) => case_values(ranges),
            Some(Guard::Default) => vec![text("case default")],
            Some(Guard::TypeIs(_) | Guard::ClassIs(_) | Guard::Rank(_) | Guard::RankStar) => {
                Vec::new()
            }
            None => vec![owned(format!("case ({value})"))],
        };
        lines.code(None, &printer.code(tokens));
        lines.indent();
        lines.plain(&format!("goto {}", body.label_of(*site)));
        lines.dedent();
    }
    lines.plain("end select");
}
