//! `oxad tangent --validity`: intervals in which no test of the program changes sides.

use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validity").join(name)
}

/// What a command prints; it succeeds.
#[track_caller]
fn output(command: &mut Command) -> String {
    let out = command.output().expect("the program can be started");
    let (said, told) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}\n{said}{told}");
    said.into_owned() + &told
}

#[test]
fn intervals_are_those_of_the_thesis_and_end_at_kinks() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(["tangent", "--validity", "--no-banner"]).arg(file("models.f90"));
    oxad.args([
        "--head",
        "f,sub1,piecewise,kinks",
        "--dependent",
        "f:y,sub1:o1,piecewise:y,kinks:y",
    ]);
    oxad.args(["--independent", "f:x1,f:x2,sub1:x,sub1:y,piecewise:x,kinks:x", "-o"]).arg(folder);
    assert_eq!(output(&mut oxad), "");
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-std=f2018", "-Wall", "-Wextra", "-fopenmp", "-o", "program"]);
    gfortran.arg("oxad_validity.f90").arg(file("models.f90")).arg("models_dv.f90");
    gfortran.arg(file("check_models.f90")).current_dir(folder);
    output(&mut gfortran);
    assert_eq!(output(&mut Command::new(folder.join("program"))), "good\n");
}

/// How a source is refused.
fn told(body: &str, more: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let source = format!(
        "subroutine p(x, y)\nimplicit none\nreal(8), intent(in) :: x(3)\nreal(8), intent(out) :: y\n\
         integer :: i\nreal(8) :: z(3)\n{body}\ny = sum(z)\nend subroutine p\n{more}"
    );
    std::fs::write(folder.path().join("p.f90"), source).expect("written");
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(["tangent", "--validity", "p.f90", "--head", "p", "-o", "out"]);
    let out = oxad.current_dir(folder.path()).output().expect("oxad runs");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn tests_that_no_call_can_precede_are_refused() {
    let refused = |body: &str, place: &str| {
        let told = told(body, "");
        let wanted = format!("p.f90:{place}: error[OX4257]");
        assert!(told.contains(&wanted) && told.contains("--validity"), "{body}: {told}");
    };
    refused("z = [(abs(x(i)), i = 1, 3)]", "7:1");
    refused("forall (i = 1:3) z(i) = max(x(i), 1d0)", "7:1");
    refused("do concurrent (i = 1:3)\nz(i) = abs(x(i))\nend do", "8:1");
}

#[test]
fn several_directions_have_no_interval() {
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(["tangent", "--validity", "--directions", "2"]).arg(file("models.f90"));
    let out = oxad.output().expect("oxad runs");
    assert!(!out.status.success());
}

/// What `oxad` prints for a program with a condition at `x(1) = 1`.
fn near(arguments: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "subroutine near(x, y)\nimplicit none\nreal(8), intent(in) :: x(2)\nreal(8), intent(out) :: y\n\
                  y = sin(x(1))*x(2)\nif (x(1) > 1.0d0) then\ny = y + 3*x(1)\nelse\ny = y*x(2)\nend if\n\
                  end subroutine near\n";
    std::fs::write(folder.path().join("near.f90"), source).expect("written");
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let (command, more) = arguments.split_once(' ').expect("a command and options");
    oxad.args([command, "near.f90"]).args(more.split(' ')).current_dir(folder.path());
    let out = oxad.output().expect("oxad runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr))
}

#[test]
fn the_interval_is_printed_with_the_test_that_ends_it() {
    let (said, told) = near("validity --set x=[1.25,2] --direction x=[2,0]");
    let wanted = "near along the direction\n                   bound  test\n\
                  gmin        -1.250000e-1  near.f90:6\ngmax                 inf\n\
                  1 tests depend on the independents, 1 of them move along the direction\n";
    assert_eq!(said, wanted, "{told}");
    let (said, _) = near("validity --set x=[1.25,2] --direction x=[0,1]");
    assert!(said.contains("0 of them move"), "{said}");
    let (_, told) = near("validity --set x=[1.25,2] --direction z=[2,0]");
    assert!(told.contains("error[OX5012]: --direction z=[2,0] sets nothing"), "{told}");
}

#[test]
fn a_check_names_the_switch_that_is_near_and_stays_on_its_side() {
    let (said, told) = near("check --mode tangent --set x=[1.000000001,2] --direction x=[1,1]");
    assert!(
        said.contains("near.f90:6 switches at β = -1.0e-9 along the direction"),
        "{said}{told}"
    );
    assert!(said.contains("\n5e-10 ") && !said.contains("\n1e-1 "), "{said}");
    assert!(said.ends_with("good: near_d is the tangent of near here (seed 1)\n"), "{said}");
    let (said, _) = near("check --mode tangent --set x=[1,2] --direction x=[1,1]");
    assert!(said.contains("near.f90:6 switches at the point itself"), "{said}");
    // Far from it nothing is said.
    let (said, _) = near("check --mode tangent --set x=[1.5,2]");
    assert!(!said.contains("switches") && said.contains("\n1e-1 "), "{said}");
}

#[test]
fn a_tangent_with_tests_is_a_tangent() {
    let (said, told) = near("check --mode tangent --validity --set x=[1.5,2]");
    assert!(said.ends_with("good: near_dv is the tangent of near here (seed 1)\n"), "{said}{told}");
    let (_, told) = near("both --validity");
    assert!(told.contains("error[OX5019]"), "{told}");
}

/// Random programs that are linear between their tests, each with a number for the way it has taken.
struct Random {
    state: u64,
    text: String,
}

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % bound
    }

    fn variable(&mut self) -> String {
        format!("v({})", 1 + self.below(5))
    }

    fn number(&mut self) -> String {
        format!("{}d-2", self.below(300) as i64 - 150)
    }

    fn linear(&mut self) -> String {
        let [a, b] = [self.number(), self.number()].map(|number| format!("({number})"));
        let (x, y, c) = (self.variable(), self.variable(), self.number());
        format!("{a}*{x} + {b}*{y} + ({c})")
    }

    /// Notes a choice in the way.
    fn note(&mut self, choice: &str) {
        self.text.push_str(&format!("way = mod(3*way + {choice}, 1000003_8)\n"));
    }

    fn statement(&mut self, depth: u64) {
        let (x, y, z) = (self.variable(), self.variable(), self.variable());
        match self.below(8) {
            0 | 1 => {
                let value = self.linear();
                self.text.push_str(&format!("{z} = {value}\n"));
            }
            2 => {
                let name = ["max", "min", "dim"][self.below(3) as usize];
                self.note(&format!("merge(1, 2, {x} > {y})"));
                self.text.push_str(&format!("{z} = {name}({x}, {y})\n"));
            }
            3 => {
                self.note(&format!("merge(1, 2, {x} > 0) + 3*merge(1, 2, {y} > 0)"));
                self.text.push_str(&format!("{z} = abs({x}) + sign({y}, {x})\n"));
            }
            4 => {
                let name = ["int", "nint", "floor", "ceiling"][self.below(4) as usize];
                self.note(&format!("1000 + {name}({x})"));
                self.text.push_str(&format!("{z} = 0.5d0*{y} + modulo({name}({x}), 7)\n"));
            }
            5 if depth < 2 => {
                let rounds = 1 + self.below(3);
                self.text.push_str(&format!("do i{depth} = 1, {rounds}\n"));
                self.block(depth + 1);
                self.text.push_str("end do\n");
            }
            _ if depth < 4 => {
                let (value, other) = (self.linear(), self.linear());
                let more = ["", " .or. w > 2", " .and. .not. w > 3"][self.below(3) as usize];
                let more = more.replace('w', &format!("({other})"));
                // A part of a condition may switch without the whole.
                self.note(&format!("merge(1, 2, {x} < {value})"));
                for limit in [2, 3].iter().filter(|limit| more.ends_with(&format!("> {limit}"))) {
                    self.note(&format!("merge(1, 2, {other} > {limit})"));
                }
                self.text.push_str(&format!("if ({x} < {value}{more}) then\n"));
                self.note("1");
                self.block(depth + 1);
                self.text.push_str("else\n");
                self.note("2");
                self.block(depth + 1);
                self.text.push_str("end if\n");
            }
            _ => self.text.push_str(&format!("{z} = {x} - 0.5d0*{y}\n")),
        }
    }

    fn block(&mut self, depth: u64) {
        for _ in 0..1 + self.below(3) {
            self.statement(depth);
        }
    }
}

/// Within the interval a program that is linear between its tests takes the same way; beyond a bound it takes another, unless
/// rounding hides that.
#[test]
fn within_the_interval_the_way_is_the_same() {
    const COUNT: u64 = 40;
    let mut random = Random { state: 17, text: "module many\nimplicit none\ncontains\n".into() };
    let mut cases = String::new();
    for number in 0..COUNT {
        random.text.push_str(&format!(
            "subroutine p{number}(x, y, way)\nreal(8), intent(in) :: x(5)\nreal(8), intent(out) :: y\n\
             integer(8), intent(out) :: way\nreal(8) :: v(5)\ninteger :: i0, i1\nv = x\nway = 1\ni0 = 0\ni1 = 0\n"
        ));
        (0..6).for_each(|_| random.statement(0));
        random.text.push_str(&format!("y = sum(v) + 0*(i0 + i1)\nend subroutine p{number}\n"));
        cases.push_str(&format!(
            "call start()\ncall p{number}_dv(x, xd, y, yd, way)\ncall validity_end(found)\nbase = way\n\
             do k = 1, 8\ncall p{number}(x + beta(k)*xd, y, way)\ncall compare({number}, k)\nend do\n"
        ));
    }
    random.text.push_str("end module many\n");
    let heads: Vec<String> = (0..COUNT).map(|number| format!("p{number}")).collect();
    let driver = format!(
        "program all\nuse many\nuse many_dv\nuse oxad_validity\nimplicit none\n\
         real(8) :: x(5), xd(5), y, yd\ninteger(8) :: way, base\ninteger :: k, seen = 0, beyond = 0, misses = 0\n\
         type(validity_interval) :: found\ncall random_init(.true., .true.)\n{cases}\
         if (beyond < {COUNT}/2) error stop 'few bounds'\n\
         if (misses*20 > beyond) error stop 'bounds at which nothing switches'\nprint '(a)', 'good'\ncontains\n\
         subroutine start()\ncall random_number(x)\ncall random_number(xd)\nx = 4*x - 2\nxd = 2*xd - 1\n\
         call validity_begin()\nend subroutine\n\
         real(8) function beta(k)\ninteger, intent(in) :: k\nreal(8) :: low, high\n\
         low = max(found%gmin, -100d0)\nhigh = min(found%gmax, 100d0)\n\
         beta = merge(low, high, k <= 4)\nselect case (mod(k, 4))\ncase (1)\nbeta = 0.3d0*beta\ncase (2)\nbeta = 0.9d0*beta\n\
         case (3)\nbeta = 0.999999d0*beta\ncase default\nbeta = beta + sign(1d-7, beta)\nend select\nend function\n\
         subroutine compare(number, k)\ninteger, intent(in) :: number, k\nlogical :: is_bound\n\
         is_bound = merge(found%gmin > -99, found%gmax < 99, k <= 4)\nif (mod(k, 4) == 0) then\n\
         if (is_bound) beyond = beyond + 1\n\
         if (is_bound .and. way == base) misses = misses + 1\n\
         else if (way /= base) then\nprint *, number, k, found%gmin, found%gmax, found%at_min, found%at_max\n\
         error stop 'another way'\nend if\nseen = seen + 1\nend subroutine\nend program\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("many.f90"), &random.text).expect("written");
    std::fs::write(folder.join("all.f90"), driver).expect("written");
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let independent: Vec<String> = heads.iter().map(|head| format!("{head}:x")).collect();
    let dependent: Vec<String> = heads.iter().map(|head| format!("{head}:y")).collect();
    oxad.args(["tangent", "--validity", "many.f90", "--head", &heads.join(",")]);
    oxad.args(["--independent", &independent.join(","), "--dependent", &dependent.join(",")]);
    output(oxad.args(["--no-banner", "-o", "."]).current_dir(folder));
    let mut gfortran = Command::new("gfortran");
    gfortran.args([
        "-w",
        "-O0",
        "-ffree-line-length-none",
        "-o",
        "program",
        "oxad_validity.f90",
        "many.f90",
    ]);
    output(gfortran.args(["many_dv.f90", "all.f90"]).current_dir(folder));
    assert_eq!(output(&mut Command::new(folder.join("program"))), "good\n", "{}", random.text);
}
