//! How Fortran compilers spell what the check asks of them: the table [`SPELLINGS`]. A program that is not in it, such
//! as `mpif90`, takes options as gfortran does.

use std::path::Path;

use fortran_frontend::args::{LineLength, SourceFlags};

/// The options of a compiler.
#[derive(Debug)]
pub(crate) struct Spelling {
    /// What the name of the program ends with, without a version.
    names: &'static [&'static str],
    /// Where module files are written and found first; a folder follows.
    pub(crate) modules: &'static str,
    /// No warnings.
    pub(crate) quiet: &'static str,
    /// Old extensions are accepted.
    pub(crate) lenient: &'static [&'static str],
    /// How sources are to be read.
    pub(crate) source: SourceFlags,
}

/// The compilers that are known by name, gfortran first.
pub(crate) const SPELLINGS: [Spelling; 5] = [
    Spelling {
        names: &["gfortran"],
        modules: "-J",
        quiet: "-w",
        lenient: &["-std=legacy"],
        source: SourceFlags {
            free: "-ffree-form",
            fixed: "-ffixed-form",
            preprocess: "-cpp",
            line_length: LineLength::Prefixes(&["-ffixed-line-length-", "-ffree-line-length-"]),
        },
    },
    Spelling {
        names: &["flang", "flang-new"],
        modules: "-module-dir",
        quiet: "-w",
        lenient: &[],
        source: SourceFlags {
            free: "-ffree-form",
            fixed: "-ffixed-form",
            preprocess: "-cpp",
            line_length: LineLength::Prefixes(&["-ffixed-line-length="]),
        },
    },
    Spelling {
        names: &["ifx", "ifort"],
        modules: "-module",
        quiet: "-w",
        lenient: &[],
        source: SourceFlags {
            free: "-free",
            fixed: "-fixed",
            preprocess: "-fpp",
            line_length: LineLength::Longest(&["-extend-source", "132"]),
        },
    },
    Spelling {
        names: &["nvfortran", "pgfortran"],
        modules: "-module",
        quiet: "-w",
        lenient: &[],
        source: SourceFlags {
            free: "-Mfree",
            fixed: "-Mfixed",
            preprocess: "-Mpreprocess",
            line_length: LineLength::Longest(&["-Mextend"]),
        },
    },
    Spelling {
        names: &["nagfor"],
        modules: "-mdir",
        quiet: "-w=all",
        lenient: &["-dusty"],
        source: SourceFlags {
            free: "-free",
            fixed: "-fixed",
            preprocess: "-fpp",
            line_length: LineLength::Longest(&["-132"]),
        },
    },
];

/// The options of `program`.
pub(crate) fn spelling(program: &str) -> &'static Spelling {
    let [gfortran, ..] = &SPELLINGS;
    let name = Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default().to_ascii_lowercase();
    let version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let name = name.trim_end_matches(".exe").trim_end_matches(version);
    let ends_name = |known: &&str| {
        let before = name.strip_suffix(*known);
        before.is_some_and(|before| before.is_empty() || before.ends_with('-'))
    };
    let named = SPELLINGS.iter().find(|spelling| spelling.names.iter().any(ends_name));
    named.unwrap_or(gfortran)
}

/// Those of the user's options that a C compiler takes, too: optimisation, debugging, machine, sanitizers.
pub(crate) fn for_c(flags: &[String]) -> Vec<String> {
    let shared = ["-O", "-g", "-m", "-fsanitize=", "-fPIC", "-fpic", "-pthread"];
    let is_shared = |flag: &&String| {
        let begins = shared.iter().any(|known| flag.starts_with(known));
        begins && !flag.starts_with("-module") && *flag != "-mdir"
    };
    flags.iter().filter(is_shared).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_known_by_their_names() {
        let of = |program: &str| spelling(program).names[0];
        for (program, known) in [
            ("gfortran", "gfortran"),
            ("/usr/bin/x86_64-linux-gnu-gfortran-12", "gfortran"),
            ("flang-22", "flang"),
            ("flang-new-20", "flang"),
            ("/opt/intel/bin/ifx", "ifx"),
            ("nvfortran", "nvfortran"),
            ("nagfor", "nagfor"),
            ("mpif90", "gfortran"),
            ("slang", "gfortran"),
        ] {
            assert_eq!(of(program), known, "{program}");
        }
    }

    #[test]
    fn the_page_of_the_check_names_each_compiler_with_its_folder_of_modules() {
        let page = include_str!("../../../../docs/check.md");
        for spelling in &SPELLINGS {
            let row = format!("| {} | `{} DIR` |", spelling.names[0], spelling.modules);
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn c_gets_what_both_languages_know() {
        let flags = ["-O3", "-march=native", "-fdefault-real-8", "-J.", "-g", "-module"];
        let flags: Vec<String> = flags.map(String::from).into();
        assert_eq!(for_c(&flags), ["-O3", "-march=native", "-g"]);
    }
}
