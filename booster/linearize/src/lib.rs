//! Linearisation: the local derivatives of right-hand sides, from the catalogue.
//!
//! - [`Linearised`]: the linearised computational graph of one expression (Griewank and Walther,
//!   "Evaluating Derivatives", section 10.2): its active operations in the order of evaluation, with
//!   the partial derivative on every edge. Adjoint and preaccumulation start from it.
//! - [`tangent_of`]: the derivative of an expression as an expression.
//! - [`adjoint_of`]: what each active reference of an expression gets from the adjoint of the
//!   whole; [`needed`]: which references that reads.
//! - [`statement_tangent`], [`statement_adjoint`]: derivatives that are no expressions, as statements.
//!
//! What has a derivative is told by the caller, reference by reference. Functions that the program
//! defines must stand in statements of their own (canonical form); so must operations whose
//! derivative has no expression ([`Catalogue::needs_statement`](booster_rules::Catalogue)).

mod accumulate;
mod adjoint;
mod adjoint_maps;
mod adjoint_statement;
mod conform;
mod constructor;
mod element;
mod extent;
mod graph;
mod instantiate;
mod keep;
mod needed;
mod products;
mod statement;
mod structure;
mod tangent;
mod values;

pub use accumulate::add_by_elements;
pub use adjoint::{Adjoint, Contribution, adjoint_of};
pub use adjoint_statement::{Accumulate, has_statement_adjoint, statement_adjoint};
pub use booster_build::{is_elemental, keeps_shape};
pub use conform::{conform, zero};
pub use element::{At, element, element_of, element_of_object, elements_of, has_elements};
pub use extent::extent;
pub use graph::{Edge, Linearised, Node, NodeKind, Partial};
pub use instantiate::{convert, multiply};
pub use needed::{needed, needed_beside_result};
pub use statement::{Scratch, Shadow, statement_tangent};
pub use tangent::{tangent_of, tangent_with};
pub use values::{Hoist, costs};
