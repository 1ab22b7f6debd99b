//! Writes loops that use blocks.

use std::collections::HashMap;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Cfg, Dim, Document, Edge, EdgeId, ExprId, InlinableCall,
    Place, ProcId, RefId, ScopeId, StmtId, StmtKind, SymbolId, Vertex, VertexId, VertexKind,
};

use super::{At, Before, Block, InPlace, Scalar, without};
use booster_build::{
    Copier, EdgeIndex, assign, binary, constant_integer, index, integer, integer_of_kind,
    new_variable, statement, sum, value_of, whole,
};

/// The names of blocks: one for each procedure, type, and number of loops around.
#[derive(Default)]
pub(crate) struct BlockNames {
    made: HashMap<(ProcId, Base, usize), SymbolId>,
    /// The changes at the loops of each procedure. `finish` makes all of them at once.
    put: HashMap<ProcId, Vec<Put>>,
}

/// The changes at one loop.
struct Put {
    head: VertexId,
    end: VertexId,
    /// Statements of the body that go.
    gone: Vec<StmtId>,
    /// Others of the body.
    stay: Vec<StmtId>,
    new: Around,
}

/// What is put around and into a loop.
#[derive(Default)]
struct Around {
    before: Vec<StmtId>,
    begin: Vec<StmtId>,
    end: Vec<StmtId>,
    behind: Vec<StmtId>,
}

impl BlockNames {
    /// Lets a loop and its mirror use a block for each type. The result is what the scalars held before
    /// the loop, which is pushed there.
    pub(crate) fn write(&mut self, doc: &mut Document, block: &Block) -> Vec<Before> {
        let (mut forward, mut backward) = (Around::default(), Around::default());
        let mut held = Vec::new();
        for scalar in &block.scalars {
            let push = own_operation(doc, "push", &scalar.kept);
            let pop = own_operation(doc, "pop", &scalar.taken);
            forward.before.push(push);
            backward.behind.push(pop);
            held.push(Before { push: (block.forward.proc, push), pop: (block.backward.proc, pop) });
        }
        let mut types: Vec<Base> = Vec::new();
        let in_place = block.in_place.iter().map(|one| one.base);
        for base in block.scalars.iter().map(|scalar| scalar.base).chain(in_place) {
            if !types.contains(&base) {
                types.push(base);
            }
        }
        for &base in &types {
            self.of_type(doc, block, base, &mut forward, &mut backward);
        }
        // What was reserved, kept or pushed last is taken back first.
        backward.before.reverse();
        backward.behind.reverse();
        let kept: Vec<StmtId> = block.scalars.iter().flat_map(|one| one.kept.1.clone()).collect();
        let taken: Vec<StmtId> = block.scalars.iter().flat_map(|one| one.taken.1.clone()).collect();
        let (pushed, popped): (Vec<StmtId>, Vec<StmtId>) = block
            .in_place
            .iter()
            .filter_map(|one| Some((one.pushes.first()?.0, one.pop.0)))
            .unzip();
        self.put(&block.forward, (kept, pushed), forward);
        self.put(&block.backward, (taken, popped), backward);
        held
    }

    fn put(&mut self, at: &At, (gone, stay): (Vec<StmtId>, Vec<StmtId>), new: Around) {
        let put = Put { head: at.head, end: at.end, gone, stay, new };
        self.put.entry(at.proc).or_default().push(put);
    }

    /// Changes the procedures.
    pub(crate) fn finish(self, doc: &mut Document) {
        for (proc, all) in self.put {
            if let Body::Flow(cfg) = &mut doc.procs[proc].body {
                put_all(cfg, all);
            }
        }
    }

    /// What concerns the values of one type.
    fn of_type(
        &mut self,
        doc: &mut Document,
        block: &Block,
        base: Base,
        forward: &mut Around,
        backward: &mut Around,
    ) {
        let scalars: Vec<&Scalar> = block.scalars.iter().filter(|one| one.base == base).collect();
        let in_place: Vec<&InPlace> =
            block.in_place.iter().filter(|one| one.base == base).collect();
        let rows = scalars.len() + in_place.len();
        let (there, place) = self.name(doc, &block.forward, base);
        let (name, count) = (variable(doc, there, place), count(doc, block, rows, place));
        forward.before.push(operation(doc, "block_alloc", &[name, count], place));
        forward.behind.push(own_operation_at(doc, "block_push", there, place));
        let (back, place) = self.name(doc, &block.backward, base);
        backward.before.push(own_operation_at(doc, "block_pop", back, place));
        backward.behind.push(own_operation_at(doc, "block_free", back, place));
        for (row, scalar) in scalars.iter().enumerate() {
            let symbol = scalar.kept.0;
            let place = place_of(doc, &scalar.kept.1);
            let round = (block.forward.variable, block.origin.there, block);
            let element = element(doc, there, round, (row, rows), place);
            let value = variable(doc, symbol, place);
            forward.end.push(assign(doc, element, value, place));
            let symbol = scalar.taken.0;
            let place = place_of(doc, &scalar.taken.1);
            let round = (block.backward.variable, block.origin.back, block);
            let element = self::element(doc, back, round, (row, rows), place);
            let own = whole(doc, symbol, place);
            let value = value_of(doc, element);
            backward.begin.push(assign(doc, own, value, place));
        }
        for (row, one) in (scalars.len()..).zip(in_place) {
            for &(push, value) in &one.pushes {
                let place = doc.stmts[push].place;
                let round = (block.forward.variable, block.origin.there, block);
                let element = element(doc, there, round, (row, rows), place);
                become_assignment(doc, push, element, value);
            }
            let (pop, taken) = one.pop;
            let place = doc.stmts[pop].place;
            let round = (block.backward.variable, block.origin.back, block);
            let element = element(doc, back, round, (row, rows), place);
            let value = value_of(doc, element);
            if let Some(own) = doc.exprs[taken].reference() {
                become_assignment(doc, pop, own, value);
            }
        }
    }

    /// The pointer that is the name of a block, and where the loop stands.
    fn name(&mut self, doc: &mut Document, at: &At, base: Base) -> (SymbolId, Place) {
        let place = match &doc.procs[at.proc].body {
            Body::Flow(cfg) => cfg.vertices[at.head].place,
            Body::Interface | Body::Replacements { .. } => Place::default(),
        };
        let made = self.made.entry((at.proc, base, at.depth)).or_insert_with(|| {
            let scope = doc.procs[at.proc].scope;
            let symbol = new_variable(doc, scope, "tape", base, place);
            doc.symbols[symbol].rank = Some(1);
            if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                decl.attrs.extend([Attr::Pointer, Attr::Contiguous]);
                decl.dims = vec![Dim::Deferred];
            }
            symbol
        });
        (*made, place)
    }
}

/// The element of `name` that holds the value of a row in the iteration in which `variable` is the loop's
/// variable. The rows of an iteration stand beside each other. With several, numbers are of kind 8: the index
/// may be greater than a default integer.
fn element(
    doc: &mut Document,
    name: SymbolId,
    (own, origin, block): (SymbolId, ExprId, &Block),
    (row, rows): (usize, usize),
    place: Place,
) -> RefId {
    let (row, rows) = (number(row) + 1, number(rows));
    let own = variable(doc, own, place);
    let plain = block.distance == 1 && !block.origin.downwards;
    let known = constant_integer(doc, origin).filter(|_| plain);
    let at = match known.and_then(|origin| row.checked_sub(rows.checked_mul(origin)?)) {
        // One product, of the variable itself.
        Some(offset) => {
            let first = times(doc, rows, own, place);
            plus(doc, first, offset, place)
        }
        None => {
            let origin = Copier::new().expr(doc, origin);
            let ends = if block.origin.downwards { (origin, own) } else { (own, origin) };
            let away = sum(doc, "sub_scal_scal", ends.0, ends.1);
            let before = divided(doc, away, block.distance, place);
            let first = times(doc, rows, before, place);
            plus(doc, first, row, place)
        }
    };
    index(doc, name, &[at], place)
}

/// How many elements a block has, for so many rows.
fn count(doc: &mut Document, block: &Block, rows: usize, place: Place) -> ExprId {
    let (lower, upper) = block.bounds;
    let rows = number(rows);
    let known = [lower, upper].map(|bound| constant_integer(doc, bound));
    if let [Some(lower), Some(upper)] = known
        && let Some(rounds) = rounds(lower, upper, block.distance)
        && let Some(all) = rounds.checked_mul(rows)
    {
        return number_of_kind(doc, all, place);
    }
    let upper = Copier::new().expr(doc, upper);
    let length = match known[0].and_then(|lower| block.distance.checked_sub(lower)) {
        Some(more) => plus(doc, upper, more, place),
        None => {
            let lower = Copier::new().expr(doc, lower);
            let away = sum(doc, "sub_scal_scal", upper, lower);
            plus(doc, away, block.distance, place)
        }
    };
    let rounds = divided(doc, length, block.distance, place);
    times(doc, rows, rounds, place)
}

/// How many iterations there are between two constants.
pub(crate) fn rounds(lower: i64, upper: i64, distance: i64) -> Option<i64> {
    let length = upper.checked_sub(lower)?.checked_add(distance)?;
    Some((length / distance).max(0))
}

fn number(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

fn times(doc: &mut Document, rows: i64, value: ExprId, place: Place) -> ExprId {
    if rows == 1 {
        return value;
    }
    let rows = integer_of_kind(doc, rows, 8, place);
    binary(doc, "mul_scal_scal", rows, value)
}

fn plus(doc: &mut Document, value: ExprId, amount: i64, place: Place) -> ExprId {
    if amount == 0 {
        return value;
    }
    let name = if amount < 0 { "sub_scal_scal" } else { "add_scal_scal" };
    let amount = number_of_kind(doc, amount.saturating_abs(), place);
    sum(doc, name, value, amount)
}

fn divided(doc: &mut Document, value: ExprId, by: i64, place: Place) -> ExprId {
    if by == 1 {
        return value;
    }
    let by = number_of_kind(doc, by, place);
    binary(doc, "div_scal_scal", value, by)
}

/// A number of default kind if it is one.
fn number_of_kind(doc: &mut Document, value: i64, place: Place) -> ExprId {
    match i32::try_from(value) {
        Ok(_) => integer(doc, value, place),
        Err(_) => integer_of_kind(doc, value, 8, place),
    }
}

fn variable(doc: &mut Document, symbol: SymbolId, place: Place) -> ExprId {
    let own = whole(doc, symbol, place);
    value_of(doc, own)
}

/// Makes an assignment of an operation of the tape.
fn become_assignment(doc: &mut Document, stmt: StmtId, lhs: RefId, rhs: ExprId) {
    let made = assign(doc, lhs, rhs, doc.stmts[stmt].place);
    doc.stmts[stmt].kind = doc.stmts[made].kind.clone();
}

/// An operation on a scalar, where another statement records it.
fn own_operation(
    doc: &mut Document,
    name: &str,
    (symbol, stmts): &(SymbolId, Vec<StmtId>),
) -> StmtId {
    let place = place_of(doc, stmts);
    own_operation_at(doc, name, *symbol, place)
}

fn place_of(doc: &Document, stmts: &[StmtId]) -> Place {
    stmts.first().map(|&stmt| doc.stmts[stmt].place).unwrap_or_default()
}

fn own_operation_at(doc: &mut Document, name: &str, symbol: SymbolId, place: Place) -> StmtId {
    let value = variable(doc, symbol, place);
    operation(doc, name, &[value], place)
}

/// An operation of the tape.
fn operation(doc: &mut Document, name: &str, args: &[ExprId], place: Place) -> StmtId {
    let args = args.iter().zip(1..).map(|(&value, position)| Arg {
        position,
        keyword: None,
        value: ArgValue::Expr(value),
    });
    let call = InlinableCall { name: name.into(), args: args.collect() };
    statement(doc, StmtKind::InlinableCall(Box::new(call)), place)
}

/// Takes statements of the bodies of loops out of a procedure (others of a body stay), and puts new ones around and
/// into the loops.
fn put_all(cfg: &mut Cfg, all: Vec<Put>) {
    // A loop opens no scope: what stands around it stands in that of its body.
    let mut holder: HashMap<StmtId, (VertexId, ScopeId)> = HashMap::new();
    for (vertex, data) in cfg.vertices.iter() {
        if let VertexKind::BasicBlock { scope, stmts } = &data.kind {
            holder.extend(stmts.iter().map(|&stmt| (stmt, (vertex, *scope))));
        }
    }
    without(cfg, &all.iter().flat_map(|put| &put.gone).copied().collect());
    let mut blocks =
        Blocks { index: EdgeIndex::new(cfg), before: HashMap::new(), after: HashMap::new() };
    for Put { head, end, gone, stay, new } in all {
        let holders = gone.iter().chain(&stay).filter_map(|stmt| holder.get(stmt));
        let Some(&(_, scope)) = holders.min() else { continue };
        let place = cfg.vertices[head].place;
        let block = |stmts| make_block(cfg, (scope, place), stmts);
        let [behind, last, begin, first] = [new.behind, new.end, new.begin, new.before].map(block);
        blocks.leaving(cfg, head, behind, |edge| edge.condition.is_none());
        blocks.after.extend(behind.map(|block| (end, block)));
        blocks.leading_to(cfg, end, last, |_| true);
        blocks.before.extend(last.map(|block| (end, block)));
        blocks.leaving(cfg, head, begin, |edge| edge.condition.is_some());
        blocks.after.extend(begin.map(|block| (head, block)));
        blocks.leading_to(cfg, head, first, |edge| edge.source != end);
        blocks.before.extend(first.map(|block| (head, block)));
    }
    for vertex in std::mem::take(&mut cfg.layout) {
        cfg.layout.extend(blocks.before.get(&vertex));
        cfg.layout.push(vertex);
        cfg.layout.extend(blocks.after.get(&vertex));
    }
}

/// A block of these statements, if there are any; it is in no text yet.
fn make_block(
    cfg: &mut Cfg,
    (scope, place): (ScopeId, Place),
    stmts: Vec<StmtId>,
) -> Option<VertexId> {
    let is_empty = stmts.is_empty();
    let kind = VertexKind::BasicBlock { scope, stmts };
    (!is_empty).then(|| cfg.vertices.push(Vertex { kind, place, id: None, recorded: None }))
}

/// New blocks of a graph, and the vertices beside which they stand in the text.
struct Blocks {
    index: EdgeIndex,
    before: HashMap<VertexId, VertexId>,
    after: HashMap<VertexId, VertexId>,
}

impl Blocks {
    /// Lets control pass `block` on some of the ways from `vertex`.
    fn leaving(
        &mut self,
        cfg: &mut Cfg,
        vertex: VertexId,
        block: Option<VertexId>,
        is_way: impl Fn(&Edge) -> bool,
    ) {
        let ways = self.index.from(vertex).to_vec();
        self.pass(cfg, ways, block, is_way);
    }

    /// Lets control pass `block` on some of the ways to `vertex`.
    fn leading_to(
        &mut self,
        cfg: &mut Cfg,
        vertex: VertexId,
        block: Option<VertexId>,
        is_way: impl Fn(&Edge) -> bool,
    ) {
        let ways = self.index.to(vertex).to_vec();
        self.pass(cfg, ways, block, is_way);
    }

    fn pass(
        &mut self,
        cfg: &mut Cfg,
        ways: Vec<EdgeId>,
        block: Option<VertexId>,
        is_way: impl Fn(&Edge) -> bool,
    ) {
        let Some(block) = block else { return };
        let mut behind = None;
        for way in ways.into_iter().filter(|&way| is_way(&cfg.edges[way])).collect::<Vec<_>>() {
            behind = Some(cfg.edges[way].target);
            self.index.set_target(cfg, way, block);
        }
        if let Some(behind) = behind {
            cfg.connect(block, behind);
        }
        self.index.catch_up(cfg);
    }
}

/// Puts statements where a procedure that has no ENTRY begins.
pub(crate) fn at_begin(doc: &mut Document, proc: ProcId, stmts: Vec<StmtId>) {
    let scope = doc.procs[proc].scope;
    let place = doc.scopes[scope].place;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
    let Some(&entry) = cfg.layout.first() else { return };
    insert(cfg, 1, (scope, place), stmts, &|edge| edge.source == entry);
}

/// Puts a block at a position of the text; the ways to what follows lead there first.
fn insert(
    cfg: &mut Cfg,
    position: usize,
    (scope, place): (ScopeId, Place),
    stmts: Vec<StmtId>,
    is_way: &dyn Fn(&Edge) -> bool,
) {
    if stmts.is_empty() {
        return;
    }
    let kind = VertexKind::BasicBlock { scope, stmts };
    let block = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
    let mut behind = None;
    for edge in cfg.edges.values_mut().filter(|edge| is_way(edge)) {
        behind = Some(std::mem::replace(&mut edge.target, block));
    }
    if let Some(behind) = behind {
        cfg.connect(block, behind);
    }
    cfg.layout.insert(position, block);
}
