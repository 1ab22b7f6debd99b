//! `oxad check` with another compiler than gfortran: each gets options that it knows, and C goes to a C compiler.

use std::process::Command;

use crate::check_honesty::{SHAPES, SIZES};
use crate::check_state::run;

/// The second compiler that scripts/setup-compilers installs where the system has it.
const FLANG: &str = "flang-22";

/// A program in fixed form whose adjoint records values.
const FIXED: &str = "      subroutine p(n, x, y)
      integer n, i
      double precision x(n), y, t
      t = 1d0
      do 10 i = 1, n
        t = t*sin(x(i)*t)
        if (t .lt. 0.1d0) t = t + x(i)
   10 continue
      y = t*t
      end
";

#[test]
fn derivatives_are_right_when_flang_compiles_them() {
    if Command::new(FLANG).arg("--version").output().is_err() {
        // The system has no such package; the rest of the file needs none.
        eprintln!("{FLANG} is not installed");
        return;
    }
    let sizes = "g%first=[1,2] g%n=2 g%rounds=3 jump=2 members=1 wide=3";
    let sizes: Vec<&str> = sizes.split(' ').flat_map(|told| ["--set", told]).collect();
    let cases: [(&str, &str, &[&str], usize); 3] = [
        ("a.f90", SIZES, &sizes, 2),
        ("a.f90", SHAPES, &[], 4),
        ("a.f", FIXED, &["--set", "n=9"], 2),
    ];
    for (name, text, more, good) in cases {
        let compiler = ["--head", "p", "--mode", "both", "--split-all", "--compiler", FLANG];
        let (status, found) = run(name, text, &[&compiler, more].concat());
        assert_eq!(status, Some(0), "{found}");
        assert_eq!(found.matches("\ngood: ").count(), good, "{found}");
    }
}

#[test]
fn a_compiler_gets_its_own_options_and_c_goes_to_the_c_compiler() {
    // Compilers that write down how they are called, and fail.
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["ifx", "my-cc"] {
        let path = folder.path().join(name);
        let log = folder.path().join("log");
        std::fs::write(&path, format!("#!/bin/sh\necho {name} \"$@\" >> {}\n", log.display()))
            .expect("written");
        let status = Command::new("chmod").arg("+x").arg(&path).status().expect("chmod");
        assert!(status.success());
    }
    let of = |name: &str| folder.path().join(name).display().to_string();
    let (fortran, c) = (of("ifx"), of("my-cc"));
    let options = ["--set", "n=3", "--mode", "adjoint", "--flags=-O1 -xHost", "--form=fixed"];
    let compilers = ["--compiler", &fortran, "--c-compiler", &c];
    let (status, found) = run("a.f", FIXED, &[&options[..], &compilers].concat());
    assert_eq!(status, Some(1), "{found}");
    let log = std::fs::read_to_string(folder.path().join("log")).expect("the log");
    let tape: Vec<&str> = log.lines().filter(|line| line.contains("oxad_tape_chunks.c")).collect();
    assert_eq!(tape.len(), 1, "{log}");
    assert!(tape[0].starts_with("my-cc -c -O1 /") && !tape[0].contains("-xHost"), "{log}");
    let own = log.lines().find(|line| line.contains("/a.f ")).unwrap_or_default();
    assert!(own.starts_with("ifx -c -module /") && own.contains(" -fixed "), "{log}");
    assert!(!log.contains("-std=legacy") && !log.contains(" -J "), "{log}");
}
