//! The stages as programs: files, exit statuses, standard output and standard error.

mod files;
mod lenses;
mod lint;
