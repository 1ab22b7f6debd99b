//! The program units of a derivative, before they have derivative statements: for each source in
//! `counterparts/` the text that is printed stands beside it, and gfortran takes it.
//!
//! A source may begin with `! directions N`. `OXAD_BLESS=1` writes the texts anew. A text that
//! begins with `refused` holds the messages.

use std::path::Path;

use booster_tests::trials::each;
use booster_tests::{Compiler, as_blessed, document, printed, read, sources, told, verified};
use libtest_mimic::Trial;
use xaif_booster::transform::derivative::{Counterparts, Naming};

pub(crate) fn trials() -> Vec<Trial> {
    let own = || sources("counterparts");
    [
        each("counterparts::gfortran", own(), compiled),
        each("counterparts::blessed", own(), |path| {
            as_blessed(path, &counterparts(&read(path), false).0);
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

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

/// gfortran takes the plain copies, and what has been swept leaves nothing unused.
fn compiled(path: &Path) {
    // The users' procedures stand in the same text, with the warnings that their sources have.
    let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-dummy-argument"];
    let (source, gfortran) = (read(path), Compiler::default());
    let mut is_known = false;
    for (swept, flags) in [(false, &["-std=f2018"][..]), (true, &strict)] {
        let (text, made) = counterparts(&source, swept);
        if made {
            if !is_known {
                gfortran.compile(&source, &["-fsyntax-only"]);
                is_known = true;
            }
            gfortran.compile(&text, flags);
        }
    }
}
