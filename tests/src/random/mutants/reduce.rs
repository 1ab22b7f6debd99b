//! Makes a mutant that fails smaller: first fewer changes, then fewer lines of its text.

use super::super::shrink::shrink_text;
use super::Mutant;

/// The smallest mutant found for which `fails` holds; `fails` holds for `mutant`. At most `tries` texts
/// are looked at.
pub fn reduce(mutant: &Mutant, tries: usize, fails: impl Fn(&Mutant) -> bool) -> Mutant {
    let mut best = mutant.clone();
    let mut at = best.steps.len();
    while at > 0 {
        at -= 1;
        if let Some(fewer) = best.without(at)
            && fails(&fewer)
        {
            best = fewer;
            at = at.min(best.steps.len());
        }
    }
    let of = |text: &str| Mutant { text: text.to_owned(), ..best.clone() };
    let text = shrink_text(&best.text, tries, |text| fails(&of(text)));
    of(&text)
}
