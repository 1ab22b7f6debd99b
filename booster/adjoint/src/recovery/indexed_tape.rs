//! What each iteration of a counted loop records goes to a contiguous block that the loop indexes by its counter.
//!
//! `call push(t)` in each iteration keeps a compiler from vectorising a loop, and costs more than most of
//! what stands around it (README of the kernels' benchmark; docs/elimination.md, "Run time"). The tape
//! has a block that is allocated before the loop instead (`block_alloc`, `block_push`, `block_pop`, `block_free`).
//!
//! Where a scalar is recorded in each iteration before the iteration gives it a new value, what is recorded in
//! one iteration is what the iteration before has left. So the forward sweep notes at the end of each iteration what
//! the iteration leaves, the backward sweep takes that back as it begins with the mirror of the iteration, and
//! no value is carried from round to round any more. What the scalar held before the loop is pushed
//! before it and popped behind the mirror of the loop, unless nobody asks for it there.
//!
//! That is right if in an iteration of the forward sweep the push stands before all that may give the scalar a
//! value, and the scalar surely gets one behind it; if in an iteration of the backward sweep the pop alone
//! gives it a value, and nobody names it behind the pop; if both stand in the body of the loop itself, or
//! one in each arm of a construct in it (`names::arms`), and no others of the scalar in it. The scalar must
//! be one of the activation that no other name reaches.
//! Other scalars that each iteration pushes, elements of arrays and the numbers of branches, go to the block
//! where the push stands, and are taken from it where the pop of the mirror stands: the last that a
//! round of the forward sweep leaves on the tape is the first that an iteration of the mirror takes back.
//! Local variables that may not have a value yet are pushed, and elements of arrays get one (`begin`): compilers warn
//! of assignments of them.
//!
//! Which loop is the mirror of which the reversal tells (`MirroredLoop`). Both must be left at their
//! heads alone, and nobody may jump within them. The step is a constant, and the value from which iterations
//! are counted means the same in all iterations of both. What else is pushed within the loops, by loops,
//! branches and calls, is none of our business: blocks stand on the tape before it, and their places behind
//! it.
//!
//! One block holds all that a loop records of one type, round by round: one address is easier for a
//! compiler to tell from others than several, and costs less to reserve.

mod begin;
mod names;
mod write;

use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;
use xaif_schema::model::{
    Base, Body, Cfg, Document, ExprId, ProcId, ScopeKind, StmtId, SymbolId, Ty, VertexId,
    VertexKind,
};
use xaif_schema::tape::Sort;

use crate::loops::buffer_swap::is_pure;
use crate::queries::liveness::Strong;
use crate::queries::private_scalars::{has_internal_procedures, is_own_scalar};
use booster_build::{constant_integer, promote, same_expr};
use booster_facts::externals::Externals;
use booster_facts::loops::{Loop, loops};
use booster_facts::side_effects::{Actions, SideEffects};
use booster_facts::{Accesses, Bodies, Storage};
use booster_flow::Ways;
use booster_flow::{Analysis, Step, solve};
use booster_reversal::MirroredLoop;
use booster_shadow::derivative::{Counterparts, Sweep};
use names::{Side, Tape};
use write::{BlockNames, rounds};

/// How many values a loop must record if its number of iterations is known: for fewer, pushes cost less.
const FEWEST: i64 = 8;

/// A loop and its mirror that use a block.
struct Block {
    forward: At,
    backward: At,
    scalars: Vec<Scalar>,
    in_place: Vec<InPlace>,
    /// The smaller one of first value and bound, in the forward sweep, and the other.
    bounds: (ExprId, ExprId),
    /// How far the values of the loop's variable are from each other.
    distance: i64,
    origin: Origin,
}

/// The value of a loop's variable from which iterations are counted.
#[derive(Clone, Copy)]
struct Origin {
    /// In the forward sweep.
    there: ExprId,
    /// In the backward sweep.
    back: ExprId,
    /// Whether the others are smaller.
    downwards: bool,
}

/// Where a loop stands.
struct At {
    proc: ProcId,
    head: VertexId,
    end: VertexId,
    variable: SymbolId,
    /// How many loops are around it.
    depth: usize,
}

/// A scalar that goes to the block.
struct Scalar {
    /// In the forward sweep, and what records it: one statement, or one in each arm of constructs.
    kept: (SymbolId, Vec<StmtId>),
    /// In the backward sweep, and what takes it back.
    taken: (SymbolId, Vec<StmtId>),
    base: Base,
}

/// A scalar value that goes to the block where it was pushed, and is taken from it where it was popped.
struct InPlace {
    /// What pushed it, with the value: one statement, or the last one of each arm of a construct.
    pushes: Vec<(StmtId, ExprId)>,
    /// What popped it, with the variable.
    pop: (StmtId, ExprId),
    base: Base,
}

/// What a scalar held before a loop: what pushes it and what pops it, in the procedures that do.
struct Before {
    push: (ProcId, StmtId),
    pop: (ProcId, StmtId),
}

/// Lets loops use blocks. The reversal of each procedure has told which loops are mirrors of which, and
/// which variables tell how control has flowed.
pub(crate) fn use_blocks(
    doc: &mut Document,
    parts: &Counterparts,
    (mirrors, ways): (&HashMap<ProcId, Vec<MirroredLoop>>, &HashSet<SymbolId>),
    externals: &Externals,
) {
    let pairs = pairs(parts, mirrors);
    if pairs.is_empty() {
        return;
    }
    let (found, bare) = {
        let storage = Storage::new(doc);
        let loops = loops_of(doc, &pairs);
        let graph = |&proc: &ProcId| match &doc.procs[proc].body {
            Body::Flow(cfg) => Some((proc, Ways::new(cfg))),
            Body::Interface | Body::Replacements { .. } => None,
        };
        let graphs = loops.keys().filter_map(graph).collect();
        let known = Known { storage: &storage, loops, graphs, ways };
        let found: Vec<Block> = pairs.iter().filter_map(|pair| find(doc, &known, pair)).collect();
        let bare = begin::without_value(doc, &known, &found);
        (found, bare)
    };
    // What goes to the block of one loop is not recorded by another in it: blocks do not depend on each other.
    let mut blocks = BlockNames::default();
    let before: Vec<Before> = found.iter().flat_map(|block| blocks.write(doc, block)).collect();
    blocks.finish(doc);
    begin::begin_with_zero(doc, &bare);
    drop_unread(doc, &before, externals);
}

/// What is known of all procedures.
struct Known<'a> {
    storage: &'a Storage,
    loops: HashMap<ProcId, Loops>,
    graphs: HashMap<ProcId, Ways<'a>>,
    ways: &'a HashSet<SymbolId>,
}

/// A loop of a forward sweep and its mirror, by the statements that assign their first values.
struct Pair {
    forward: (ProcId, StmtId),
    backward: (ProcId, StmtId),
    /// The procedure of which the two are copies, if they are two.
    copied: Option<ProcId>,
}

fn pairs(parts: &Counterparts, mirrors: &HashMap<ProcId, Vec<MirroredLoop>>) -> Vec<Pair> {
    let loops = |proc: ProcId| mirrors.get(&proc).into_iter().flatten();
    let mut found = Vec::new();
    for &(original, proc) in &parts.procedures {
        match parts.sweep_of(proc) {
            Sweep::Both => found.extend(loops(proc).map(|one| Pair {
                forward: (proc, one.forward),
                backward: (proc, one.backward),
                copied: None,
            })),
            Sweep::Forward => {
                let mut others = parts.procedures.iter().filter(|&&(of, other)| {
                    of == original && parts.sweep_of(other) == Sweep::Backward
                });
                let (Some(&(_, other)), None) = (others.next(), others.next()) else { continue };
                for one in loops(proc) {
                    let same = loops(other).find(|mirror| mirror.number == one.number);
                    found.extend(same.map(|mirror| Pair {
                        forward: (proc, one.forward),
                        backward: (other, mirror.backward),
                        copied: Some(original),
                    }));
                }
            }
            Sweep::Backward => {}
        }
    }
    found
}

/// The counted loops of a procedure.
struct Loops {
    all: Vec<Loop>,
    by_init: HashMap<StmtId, usize>,
}

impl Loops {
    fn new(all: Vec<Loop>) -> Self {
        let by_init = all.iter().enumerate().map(|(number, one)| (one.init, number)).collect();
        Loops { all, by_init }
    }

    /// The loop that begins with this assignment to its variable, and how many are around it.
    fn beginning_with(&self, init: StmtId) -> Option<(&Loop, usize)> {
        let of = &self.all[*self.by_init.get(&init)?];
        let around = std::iter::successors(of.outer, |&outer| self.all[outer].outer);
        Some((of, around.count()))
    }
}

/// The counted loops of the procedures whose scalars have no other names.
fn loops_of(doc: &Document, pairs: &[Pair]) -> HashMap<ProcId, Loops> {
    let mut found: HashMap<ProcId, Loops> = HashMap::new();
    for proc in pairs.iter().flat_map(|pair| [pair.forward.0, pair.backward.0]) {
        if let Body::Flow(cfg) = &doc.procs[proc].body
            && !found.contains_key(&proc)
            && !has_internal_procedures(doc, proc)
        {
            found.insert(proc, Loops::new(loops(doc, cfg)));
        }
    }
    found
}

/// What a loop and its mirror keep in a block, if that is worth it.
fn find(doc: &Document, known: &Known<'_>, pair: &Pair) -> Option<Block> {
    let storage = known.storage;
    let side = |(proc, init): (ProcId, StmtId)| {
        let Body::Flow(cfg) = &doc.procs[proc].body else { return None };
        let (of, depth) = known.loops.get(&proc)?.beginning_with(init)?;
        let side = Side::new(doc, storage, (cfg, known.graphs.get(&proc)?), of)?;
        let (head, end) = (cfg.layout[of.head], cfg.layout[of.end]);
        Some((side, At { proc, head, end, variable: of.variable, depth }, *of))
    };
    let (there, forward, of) = side(pair.forward)?;
    let (back, backward, mirror) = side(pair.backward)?;
    let bounds = if of.step > 0 { (of.lower, of.upper) } else { (of.upper, of.lower) };
    if of.step.checked_neg()? != mirror.step
        || !are_integers(doc, [forward.variable, backward.variable], bounds)
    {
        return None;
    }
    // The first value of the loop is the bound of its mirror. Where the step is 1 or -1, the bound may be
    // the first value of the mirror.
    let first = Origin { there: of.lower, back: mirror.upper, downwards: of.step < 0 };
    let last = Origin { there: of.upper, back: mirror.lower, downwards: of.step > 0 };
    let origins = match of.step {
        1 => vec![first, last],
        -1 => vec![last, first],
        _ => vec![first],
    };
    let stay = |one: &Origin| stays(doc, one, (&there, &back), pair.copied.is_some());
    let origin = origins.into_iter().find(stay)?;
    let scalar = |kept: (SymbolId, Vec<StmtId>)| {
        let taken = match pair.copied {
            None => kept.0,
            Some(original) => copy_of(doc, original, kept.0, backward.proc)?,
        };
        let base = base_of_both(doc, kept.0, taken)?;
        let own = is_own_scalar(doc, forward.proc, storage, kept.0)
            && is_own_scalar(doc, backward.proc, storage, taken);
        let pop = back.taken_back(taken, backward.variable)?;
        own.then_some(Scalar { kept, taken: (taken, pop), base })
    };
    let recorded = there.recorded(forward.variable).into_iter();
    let scalars: Vec<Scalar> = recorded.filter_map(scalar).collect();
    let left = there.left_on_tape(&back, doc).into_iter();
    let others = left.filter(|(push, pop)| {
        let is = |tape: &Tape, all: &[StmtId]| tape.stmts.iter().any(|(one, _)| all.contains(one));
        !scalars.iter().any(|one| is(push, &one.kept.1) || is(pop, &one.taken.1))
    });
    let in_place = others.filter_map(|(push, pop)| in_place(doc, known, push, pop)).collect();
    let distance = of.step.checked_abs()?;
    let block = Block { forward, backward, scalars, in_place, bounds, distance, origin };
    is_worth_it(doc, &block).then_some(block)
}

/// A value that goes to the block in place of the push, and comes from it in place of the pop.
fn in_place(doc: &Document, known: &Known<'_>, push: Tape, pop: Tape) -> Option<InPlace> {
    let [(pop, taken)] = pop.stmts[..] else { return None };
    let base = doc.exprs[taken].ty.base;
    let fits =
        |&(_, value): &(StmtId, ExprId)| doc.exprs[value].ty.base == base && is_pure(doc, [value]);
    // A local variable as a whole may have no value yet.
    let has_value = |&(_, value): &(StmtId, ExprId)| {
        doc.exprs[value].reference().is_none_or(|own| {
            let symbol = doc.refs[own].base;
            let home = &doc.scopes[doc.symbols[symbol].scope].kind;
            let local = !matches!(home, ScopeKind::Module(_) | ScopeKind::Submodule { .. })
                && doc.symbols[symbol].decl.as_deref().is_none_or(|decl| decl.common.is_none())
                && known.storage.procedures().dummy_of(symbol).is_none();
            !local || !doc.refs[own].parts.is_empty() || known.ways.contains(&symbol)
        })
    };
    let sure = push.set || push.stmts.iter().all(has_value);
    let fits = has_room(base) && is_pure(doc, [taken]) && push.stmts.iter().all(fits);
    (sure && fits).then_some(InPlace { pushes: push.stmts, pop: (pop, taken), base })
}

impl Block {
    /// How many values each iteration keeps.
    fn values(&self) -> usize {
        self.scalars.len() + self.in_place.len()
    }
}

/// Whether a block costs less than pushes.
fn is_worth_it(doc: &Document, block: &Block) -> bool {
    let (lower, upper) = block.bounds;
    let known = [lower, upper].map(|bound| constant_integer(doc, bound));
    let rounds = match known {
        [Some(lower), Some(upper)] => rounds(lower, upper, block.distance),
        [Some(_), None] | [None, Some(_)] | [None, None] => None,
    };
    let values = |rounds: i64| i64::try_from(block.values()).ok()?.checked_mul(rounds);
    block.values() > 0 && rounds.and_then(values).is_none_or(|values| values >= FEWEST)
}

/// The type of a variable and its copy, if a block may hold such values.
fn base_of_both(doc: &Document, one: SymbolId, copy: SymbolId) -> Option<Base> {
    let base = base(doc, one)?;
    (has_room(base) && self::base(doc, copy) == Some(base)).then_some(base)
}

/// Whether a block may hold such values.
fn has_room(base: Base) -> bool {
    base != Base::Unknown && Sort::Block.takes(Ty { base, rank: 1 })
}

/// Whether the number of an iteration can be computed without overflow where the loop itself can be executed.
fn are_integers(doc: &Document, variables: [SymbolId; 2], bounds: (ExprId, ExprId)) -> bool {
    let fits = |base: Base| matches!(base, Base::Integer(4 | 8));
    let variables = variables.iter().all(|&one| base(doc, one).is_some_and(fits));
    let (lower, upper) = (doc.exprs[bounds.0].ty.base, doc.exprs[bounds.1].ty.base);
    let fit = variables && fits(lower) && fits(upper) && fits(promote(lower, upper));
    fit && is_pure(doc, [bounds.0, bounds.1])
}

/// Whether a value has one meaning in all iterations of a loop and of its mirror.
fn stays(
    doc: &Document,
    origin: &Origin,
    (there, back): (&Side<'_>, &Side<'_>),
    copied: bool,
) -> bool {
    match (constant_integer(doc, origin.there), constant_integer(doc, origin.back)) {
        (Some(there), Some(back)) => there == back,
        (None, None) => {
            !copied
                && same_expr(doc, origin.there, origin.back)
                && [there, back].iter().all(|side| side.leaves(doc, origin.there))
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn base(doc: &Document, symbol: SymbolId) -> Option<Base> {
    doc.symbols[symbol].decl.as_deref().map(|decl| decl.spec.base())
}

/// The variable of `proc`, a copy of `original`, that is a copy of the same variable of it as `symbol`.
fn copy_of(doc: &Document, original: ProcId, symbol: SymbolId, proc: ProcId) -> Option<SymbolId> {
    let named = |proc: ProcId| {
        let symbols = doc.scopes[doc.procs[proc].scope].symbols.iter().copied();
        symbols.into_iter().find(|&other| {
            doc.symbols[other].decl.is_some()
                && doc.name(other).eq_ignore_ascii_case(doc.name(symbol))
        })
    };
    named(original)?;
    named(proc)
}

/// What a scalar held before a loop need not be recorded if nobody reads it behind the mirror of the
/// loop.
fn drop_unread(doc: &mut Document, before: &[Before], externals: &Externals) {
    if before.is_empty() {
        return;
    }
    let unread: Vec<&Before> = {
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let bodies = Bodies::new(&accesses);
        let effects = SideEffects::new(&accesses, &bodies, externals);
        let mut procs: Vec<ProcId> = before.iter().map(|one| one.pop.0).collect();
        procs.sort_unstable();
        procs.dedup();
        let mut unread: HashSet<StmtId> = HashSet::new();
        for proc in procs {
            let Some(body) = bodies.get(proc) else { continue };
            let actions = Actions::new(&accesses, body, externals, &effects);
            // The scalars end with the activation.
            let at_exit = FixedBitSet::with_capacity(actions.locations.len());
            let removable = HashSet::new();
            let analysis =
                Strong { actions: &actions, removable: &removable, adjoints: None, at_exit };
            let solution = solve(&body.flow, &analysis);
            for (vertex, data) in body.flow.cfg.vertices.iter() {
                let mut state = solution.after(vertex).clone();
                for &stmt in data.kind.stmts().iter().rev() {
                    if analysis.is_faint(Step::Stmt(stmt), &state) {
                        unread.insert(stmt);
                    }
                    analysis.transfer(Step::Stmt(stmt), &mut state);
                }
            }
        }
        before.iter().filter(|one| unread.contains(&one.pop.1)).collect()
    };
    let mut gone: HashMap<ProcId, HashSet<StmtId>> = HashMap::new();
    for (proc, stmt) in unread.into_iter().flat_map(|one| [one.push, one.pop]) {
        gone.entry(proc).or_default().insert(stmt);
    }
    for (proc, gone) in gone {
        if let Body::Flow(cfg) = &mut doc.procs[proc].body {
            without(cfg, &gone);
        }
    }
}

/// Takes statements out of the blocks of a procedure.
fn without(cfg: &mut Cfg, gone: &HashSet<StmtId>) {
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
            stmts.retain(|stmt| !gone.contains(stmt));
        }
    }
}
