//! Names that a language accepts.
//!
//! XAIF 1.0 documents and stages have names that no compiler takes (`.preg_I4_2`, `_x`). Here are the
//! rules that every language of the toolkit keeps: letters, digits and underscores, a letter first,
//! and no more characters than the shortest limit allows.

use std::collections::HashSet;

/// Longest name that standard Fortran allows (C's limit for names of one file is the same).
const LONGEST: usize = 63;

/// Whether `name` is a name (or one with the `$` that compilers can be told to take).
pub fn is_legal(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// The nearest legal name, in lower case.
pub fn legal(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    let mut kept = kept.trim_start_matches('_').to_owned();
    if !kept.starts_with(|c: char| c.is_ascii_alphabetic()) {
        kept.insert_str(0, "x_");
    }
    kept.truncate(LONGEST);
    kept
}

/// `name`, or where it is taken `name_2`, `name_3` and so on; what is returned is taken then.
pub fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 1_u64;
    while !taken.insert(candidate.to_ascii_lowercase()) {
        number += 1;
        let suffix = format!("_{number}");
        let stem: String = name.chars().take(LONGEST - suffix.len()).collect();
        candidate = stem + &suffix;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_names_become_legal() {
        assert_eq!(legal(".preg_I4_2"), "preg_i4_2");
        assert_eq!(legal("__slink"), "slink");
        assert_eq!(legal("3d"), "x_3d");
        assert_eq!(legal(""), "x_");
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut taken = HashSet::from(["x".to_owned()]);
        assert_eq!(unique("X", &mut taken), "X_2");
        assert_eq!(unique("x", &mut taken), "x_3");
    }
}
