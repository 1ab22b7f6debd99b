//! Help texts, completions, manual pages, colours, depfiles, and files that are not touched.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

const SOURCE: &str = "subroutine square(x, y)\n include 'kinds.inc'\n real(k), intent(in) :: x\n \
                      real(k), intent(out) :: y\n y = x*x\nend subroutine square\n";
const KINDS: &str = "integer, parameter :: k = kind(1.0d0)\n";

fn oxad(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
    command.args(arguments).current_dir(folder).env_remove("NO_COLOR");
    command.output().expect("oxad runs")
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let out = oxad(folder, arguments);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("square.f90"), SOURCE).expect("written");
    fs::create_dir(folder.path().join("inc")).expect("made");
    fs::write(folder.path().join("inc/kinds.inc"), KINDS).expect("written");
    folder
}

/// All command lines: of the driver, of its commands, of the stages.
fn command_lines() -> Vec<clap::Command> {
    let mut all = Vec::new();
    for mut program in oxad::programs() {
        program.build();
        let inner = program.get_subcommands().filter(|inner| inner.get_name() != "help");
        all.extend(inner.cloned().collect::<Vec<_>>());
        all.push(program);
    }
    all
}

/// Whether an example is a valid command line. Programs of others are not looked at.
fn is_valid(example: &str) -> bool {
    let parts = example.split(['|', '&', '(', ')']).map(str::trim);
    let calls = parts.map(|part| part.split(['>', '<']).next().unwrap_or_default());
    let mut known = 0;
    for call in calls {
        let words: Vec<&str> = call.split_whitespace().collect();
        let named = |program: &clap::Command| Some(&program.get_name()) == words.first();
        let Some(program) = oxad::programs().into_iter().find(named) else { continue };
        known += 1;
        if let Err(error) = program.try_get_matches_from(&words) {
            panic!("{example}: {error}");
        }
    }
    known > 0
}

#[test]
fn every_help_text_ends_with_two_examples_that_are_valid() {
    let all = command_lines();
    assert!(all.len() > 22, "{}", all.len());
    for mut command in all {
        let help = command.render_long_help().to_string();
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{help}"));
        let examples: Vec<&str> =
            examples.lines().filter_map(|line| line.trim().strip_prefix("$ ")).collect();
        assert_eq!(examples.len(), 2, "{help}");
        for example in examples {
            assert!(is_valid(example), "{example}");
        }
    }
}

/// Options without a heading are those that only this program has.
#[test]
fn shared_options_have_headings() {
    for command in command_lines() {
        for shared in ["output", "message_format", "head", "externals", "split_all", "include"] {
            let shared = command.get_arguments().find(|argument| argument.get_id() == shared);
            // `oxad runtime` has no other option.
            if let Some(shared) = shared.filter(|_| command.get_name() != "runtime") {
                assert!(shared.get_help_heading().is_some(), "{}: {shared}", command.get_name());
            }
        }
        let reading = Some("How sources are read");
        let reading = command.get_arguments().filter(|one| one.get_help_heading() == reading);
        for argument in reading {
            let known = ["include", "define", "undefine", "form", "line_length", "cpp"];
            assert!(known.contains(&argument.get_id().as_str()), "{argument}");
        }
    }
}

#[test]
fn shells_complete_the_driver_and_all_stages() {
    let here = Path::new(".");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = good(here, &["completions", shell]);
        for program in oxad::programs() {
            assert!(script.contains(program.get_name()), "{shell}: {}", program.get_name());
        }
    }
    let script = "source <(\"$1\" completions bash)
        COMP_WORDS=(xaif-show --no) COMP_CWORD=1
        _xaif__show xaif-show --no xaif-show; echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["-c", script, "bash", env!("CARGO_BIN_EXE_oxad")]);
    let out = bash.output().expect("bash runs");
    let told = String::from_utf8_lossy(&out.stdout);
    assert_eq!(told.trim(), "--no-vertices --no-comments --no-effects");
}

#[test]
fn every_program_and_every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    good(folder.path(), &["man", "man/man1"]);
    let pages: Vec<_> = fs::read_dir(folder.path().join("man/man1")).expect("made").collect();
    assert_eq!(pages.len(), command_lines().len());
    for name in ["oxad", "oxad-adjoint", "f2xaif", "xaif-reverse", "xaif-run"] {
        let page = folder.path().join(format!("man/man1/{name}.1"));
        let page = fs::read_to_string(page).expect("a page");
        assert!(page.contains(".SH OPTIONS") && page.contains("Examples:"), "{name}");
        assert!(!page.contains('\u{1b}'), "{name}");
    }
}

#[test]
fn diagnostics_have_colors_where_they_are_wanted() {
    let folder = folder();
    let run = |name: &str, value: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oxad"));
        command.args(["tangent", "absent.f90"]).current_dir(folder.path());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env(name, value);
        String::from_utf8(command.output().expect("oxad runs").stderr).expect("text")
    };
    // Standard error is no terminal here.
    let plain = run("TERM", "xterm");
    assert!(plain.starts_with("absent.f90: error[OX0001]: "), "{plain}");
    let forced = run("CLICOLOR_FORCE", "1");
    assert!(forced.contains("\u{1b}[1m\u{1b}[31merror[OX0001]\u{1b}[0m"), "{forced:?}");
    assert_eq!(run("NO_COLOR", "1"), plain);
}

#[test]
fn a_depfile_names_all_files_that_were_read() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("two words.F90"), "#include \"size.h\"\nsubroutine other(n)\n integer :: n\n n = SIZE\nend subroutine other\n")
        .expect("written");
    fs::write(path.join("size.h"), "#define SIZE 8\n").expect("written");
    fs::write(path.join("none.toml"), "").expect("written");
    let words =
        ["both", "square.f90", "two words.F90", "-I", "inc", "--head", "square", "-o", "out"];
    good(path, &[&words[..], &["--depfile", "out/all.d", "--externals", "none.toml"]].concat());
    let rule = fs::read_to_string(path.join("out/all.d")).expect("a depfile");
    let joined = rule.replace("\\\n", "");
    let (outputs, inputs) = joined.lines().next().expect("a rule").split_once(": ").expect("rule");
    let outputs: Vec<&str> = outputs.split_whitespace().collect();
    let tape = ["out/oxad_tape_chunks.c", "out/oxad_tape.f90"];
    for output in ["out/square_b.f90", "out/square_d.f90"].iter().chain(&tape) {
        assert!(outputs.contains(output), "{rule}");
    }
    let inputs = inputs.split("  ").map(str::trim).filter(|one| !one.is_empty());
    // The preprocessor reads headers of the system, too.
    let inputs: Vec<&str> = inputs.filter(|one| !one.starts_with("/usr")).collect();
    assert_eq!(inputs, ["inc/kinds.inc", "none.toml", "size.h", "square.f90", "two\\ words.F90"]);
    // make takes it.
    let make = |question: &str| {
        let script = format!(
            "printf 'out/square_b.f90:\\n\\t@echo again\\ninclude out/all.d\\n' > Makefile && {question}"
        );
        let out = Command::new("bash").args(["-c", &script]).current_dir(path).output();
        let out = out.expect("bash runs");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert!(!make("make out/square_b.f90").contains("again"));
    assert!(make("touch -d '+1 minute' size.h && make out/square_b.f90").contains("again"));
    assert!(make("rm size.h && make out/square_b.f90").contains("again"));
}

#[test]
fn a_stage_writes_a_depfile() {
    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_f2xaif"));
    command.args(["square.f90", "-I", "inc", "-o", "s.xaif", "--depfile", "s.d"]);
    assert!(command.current_dir(folder.path()).status().expect("f2xaif runs").success());
    let rule = fs::read_to_string(folder.path().join("s.d")).expect("a depfile");
    assert!(rule.starts_with("s.xaif: \\\n  inc/kinds.inc \\\n  square.f90\n"), "{rule}");
}

#[test]
fn files_that_stay_the_same_are_not_touched() {
    let folder = folder();
    let path = folder.path();
    let words = ["adjoint", "square.f90", "-I", "inc"];
    good(path, &words);
    let old = SystemTime::now() - Duration::from_secs(3600);
    let names = ["square_b.f90", "oxad_tape.f90", "oxad_tape_chunks.c"];
    for name in names {
        let file = fs::File::options().write(true).open(path.join(name)).expect("a file");
        file.set_modified(old).expect("set");
    }
    let time = |name: &str| fs::metadata(path.join(name)).and_then(|meta| meta.modified());
    let before = time("square_b.f90").expect("a time");
    good(path, &words);
    assert!(names.iter().all(|name| time(name).expect("a time") == before));
    // The banner has another command line.
    good(path, &[&words[..], &["--head", "square"]].concat());
    assert!(time("square_b.f90").expect("a time") > before);
    assert_eq!(time("oxad_tape.f90").expect("a time"), before);
}
