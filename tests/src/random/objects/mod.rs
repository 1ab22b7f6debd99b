//! Random object-oriented programs: well-defined, deterministic from a seed, made to be differentiated.
//!
//! A program has a family of types with overridden procedures, types that contain members of it and
//! point to them, and procedures that do with them what large programs do. Whatever can be denoted is
//! defined at all times, and nothing that is changed is seen under two names by a procedure: what keeps
//! it so stands in `scope.rs`, `path.rs`, `call.rs` and `storage.rs`. A program of which statements are
//! left out may be none; its execution says so.

mod assign;
mod call;
mod construct;
mod expr;
mod free;
mod head;
mod method;
mod path;
mod procedure;
mod scope;
mod setup;
mod storage;
mod types;

use self::procedure::{Draft, Procedure};
use self::scope::{Object, Scope};
use self::types::Types;
use super::dice::Dice;
use super::program::{Node, Program, Ty, Unit};

/// What is known while a program is made.
struct Generator {
    dice: Dice,
    types: Types,
    /// Variables of the module.
    variables: Vec<Object>,
    /// Procedures that can be called.
    procedures: Vec<Procedure>,
    /// Abstract interfaces.
    interfaces: Vec<String>,
    units: Vec<Unit>,
    /// The procedure that is made.
    draft: Draft,
    /// How often each form of statement is taken.
    weights: Vec<f64>,
    /// What share of the largest number of procedures and statements the program has.
    thrift: f64,
    /// About the number of statements of a procedure, at most.
    size: u32,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let mut dice = Dice::new(seed);
    let types = Types::random(&mut dice);
    let thrift = dice.one([0.35, 0.5, 0.7, 1.0]);
    let mut generator = Generator {
        dice,
        types,
        variables: Vec::new(),
        procedures: Vec::new(),
        interfaces: Vec::new(),
        units: Vec::new(),
        draft: Draft::default(),
        weights: Vec::new(),
        thrift,
        size,
    };
    generator.tilt();
    generator.module_variables();
    generator.setups();
    generator.family_methods();
    generator.container_methods();
    generator.free_procedures();
    generator.head();
    Program {
        seed,
        modular: true,
        module: generator.module_text(),
        units: generator.units,
        args: vec![("x".into(), Ty::Real, vec![4]), ("y".into(), Ty::Real, vec![2])],
        mixed: false,
        may_be_refused: true,
        calls: 1,
    }
}

impl Generator {
    /// The statements of a procedure, as many as the program has of `low` to `high`.
    fn main_body(&mut self, scope: &Scope, low: u32, high: u32, depth: u32) -> Vec<Node> {
        let share = self.thrift * f64::from(self.size) / 6.0;
        let count = (f64::from(self.dice.number(low, high)) * share).round().max(1.0);
        self.draft.budget = (count * 2.5).ceil() as u32;
        self.statements(scope, count as u32, depth)
    }

    fn module_text(&self) -> Vec<String> {
        let mut lines = self.types.definitions();
        if !self.interfaces.is_empty() {
            lines.push("abstract interface".into());
            lines.extend(self.interfaces.iter().cloned());
            lines.push("end interface".into());
        }
        lines.extend(self.variables.iter().map(|variable| {
            let name = self.types.name(variable.ty);
            let word = if variable.polymorphic { "class" } else { "type" };
            let allocatable = if variable.allocatable { ", allocatable" } else { "" };
            format!("{word}({name}){allocatable}, save :: {}", variable.text)
        }));
        lines
    }
}
