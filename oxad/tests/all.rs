//! All tests of this crate, in one program: one for each file would take minutes to link.

mod agreement;
mod banner;
mod batch;
mod call_modes;
mod callers_in_c;
mod check;
mod check_compilers;
mod check_honesty;
mod check_names;
mod check_sizes;
mod check_state;
mod check_types;
mod config;
mod explain;
mod front_door;
mod headings;
mod library;
mod no_alias;
mod procedure_names;
mod second;
mod stages;
mod tangent;
mod validity;
mod wrong_files;
