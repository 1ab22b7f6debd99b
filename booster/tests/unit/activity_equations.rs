//! The equations: what they say of small graphs, and that the general ones and those for structured
//! graphs say the same (paper 1, Lemmas 2 and 4).

use proptest::prelude::*;
use xaif_schema::model::*;

use crate::unit::flow::graphs::{Executed, structured_graph, vertex};
use booster_facts::activity::dep::{Dep, Effect, Update, Var, VarSet};
use booster_facts::activity::equations::{Effects, Points, StepId};
use booster_facts::activity::{equations, structured};
use booster_flow::Flow;
use booster_flow::structure::Structure;

const SIZE: usize = 5;

fn update(target: Var, sources: &[Var], kills: bool) -> Update {
    Update { target, sources: sources.into(), kills }
}

fn set(vars: &[usize]) -> VarSet {
    let mut set = VarSet::with_capacity(SIZE);
    set.extend(vars.iter().copied());
    set
}

/// The pairs (before, after) of a relation.
fn pairs(dep: &Dep) -> Vec<(Var, Var)> {
    let all = (0..SIZE as Var).flat_map(|b| (0..SIZE as Var).map(move |a| (b, a)));
    all.filter(|&(before, after)| dep.holds(before, after)).collect()
}

/// What may be overwritten.
fn overwritten(dep: &Dep) -> Vec<Var> {
    dep.rows().map(|(after, _)| after).collect()
}

/// Effects of what a random graph executes.
fn effect(choose: &mut dyn FnMut(u8) -> u8) -> Vec<Effect> {
    let first = Var::from(choose(SIZE as u8 - 1));
    let mut effect = Vec::new();
    for target in first..=(first + Var::from(choose(1))).min(SIZE as Var - 1) {
        let sources: Vec<Var> = (0..choose(2)).map(|_| Var::from(choose(SIZE as u8 - 1))).collect();
        effect.push(update(target, &sources, choose(1) == 0));
    }
    vec![effect]
}

fn make(choices: Vec<u8>) -> (Cfg, Effects) {
    let mut effects = Effects { size: SIZE, ..Effects::default() };
    let cfg = structured_graph(choices, |executed, choose| {
        let step = match executed {
            Executed::Stmt(number) => StepId::Stmt(StmtId::from_u32(number)),
            Executed::Expr(number) => StepId::Evaluate(ExprId::from_u32(number)),
        };
        effects.steps.insert(step, effect(choose));
    });
    (cfg, effects)
}

fn assert_same(cfg: &Cfg, general: &Points, explicit: &Points, what: &str) {
    for vertex in cfg.vertices.keys() {
        assert_eq!(general.before[vertex], explicit.before[vertex], "{what} before {vertex}");
        assert_eq!(general.after[vertex], explicit.after[vertex], "{what} after {vertex}");
    }
}

proptest! {
    #[test]
    fn general_and_structured_equations_say_the_same(
        choices in proptest::collection::vec(any::<u8>(), 0..400),
        varied in 0_usize..SIZE,
        useful in 0_usize..SIZE,
    ) {
        let (cfg, effects) = make(choices);
        let flow = Flow::new(&cfg);
        let structure = Structure::new(&cfg).expect("the graph is structured");
        let (explicit, loops) = structured::dep(&structure, &effects);
        let general = equations::dep(&flow, &effects).expect("the exit is reached");
        prop_assert_eq!(pairs(&general), pairs(&explicit));
        prop_assert_eq!(overwritten(&general), overwritten(&explicit));

        let (varied, useful) = (set(&[varied]), set(&[useful]));
        let forward = equations::varied(&flow, &effects, &varied);
        assert_same(&cfg, &forward, &structured::varied(&structure, &effects, &loops, &varied), "varied");
        let backward = equations::useful(&flow, &effects, &useful);
        assert_same(&cfg, &backward, &structured::useful(&structure, &effects, &loops, &useful), "useful");

        // What comes out of the procedure is what Dep says of what goes in.
        let exit = *cfg.layout.last().expect("an exit");
        prop_assert_eq!(&forward.before[exit], &explicit.varied_after(&varied));
        prop_assert_eq!(&backward.before[cfg.layout[0]], &explicit.useful_before(&useful));
    }
}

#[test]
fn an_assignment_kills_unless_something_of_the_old_value_survives() {
    let whole = Dep::of(SIZE, &vec![update(1, &[0], true)]);
    assert!(whole.holds(0, 1) && !whole.holds(1, 1) && whole.holds(0, 0));
    let part = Dep::of(SIZE, &vec![update(1, &[0], false)]);
    assert!(part.holds(0, 1) && part.holds(1, 1));
}

#[test]
fn updates_of_one_piece_do_not_see_each_other() {
    let swap = vec![update(0, &[1], true), update(1, &[0], true)];
    let dep = Dep::of(SIZE, &swap);
    assert!(dep.holds(1, 0) && dep.holds(0, 1) && !dep.holds(0, 0) && !dep.holds(1, 1));
    assert_eq!(dep.varied_after(&set(&[0])), set(&[1]));
    assert_eq!(dep.useful_before(&set(&[0])), set(&[1]));
}

#[test]
fn composition_is_that_of_relations() {
    let mut dep = Dep::of(SIZE, &vec![update(1, &[0], true)]);
    dep.then(&Dep::of(SIZE, &vec![update(2, &[1, 3], true), update(0, &[], true)]));
    let after_two: Vec<Var> = (0..4).filter(|&before| dep.holds(before, 2)).collect();
    assert_eq!(after_two, [0, 3]);
    assert!(!dep.holds(0, 0), "a constant depends on nothing");
}

#[test]
fn the_closure_of_a_loop_that_shifts_reaches_every_place() {
    let shift = vec![update(1, &[0], true), update(2, &[1], true), update(3, &[2], true)];
    let mut dep = Dep::of(SIZE, &shift);
    dep.close();
    for before in 0..4 {
        for after in 0..4 {
            assert_eq!(dep.holds(before, after), before <= after, "{before} {after}");
        }
    }
}

#[test]
fn a_join_tells_whether_it_added_anything() {
    let mut dep = Dep::of(SIZE, &vec![update(1, &[0], true)]);
    let other = Dep::identity(SIZE);
    assert!(dep.join(&other), "1 may keep its value now");
    assert!(!dep.join(&other));
    let kept = Dep::of(SIZE, &vec![update(2, &[2], true)]);
    assert!(dep.join(&kept), "2 may be overwritten now");
    assert!(!dep.join(&kept));
    assert!(dep.join(&Dep::of(SIZE, &vec![update(2, &[1], true)])));
}

#[test]
fn a_jump_out_of_a_loop_is_not_structured() {
    let mut cfg = crate::unit::flow::graphs::loop_with_statements();
    assert!(Structure::new(&cfg).is_some());
    cfg.connect_if(cfg.layout[2], cfg.layout[4], 7);
    assert!(Structure::new(&cfg).is_none());
}

#[test]
fn what_no_way_leads_to_is_not_varied_and_a_procedure_without_end_has_no_dep() {
    let mut cfg = Cfg::default();
    let entry = cfg.push(vertex(VertexKind::Entry(None)));
    let exit = cfg.push(vertex(VertexKind::Exit));
    cfg.connect(entry, entry);
    let flow = Flow::new(&cfg);
    let effects = Effects { size: SIZE, ..Effects::default() };
    assert!(equations::dep(&flow, &effects).is_none());
    assert!(equations::varied(&flow, &effects, &set(&[0])).before[exit].is_clear());
}
