//! Loops with checkpoints, from the directive to the gradient.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use oxad_tests::programs::{Finished, finish, tool};

/// Burgers' equation: the state of a step is an array and the sum of a cost.
const MODEL: &str = "\
subroutine run(nt, n, many, u, cost)
  implicit none
  integer, intent(in) :: nt, n, many
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: f(n), dt
  integer :: it, i
  dt = 0.1d0/n
  cost = many*0
  !DIRECTIVE
  do it = 1, nt
    do i = 2, n - 1
      f(i) = u(i)*(u(i+1) - u(i-1))*0.5d0
    end do
    do i = 2, n - 1
      u(i) = u(i) - dt*f(i)*sin(0.1d0*it)
    end do
    cost = cost + u(n/2)**2
  end do
  cost = cost + sum(u**2)
end subroutine run
";

/// Prints the gradient as bits, the peak of the tape, and how many iterations are executed again.
const MAIN: &str = "\
program main
  use oxad_tape, only: tape_peak, checkpoints_advanced
  implicit none
  integer, parameter :: n = 100
  integer :: nt, i, turn
  character(20) :: argument
  real(8) :: u(n), ub(n), cost, costb
  call get_command_argument(1, argument)
  read (argument, *) nt
  do turn = 1, 2
    u = [(1 + 0.1d0*sin(0.01d0*i), i = 1, n)]
    ub = 0
    costb = 1
    call run_b(nt, n, 20, u, ub, cost, costb)
    print '(z16.16, 2i12)', transfer(sum(ub*u), 1_8), tape_peak(), checkpoints_advanced()
  end do
end program main
";

/// Differentiates the model with a directive and compiles it with the program.
fn built(directive: &str, optimise: &str, folder: &Path) {
    let model = MODEL.replace("!DIRECTIVE", directive);
    std::fs::write(folder.join("model.f90"), model).expect("a source");
    std::fs::write(folder.join("main.f90"), MAIN).expect("a source");
    let run = tool("oxad", &["adjoint", "model.f90"], folder, b"");
    assert_eq!((run.status, run.err().as_str()), (Some(0), ""), "{directive}");
    let mut gcc = Command::new("gcc");
    succeeds(gcc.args([optimise, "-c", "oxad_tape_chunks.c"]), folder);
    let mut gfortran = Command::new("gfortran");
    gfortran.args([optimise, "-std=legacy", "-Wall", "-Werror", "oxad_tape.f90", "model_b.f90"]);
    succeeds(gfortran.args(["main.f90", "oxad_tape_chunks.o", "-o", "main"]), folder);
}

fn succeeds(command: &mut Command, folder: &Path) {
    let output = command.current_dir(folder).output().expect("the compiler can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn executed(steps: u32, folder: &Path, environment: &[(&str, &str)]) -> Finished {
    let mut program = Command::new(folder.join("main"));
    program.arg(steps.to_string()).current_dir(folder).envs(environment.iter().copied());
    finish(program, b"").expect("the program can be started")
}

/// The words that the program prints.
fn words(steps: u32, folder: &Path) -> Vec<String> {
    let run = executed(steps, folder, &[("SNAPSHOTS", "7")]);
    assert_eq!(run.status, Some(0), "{}", run.err());
    run.out().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn gradients_with_checkpoints_are_those_without_bit_for_bit() {
    let directives = [
        "!",
        "!$oxad binomial(20)",
        "!$oxad binomial(many)",
        "!$oxad binomial('SNAPSHOTS')",
        "!$oxad periodic(30)",
        "!$oxad disk(4)",
        "!$oxad checkpoint",
        "!$AD BINOMIAL-CKP nt 9 1",
    ];
    let mut gradients = BTreeSet::new();
    for directive in directives {
        let folder = tempfile::tempdir().expect("a folder");
        built(directive, "-O0", folder.path());
        let found = words(1000, folder.path());
        // The second call has the same gradient.
        assert_eq!(found[0], found[3], "{directive}");
        gradients.insert(found[0].clone());
        let left = std::fs::read_dir(folder.path()).expect("a folder").filter_map(Result::ok);
        let left = left.filter(|file| file.file_name().to_string_lossy().contains("checkpoint"));
        assert_eq!(left.count(), 0, "{directive}");
    }
    assert_eq!(gradients.len(), 1, "{gradients:?}");
}

#[test]
fn memory_is_constant_in_the_number_of_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    built("!$oxad binomial(20)", "-O2", folder.path());
    let few = words(10_000, folder.path());
    let many = words(100_000, folder.path());
    assert_eq!(few[1], many[1]);
    // t(10000, 20) = 37976 executions, of which the forward sweep has 9999; the call is repeated.
    assert_eq!((few[2].as_str(), few[5].as_str()), ("27977", "55954"));
}

#[test]
fn a_number_of_the_environment_that_is_none_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    built("!$oxad binomial('SNAPSHOTS')", "-O0", folder.path());
    for environment in [&[][..], &[("SNAPSHOTS", "0")], &[("SNAPSHOTS", "x")]] {
        let run = executed(10, folder.path(), environment);
        assert_eq!(run.status, Some(2));
        assert!(run.err().contains("SNAPSHOTS is no number greater than 0"), "{}", run.err());
    }
}

/// Sources that are refused, or get a warning, with the line of the message, and its code.
const TOLD: [(&str, &str); 10] = [
    ("!$oxad binomial(3)\ndo y = 1, 3\nx = x*y\nend do", "5:1: error[OX4491]"),
    ("!$oxad binomial(0)\ndo i = 1, 3\nx = x*x\nend do", "4:1: error[OX4490]"),
    ("!$oxad periodic\ndo i = 1, 3\nx = x*x\nend do", "4:1: error[OX4490]"),
    ("!$oxad disk(x)\ndo i = 1, 3\nx = x*x\nend do", "4:1: error[OX4490]"),
    ("!$oxad binomial('a b')\ndo i = 1, 3\nx = x*x\nend do", "4:1: error[OX4490]"),
    ("!$oxad binomial(3)\ndo i = 1, 3\nx = x*x\nif (x > 4) return\nend do", "7:12: error[OX4491]"),
    ("block\n!$oxad binomial(3)\ndo i = 1, 3\nx = x*x\nend do\nend block", "6:1: error[OX4491]"),
    (
        "!$oxad binomial(3)\ndo i = 1, 3\nwrite (*, 10) i\nx = x*x\nend do\n10 format(i3)",
        "6:1: error[OX4491]",
    ),
    ("!$oxad binomial(3)\nx = x*x", "4:1: warning[OX4492]"),
    ("!$oxad binomial(3)\ndo i = 1, 3\nread (*, *) y\nx = x*y\nend do", "5:1: error[OX4493]"),
];

#[test]
fn what_cannot_have_checkpoints_is_told_with_its_place() {
    for (body, expected) in TOLD {
        let folder = tempfile::tempdir().expect("a folder");
        let source = format!(
            "subroutine p(x)\nreal(8), intent(inout) :: x\ninteger :: i; real(8) :: y\n{body}\nend subroutine p\n"
        );
        std::fs::write(folder.path().join("p.f90"), source).expect("a source");
        let run = tool("oxad", &["adjoint", "p.f90"], folder.path(), b"");
        let is_error = expected.contains("error");
        assert_eq!(run.status, Some(i32::from(is_error)), "{body}: {}", run.err());
        assert!(run.err().contains(expected), "{body}: {}", run.err());
        assert_eq!(folder.path().join("p_b.f90").exists(), !is_error, "{body}");
    }
}

#[test]
fn a_call_behind_checkpoint_is_joint_whatever_is_split() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "subroutine p(x)\nreal(8), intent(inout) :: x\n!$oxad checkpoint\ncall q(x)\ncall q(x)\nend subroutine p\n\
                  subroutine q(x)\nreal(8), intent(inout) :: x\nx = sin(x)*x\nend subroutine q\n";
    std::fs::write(folder.path().join("p.f90"), source).expect("a source");
    let arguments = ["adjoint", "p.f90", "--split-all", "--head", "p"];
    let run = tool("oxad", &arguments, folder.path(), b"");
    assert_eq!((run.status, run.err().as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(folder.path().join("p_b.f90")).expect("the adjoint");
    let calls: Vec<&str> =
        text.lines().map(str::trim).filter(|line| line.starts_with("call q")).collect();
    assert_eq!(calls, ["call q(x)", "call q_fwd(x)", "call q_bwd(x, xb)", "call q_b(x, xb)"]);
}

#[test]
fn a_loop_of_an_internal_procedure_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "subroutine p(x)\nreal(8), intent(inout) :: x\ncall q\ncontains\nsubroutine q\ninteger :: i\n\
                  !$oxad binomial(3)\ndo i = 1, 3\nx = x*x\nend do\nend subroutine q\nend subroutine p\n";
    std::fs::write(folder.path().join("p.f90"), source).expect("a source");
    let run = tool("oxad", &["adjoint", "p.f90"], folder.path(), b"");
    assert_eq!(run.status, Some(1));
    assert!(run.err().contains("8:1: error[OX4491]"), "{}", run.err());
}

#[test]
fn the_file_of_a_snapshot_that_is_damaged_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = include_str!("../../backends/runtime/oxad_tape_chunks.c");
    // The program damages its own file between writing and reading.
    let program = format!(
        "{text}\nint main(void)\n{{\n    int64_t value = 7;\n    oxad_checkpoints_begin(DISK, 1, 1);\n    \
         oxad_checkpoint_due(1);\n    oxad_push_integer8(&value);\n    oxad_checkpoint_end();\n    FILE *file = \
         fopen(loops->snapshots[0].file, \"r+b\");\n    fseek(file, -1, SEEK_END);\n    fputc(9, file);\n    \
         fclose(file);\n    oxad_checkpoint_next(&value);\n    return 0;\n}}\n"
    );
    std::fs::write(folder.path().join("damage.c"), program).expect("a source");
    let mut gcc = Command::new("gcc");
    succeeds(gcc.args(["-O1", "damage.c", "-o", "damage", "-lgfortran"]), folder.path());
    let mut damage = Command::new(folder.path().join("damage"));
    damage.current_dir(folder.path());
    let run = finish(damage, b"").expect("it can be started");
    assert_eq!(run.status, Some(2));
    assert!(run.err().contains("the file of a snapshot is damaged"), "{}", run.err());
}
