//! The program units of a derivative, before they have derivative statements: for each source in
//! `counterparts/` the text that is printed stands beside it, and gfortran takes it.
//!
//! A source may begin with `! directions N`. `OXAD_BLESS=1` writes the texts anew. A text that
//! begins with `refused` holds the messages.

use xaif_booster::transform::derivative::{Counterparts, Naming};

use crate::harness::{as_blessed, document, each_compiled, printed, read, sources, told, verified};

/// The text of the new units, or the messages; whether there are units. `swept`: without what nothing
/// in them names.
fn counterparts(source: &str, swept: bool) -> (String, bool) {
    let mut doc = document(source);
    let first = source.lines().next().and_then(|line| line.strip_prefix("! directions "));
    let directions = first.map(|number| number.trim().parse().expect("a number"));
    match Counterparts::make(&mut doc, &Naming::default(), directions) {
        Err(messages) => (format!("refused\n{}", told(&messages)), false),
        Ok((mut made, messages)) => {
            if swept {
                made.sweep(&mut doc);
            }
            verified(&doc);
            (told(&messages) + &printed(&doc), true)
        }
    }
}

#[test]
fn the_units_of_a_derivative_are_as_blessed() {
    as_blessed(&sources("counterparts"), |source| counterparts(source, false).0);
}

/// gfortran takes the new units of all sources with these options.
fn compiled(swept: bool, options: &[&str]) {
    each_compiled(&sources("counterparts"), |gfortran, path| {
        let (source, what) = (read(path), path.display().to_string());
        let (text, made) = counterparts(&source, swept);
        if made {
            gfortran.compile(&source, &[], &what);
            gfortran.compile(&text, options, &what);
        }
    });
}

#[test]
fn gfortran_takes_the_plain_copies() {
    compiled(false, &["-std=f2018"]);
}

#[test]
fn what_has_been_swept_leaves_nothing_unused() {
    // The users' procedures stand in the same text, with the warnings that their sources have.
    let options = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-dummy-argument"];
    compiled(true, &options);
}
