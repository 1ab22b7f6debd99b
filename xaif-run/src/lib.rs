//! xaif-run: the meaning of a XAIF document, made executable.
//!
//! [`run`] executes a procedure or main program of a document on given inputs, with the language's
//! semantics: values alone, values with one tangent (dual numbers), or complex step. It knows the
//! schema and nothing else: no derivative rule is shared with the stages that it judges.
//!
//! What it promises: results agree with gfortran's to the last bit on arithmetic and the functions
//! of the C library; an error of the program (an index out of bounds, a variable that was never
//! given a value, …) is a coded message with its place; what cannot be executed is refused by
//! name; nothing panics. Where the language leaves a choice, the file that makes it says so.
//!
//! Map: `program.rs` prepares a document; `machine.rs` is the state; `storage.rs`, `view.rs`,
//! `value.rs`, `num/` are the data; `variables.rs`, `common.rs`, `layout.rs` the declarations;
//! `reference.rs`, `expr.rs`, `arith.rs`, `complex.rs`, `intrinsics/` the expressions; `assign.rs`,
//! `exec.rs`, `call.rs`, `callee.rs`, `arguments.rs`, `finalize.rs`, `io/`, `tape.rs` the statements; `driver.rs` and `objects.rs` pass
//! inputs and outputs; `observed.rs` is what a caller learns of the way.

mod arguments;
mod arith;
mod assign;
mod call;
mod callee;
mod checkpoints;
#[cfg(feature = "cli")]
pub mod command;
mod common;
mod complex;
mod counts;
mod driver;
mod exec;
mod expr;
mod fault;
mod finalize;
mod input;
mod intrinsics;
mod io;
mod jacobian;
mod layout;
mod machine;
mod masks;
mod num;
mod objects;
mod observed;
mod program;
mod reference;
mod storage;
mod tape;
mod value;
mod variables;
mod view;

pub use counts::Counts;
pub use driver::{Element, Outcome, Output, Request, run};
pub use fault::is_of_program;
pub use input::{Given, parse_file, parse_setting};
pub use machine::Limits;
pub use num::Mode;
