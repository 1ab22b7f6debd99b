//! Making pieces of a document: what rewriters share.
//!
//! - `constants`: the values of constant expressions.
//! - `expr`: nodes, with their types worked out ([`promote`]); `folded`: sums of numbers.
//! - `constructs`: loops and branches in a flow graph, as wholes.
//! - [`Copier`]: second copies of expressions and statements, with other symbols where asked.
//! - [`Emitter`] with [`rewrite_blocks`] and [`rewrite_flow`]: statements, IF and DO in the middle of
//!   a flow graph.
//! - `scopes`: where vertices stand. `names`: names that nobody else has; `nodes`: the nodes of an expression.
//! - [`mentions`]: what names a program unit needs.
//! - [`sweep`](fn@sweep): taking out what nothing names.
//! - [`copy_scope`]: second copies of whole program units.
//!
//! Nothing here knows what a derivative is.

mod constants;
mod constructs;
mod copy;
mod emit;
mod entries;
mod expr;
mod folded;
mod ids;
mod mentions;
mod names;
mod nodes;
mod passed_object;
mod same;
mod scopes;
mod selectors;
mod shape;
mod sweep;
mod tree;

pub use constants::constant_integer;
pub use constants::{Named, named_constant};
pub use constants::{floored_remainder, integer_given};
pub use constructs::{construct_at, keep_vertices};
pub use copy::Copier;
pub use emit::{EdgeIndex, rewrite_block, write_block};
pub use emit::{Emitter, Site, rewrite_blocks, rewrite_entry, rewrite_flow, takes_statements};
pub use entries::rewrite_exits;
pub use entries::{passed_from_above, rewrite_entries};
pub use expr::{
    assign, binary, boolean, bound, component_of, constant, exists, has_vector_subscript, index,
    inquire, integer, integer_of_kind, intrinsic, negate, promote, real, reference, size_along,
    statement, stop_marker, unbounded, value_of, whole,
};
pub use expr::{enclose_source, is_narrower, node, with_source};
pub use folded::sum;
pub use mentions::{
    Mention, mentions, mentions_of_declaration, mentions_of_declarations, mentions_of_step,
};
pub use names::{FreshNames, fresh_in_construct, fresh_name, new_variable};
pub use names::{first_free, names_seen_from, renamed, unique_name};
pub use nodes::{children_of, has_call, nodes_of, subscripts_of};
pub use passed_object::{before_the_binding, passed_at, passed_object, with_object};
pub use same::same_parts;
pub use same::{same_expr, same_reference};
pub use scopes::scopes_at;
pub use selectors::{follow_selector, names_of_selector};
pub use shape::{is_elemental, keeps_shape};
pub use sweep::sweep;
pub use tree::copy_signature;
pub use tree::{Copied, copy_decl, copy_dim, copy_item, copy_scope};
