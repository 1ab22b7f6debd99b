//! The general equations and those for structured graphs say the same.

use booster_adjoint::tbr::structured::Equations;
use booster_facts::{StepKey, StepMap};
use booster_flow::{Flow, structure::Structure};
use proptest::prelude::*;
use std::collections::HashMap;
use xaif_schema::model::{ExprId, StmtId};

use super::flow::graphs::{Executed, structured_graph};
use booster_adjoint::tbr::frame::{self, *};
use booster_adjoint::tbr::names::Name;
use booster_adjoint::tbr::solve::*;

const SIZE: u32 = 5;

fn acts(choose: &mut dyn FnMut(u8) -> u8) -> Acts {
    let mut locations = |most: u8| -> Numbers {
        (0..choose(most)).map(|_| u32::from(choose(SIZE as u8 - 1))).collect()
    };
    let needs = locations(1).into_iter().map(frame::Need::anywhere);
    let mut acts = Acts { needs: needs.collect(), recordable: true, ..Acts::default() };
    let (written, subscripts, killed) = (locations(2), locations(2), locations(1));
    acts.moved = Some((locations(1), locations(1)));
    acts.kill = killed;
    let left = locations(1).into_iter();
    acts.results = left.map(frame::Need::anywhere).collect();
    acts.writes.push(Overwriting { name: Name::Hidden, locations: written, subscripts });
    acts
}

proptest! {
    #[test]
    fn general_and_structured_equations_say_the_same(
        choices in proptest::collection::vec(any::<u8>(), 0..500),
        entry in proptest::collection::vec(0..SIZE as usize, 0..3),
        all: bool,
    ) {
        let mut steps = StepMap::default();
        let mut given = Given { entry: Set::with_capacity(SIZE as usize), all, ..Given::default() };
        given.entry.extend(entry);
        let cfg = structured_graph(choices, |executed, choose| {
            let key = match executed {
                Executed::Stmt(number) => StepKey::Stmt(StmtId::from_u32(number)),
                Executed::Expr(number) => StepKey::Evaluate(ExprId::from_u32(number)),
            };
            steps.insert(key, acts(choose));
            if choose(5) == 0 {
                given.after.insert(key, Numbers::from_elem(u32::from(choose(SIZE as u8 - 1)), 1));
            }
        });
        let frame = Frame::of_steps(SIZE, steps);
        let flow = Flow::new(&cfg);
        let extra = HashMap::new();
        let expected = general(&flow, &Req { frame: &frame, given: &given, extra: &extra });
        let structure = Structure::new(&cfg).expect("the graph is structured");
        let (structure, extra) = (&structure, &extra);
        let found = Equations { structure, frame: &frame, given: &given, extra }.req();
        for vertex in cfg.vertices.keys() {
            let ones = |set: &Set| set.ones().collect::<Vec<_>>();
            prop_assert_eq!(ones(&expected.before[vertex]), ones(&found.before[vertex]));
            prop_assert_eq!(ones(&expected.after[vertex]), ones(&found.after[vertex]));
        }
    }
}
