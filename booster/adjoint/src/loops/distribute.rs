//! Loop distribution in the backward sweep: a loop that scatters becomes several that do not.
//!
//! The adjoint of a stencil that gathers scatters: `ub(i-1) = ub(i-1) + …`, `ub(i) = ub(i) + …`,
//! `ub(i+1) = ub(i+1) + …` in one loop depend on each other from round to round, and no compiler can
//! vectorise that. But sums may be formed in any order. So an innermost counted loop whose iterations
//! add to one array at several places becomes one loop for each place (Allen and Kennedy, "Optimizing
//! Compilers for Modern Architectures", section 5.2.4; the dependences between the iterations are
//! reductions). Temporaries of an iteration are put in where they are used, as far as they cost no
//! division and no function.
//!
//! Nothing is done where iterations may depend on each other in another way, where a loop uses the tape
//! or calls, and where a loop scatters nothing.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Cfg, Document, Edge, ExprId, ExprKind, ForForm, Part, RefId, Stmt, StmtId, StmtKind, Subscript,
    SymbolId, Vertex, VertexId, VertexKind,
};

use crate::queries::expressions::{first_term, read_by};
use crate::queries::private_scalars::may_be_same;
use booster_build::{Copier, nodes_of, same_reference, subscripts_of};
use booster_facts::Storage;

/// What is known of the variables of a backward sweep.
pub(crate) struct Known<'a> {
    /// The locations of storage of variables that are no temporaries of this stage.
    pub(crate) storage: &'a Storage,
    /// The adjoint variables.
    pub(crate) adjoints: &'a HashSet<SymbolId>,
    /// Scalars that carry no value from one iteration to another.
    pub(crate) private: &'a HashSet<SymbolId>,
}

/// Distributes the innermost loops of `cfg`.
pub(crate) fn distribute(doc: &mut Document, cfg: &mut Cfg, known: &Known<'_>) {
    let mut position = 0;
    while position + 2 < cfg.layout.len() {
        let head = cfg.layout[position];
        let found = innermost(doc, cfg, position).and_then(|round| groups(doc, known, &round));
        if let Some(groups) = found {
            split(doc, cfg, position, head, groups);
        }
        position += 1;
    }
    drop_replaced(cfg);
}

/// The loops that were replaced go.
pub(crate) fn drop_replaced(cfg: &mut Cfg) {
    if cfg.layout.len() == cfg.vertices.len() {
        return;
    }
    let old = std::mem::take(cfg);
    let mut new: HashMap<VertexId, VertexId> = HashMap::new();
    cfg.structured = old.structured;
    for &vertex in &old.layout {
        new.insert(vertex, cfg.push(old.vertices[vertex].clone()));
    }
    for edge in old.edges.values() {
        if let (Some(&source), Some(&target)) = (new.get(&edge.source), new.get(&edge.target)) {
            cfg.edges.push(Edge { source, target, ..edge.clone() });
        }
    }
}

/// The iteration of an innermost loop.
pub(crate) struct Round {
    /// The loop's variable.
    pub(crate) variable: SymbolId,
    /// The statements.
    pub(crate) statements: Vec<Step>,
}

/// One statement of an iteration.
pub(crate) struct Step {
    stmt: StmtId,
    /// What it assigns to.
    pub(crate) lhs: RefId,
    /// What it assigns.
    pub(crate) rhs: ExprId,
    kind: Kind,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `t = …`, a scalar that later statements of the iteration read.
    Temporary,
    /// `x = x + …`
    Sum,
    /// `x = …`
    Plain,
}

/// The iteration of the loop at this position of the layout, if it is one that can be looked at: one
/// block of assignments of numbers.
fn innermost(doc: &Document, cfg: &Cfg, position: usize) -> Option<Round> {
    let [head, block, end] = cfg.layout.get(position..position + 3)? else { return None };
    let VertexKind::ForLoop { init, form: ForForm::Counted, .. } = &cfg.vertices[*head].kind else {
        return None;
    };
    let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[*block].kind else { return None };
    if !matches!(cfg.vertices[*end].kind, VertexKind::EndLoop) {
        return None;
    }
    let StmtKind::Assign { lhs: variable, .. } = doc.stmts[*init].kind else { return None };
    let statements: Option<Vec<Step>> = stmts.iter().map(|&stmt| step(doc, stmt)).collect();
    Some(Round { variable: doc.refs[variable].base, statements: statements? })
}

/// A statement as an assignment of numbers without calls, if it is one.
pub(crate) fn step(doc: &Document, stmt: StmtId) -> Option<Step> {
    let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else { return None };
    let reference = &doc.refs[lhs];
    let plain = reference.ty.rank == 0
        && reference.ty.base.is_continuous()
        && match &reference.parts[..] {
            [] => true,
            [Part::Elements(list)] => list.iter().all(|one| matches!(one, Subscript::Index(_))),
            [_, ..] => false,
        };
    let pure = nodes_of(doc, [rhs]).into_iter().all(|node| {
        doc.exprs[node].ty.rank == 0
            && matches!(
                doc.exprs[node].kind,
                ExprKind::Constant(_)
                    | ExprKind::Ref(_)
                    | ExprKind::Intrinsic { .. }
                    | ExprKind::Boolean { .. }
            )
    });
    if !plain || !pure {
        return None;
    }
    let kind = match (reads(doc, rhs, lhs), reference.parts.is_empty()) {
        (Reads::First, _) => Kind::Sum,
        (Reads::None, true) => Kind::Temporary,
        (Reads::None | Reads::Otherwise, _) => Kind::Plain,
    };
    Some(Step { stmt, lhs, rhs, kind })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    /// The variable of the left-hand side is not read.
    None,
    /// It is the first term of a sum, and read nowhere else.
    First,
    Otherwise,
}

fn reads(doc: &Document, rhs: ExprId, lhs: RefId) -> Reads {
    let base = doc.refs[lhs].base;
    let found = read_by(doc, rhs).into_iter().filter(|&r| doc.refs[r].base == base).count();
    if found == 0 {
        return Reads::None;
    }
    match first_term(doc, rhs) {
        Some(own) if found == 1 && same_reference(doc, own, lhs) => Reads::First,
        Some(_) | None => Reads::Otherwise,
    }
}

/// The loops that the iteration becomes, with temporaries put in; `None` where it stays.
fn groups(doc: &mut Document, known: &Known<'_>, round: &Round) -> Option<Vec<Vec<StmtId>>> {
    if !scatters(doc, round) || !separate(doc, known, round) || !independent(doc, known, round) {
        return None;
    }
    let steps = inlined(doc, round)?;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut of_step: Vec<usize> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let earliest = (0..number)
            .filter(|&before| ordered(doc, &steps[before], step))
            .map(|before| of_step[before])
            .max()
            .unwrap_or(0);
        let free = |group: &Vec<usize>| {
            group.iter().all(|&other| !collide(doc, round.variable, &steps[other], step))
        };
        let chosen = (earliest..groups.len()).find(|&group| free(&groups[group]));
        let chosen = chosen.unwrap_or(groups.len());
        if chosen == groups.len() {
            groups.push(Vec::new());
        }
        groups[chosen].push(number);
        of_step.push(chosen);
    }
    let stmts = |group: Vec<usize>| group.into_iter().map(|number| steps[number].stmt).collect();
    (groups.len() > 1).then(|| groups.into_iter().map(stmts).collect())
}

/// Whether one array is added to at places that other iterations add to as well.
fn scatters(doc: &Document, round: &Round) -> bool {
    let steps = &round.statements;
    steps.iter().enumerate().any(|(number, step)| {
        steps[..number].iter().any(|other| collide(doc, round.variable, other, step))
    })
}

/// Whether two statements add to one array so that different iterations may add to the same element.
fn collide(doc: &Document, variable: SymbolId, a: &Step, b: &Step) -> bool {
    let (to, and) = (&doc.refs[a.lhs], &doc.refs[b.lhs]);
    if to.base != and.base || same_reference(doc, a.lhs, b.lhs) {
        return false;
    }
    let lists = (&to.parts[..], &and.parts[..]);
    let ([Part::Elements(to)], [Part::Elements(and)]) = lists else { return true };
    // Elements that differ in a subscript that stays the same in all iterations are never the same.
    !to.iter().zip(and).any(|pair| match pair {
        (Subscript::Index(a), Subscript::Index(b)) => {
            match (booster_facts::loops::offset(doc, *a), booster_facts::loops::offset(doc, *b)) {
                (Some((a, from)), Some((b, to))) => a == b && a != Some(variable) && from != to,
                _ => false,
            }
        }
        _ => false,
    })
}

/// Whether iterations depend on each other only by the sums that they add to: an array that is written
/// and read, or written in two ways, is always named by the same subscripts, which differ from round
/// to round; a scalar is a temporary or a sum that nobody reads.
pub(crate) fn independent(doc: &Document, known: &Known<'_>, round: &Round) -> bool {
    let steps = &round.statements;
    let written: HashSet<SymbolId> = steps.iter().map(|step| doc.refs[step.lhs].base).collect();
    if written.contains(&round.variable) {
        return false;
    }
    written.iter().all(|&symbol| {
        let mut places: Vec<RefId> = Vec::new();
        let mut only_sums = true;
        let mut temporary = true;
        for step in steps {
            let mut found = read_by(doc, step.rhs);
            for index in subscripts_of(&doc.refs[step.lhs]) {
                found.extend(read_by(doc, index));
            }
            let own = doc.refs[step.lhs].base == symbol;
            found.retain(|&r| doc.refs[r].base == symbol);
            let elsewhere = if own && step.kind == Kind::Sum { 1 } else { 0 };
            only_sums &= found.len() == elsewhere && (!own || step.kind == Kind::Sum);
            temporary &= !own || step.kind == Kind::Temporary;
            places.extend(found);
            places.extend(own.then_some(step.lhs));
        }
        let alike = || {
            let moves = |&place: &RefId| moves(doc, round.variable, &written, place);
            places.windows(2).all(|two| same_reference(doc, two[0], two[1]))
                && places.iter().all(moves)
        };
        let private = || known.private.contains(&symbol);
        only_sums || temporary && known.is_temporary(doc, symbol) || private() || alike()
    }) && steps.iter().all(|step| stays(doc, step.lhs, &written))
}

/// Whether the subscripts of a place name another element in each iteration.
fn moves(doc: &Document, variable: SymbolId, written: &HashSet<SymbolId>, place: RefId) -> bool {
    subscripts_of(&doc.refs[place]).into_iter().any(|index| {
        booster_facts::loops::offset(doc, index).is_some_and(|(base, _)| base == Some(variable))
    }) && stays(doc, place, written)
}

/// Whether no subscript of a place reads what the iteration writes.
fn stays(doc: &Document, place: RefId, written: &HashSet<SymbolId>) -> bool {
    let mut indices = subscripts_of(&doc.refs[place]).into_iter();
    indices
        .all(|index| read_by(doc, index).into_iter().all(|r| !written.contains(&doc.refs[r].base)))
}

impl Known<'_> {
    /// A variable that this stage has made for one statement: nobody asks for its value behind it.
    pub(crate) fn is_temporary(&self, doc: &Document, symbol: SymbolId) -> bool {
        let data = &doc.symbols[symbol];
        data.temp == Some(true) && data.active == Some(false) && !self.adjoints.contains(&symbol)
    }
}

/// Whether different names are different storage, as far as one of them is written.
pub(crate) fn separate(doc: &Document, known: &Known<'_>, round: &Round) -> bool {
    let written: HashSet<SymbolId> =
        round.statements.iter().map(|step| doc.refs[step.lhs].base).collect();
    let mut named = written.clone();
    for step in &round.statements {
        named.extend(read_by(doc, step.rhs).into_iter().map(|r| doc.refs[r].base));
    }
    written.iter().all(|&one| {
        let mut others = named.iter().filter(|&&other| other != one);
        others.all(|&other| !may_be_same(doc, known.storage, one, other))
    })
}

/// Whether the second statement must come behind the first in the same iteration.
fn ordered(doc: &Document, first: &Step, second: &Step) -> bool {
    let reads = |step: &Step, of: RefId| {
        let base = doc.refs[of].base;
        read_by(doc, step.rhs).into_iter().any(|r| doc.refs[r].base == base)
    };
    let same = doc.refs[first.lhs].base == doc.refs[second.lhs].base;
    let sums = first.kind == Kind::Sum && second.kind == Kind::Sum;
    same && !sums || !same && (reads(second, first.lhs) || reads(first, second.lhs))
}

/// The statements without temporaries, which are put in where they are read; `None` where that
/// costs too much or changes what they read.
fn inlined(doc: &mut Document, round: &Round) -> Option<Vec<Step>> {
    let mut values: HashMap<SymbolId, ExprId> = HashMap::new();
    let mut steps = Vec::new();
    for step in &round.statements {
        let rhs = substituted(doc, step.rhs, &values);
        if step.kind == Kind::Temporary {
            if !is_cheap(doc, rhs) {
                return None;
            }
            values.insert(doc.refs[step.lhs].base, rhs);
            continue;
        }
        // What a temporary was made of must not change before its last use.
        let base = doc.refs[step.lhs].base;
        let changed: Vec<SymbolId> = values
            .iter()
            .filter(|&(_, &value)| {
                read_by(doc, value).into_iter().any(|r| doc.refs[r].base == base)
            })
            .map(|(&symbol, _)| symbol)
            .collect();
        let lhs = Copier::new().reference(doc, step.lhs);
        let Stmt { place, label, .. } = doc.stmts[step.stmt].clone();
        if label.is_some() {
            return None;
        }
        let stmt = booster_build::assign(doc, lhs, rhs, place);
        steps.push(Step { stmt, lhs, rhs, kind: step.kind });
        for symbol in changed {
            values.remove(&symbol);
        }
    }
    // A temporary that is read after it could not be put in any more.
    let temporaries: HashSet<SymbolId> = round
        .statements
        .iter()
        .filter(|step| step.kind == Kind::Temporary)
        .map(|step| doc.refs[step.lhs].base)
        .collect();
    let left = steps.iter().any(|step| {
        read_by(doc, step.rhs).into_iter().any(|r| temporaries.contains(&doc.refs[r].base))
    });
    (!left).then_some(steps)
}

/// A copy of an expression with values in the place of variables.
pub(crate) fn substituted(
    doc: &mut Document,
    root: ExprId,
    values: &HashMap<SymbolId, ExprId>,
) -> ExprId {
    let copy = Copier::new().expr(doc, root);
    for node in nodes_of(doc, [copy]) {
        let ExprKind::Ref(reference) = doc.exprs[node].kind else { continue };
        let Some(&value) = values.get(&doc.refs[reference].base) else { continue };
        let value = Copier::new().expr(doc, value);
        let parens = doc.exprs[node].parens;
        doc.exprs[node] = doc.exprs[value].clone();
        doc.exprs[node].parens |= parens;
    }
    copy
}

/// Whether an expression may be computed several times: sums and products of a few values.
fn is_cheap(doc: &Document, root: ExprId) -> bool {
    let nodes = nodes_of(doc, [root]);
    nodes.len() <= 12
        && nodes.into_iter().all(|node| match &doc.exprs[node].kind {
            ExprKind::Constant(_) | ExprKind::Ref(_) => true,
            ExprKind::Intrinsic { name, .. } => matches!(
                &**name,
                "add_scal_scal" | "sub_scal_scal" | "mul_scal_scal" | "minus_scal"
            ),
            ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        })
}

/// Puts each group of statements into a loop of its own, one behind the other.
fn split(
    doc: &mut Document,
    cfg: &mut Cfg,
    position: usize,
    head: VertexId,
    groups: Vec<Vec<StmtId>>,
) {
    let (block, end) = (cfg.layout[position + 1], cfg.layout[position + 2]);
    let mut groups = groups.into_iter();
    if let (Some(first), VertexKind::BasicBlock { stmts, .. }) =
        (groups.next(), &mut cfg.vertices[block].kind)
    {
        *stmts = first;
    }
    let mut last = head;
    let mut layout = Vec::new();
    for group in groups {
        let loop_head = copied(doc, &cfg.vertices[head]);
        let loop_head = cfg.vertices.push(loop_head);
        let mut body = cfg.vertices[block].clone();
        if let VertexKind::BasicBlock { stmts, .. } = &mut body.kind {
            *stmts = group;
        }
        let body = cfg.vertices.push(Vertex { id: None, ..body });
        let loop_end = Vertex { id: None, ..cfg.vertices[end].clone() };
        let loop_end = cfg.vertices.push(loop_end);
        // What followed the last loop follows this one.
        let leaving = cfg
            .edges
            .keys()
            .find(|&edge| cfg.edges[edge].source == last && cfg.edges[edge].condition.is_none());
        if let Some(leaving) = leaving {
            let behind = cfg.edges[leaving].target;
            cfg.edges[leaving].target = loop_head;
            cfg.connect_if(loop_head, body, 1);
            cfg.connect(body, loop_end);
            cfg.connect(loop_end, loop_head);
            cfg.connect(loop_head, behind);
        }
        layout.extend([loop_head, body, loop_end]);
        last = loop_head;
    }
    let at = position + 3;
    cfg.layout.splice(at..at, layout);
}

/// A second head of the same loop.
fn copied(doc: &mut Document, head: &Vertex) -> Vertex {
    let mut kind = head.kind.clone();
    if let VertexKind::ForLoop { init, condition, update, name, .. } = &mut kind {
        *init = Copier::new().stmt(doc, *init);
        *condition = Copier::new().expr(doc, *condition);
        *update = Copier::new().stmt(doc, *update);
        *name = None;
    }
    Vertex { kind, id: None, ..head.clone() }
}
