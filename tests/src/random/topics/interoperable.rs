//! Random programs whose procedures C can call: the head and what it calls are BIND(C), arguments come by value and by
//! reference.
//!
//! A procedure may overwrite what it got by value; a caller may pass one variable by value and by reference at once.

use super::super::dice::Dice;
use super::super::program::{HEAD, Node, Program, Ty, Unit};
use super::values::{assignment, condition, value};
use super::{block, declared, line, unit};

/// A dummy argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dummy {
    /// `n`: an integer; whether by value.
    Count(bool),
    /// `a`: a real number by value.
    Value,
    /// `b`: a real number that is overwritten.
    Scalar,
    /// `v`: four numbers that are overwritten.
    Vector,
    /// `q`: a structure by value.
    Copy,
    /// `s`: a structure that is overwritten.
    Pair,
    /// `f`: a function.
    Procedure,
}

impl Dummy {
    fn name(self) -> &'static str {
        match self {
            Dummy::Count(_) => "n",
            Dummy::Value => "a",
            Dummy::Scalar => "b",
            Dummy::Vector => "v",
            Dummy::Copy => "q",
            Dummy::Pair => "s",
            Dummy::Procedure => "f",
        }
    }
}

struct Procedure {
    name: String,
    function: bool,
    dummies: Vec<Dummy>,
}

struct Generator {
    dice: Dice,
    procedures: Vec<Procedure>,
    size: u32,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let dice = Dice::new(seed ^ 0xb1dc);
    Generator { dice, procedures: Vec::new(), size }.program(seed)
}

/// The label by which C knows a procedure: what BIND names, or the procedure's own name.
pub(super) fn label(unit: &Unit) -> String {
    let named = unit.open.split("name='").nth(1).and_then(|rest| rest.split('\'').next());
    named.unwrap_or(&unit.name).to_owned()
}

/// Whether an argument of the head comes by value.
pub(super) fn by_value(unit: &Unit, name: &str) -> bool {
    unit.spec.iter().any(|line| line.ends_with(&format!(", value :: {name}")))
}

const MODULE_TEXT: &str = "type, bind(c) :: pair
  real(8) :: l = 0.3d0, r = 0.2d0
end type
abstract interface
  function curve(a) bind(c) result(r)
    real(8), value :: a
    real(8) :: r
  end function
end interface
real(8) :: gs = 0.3d0";

impl Generator {
    fn program(mut self, seed: u64) -> Program {
        let mut units = Vec::new();
        for (name, text) in [("bent", "sin(0.7d0*a)*a"), ("curved", "cos(a)*0.8d0")] {
            let spec = ["real(8), value :: a", "real(8) :: r"].map(str::to_owned).into();
            let body = vec![line(format!("r = {text}"))];
            let open = format!("function {name}(a) bind(c) result(r)");
            units.push(unit(&open, spec, Vec::new(), body));
        }
        for number in 1..=self.dice.number(1, 4) {
            units.push(self.procedure(number));
        }
        let (head, args) = self.head();
        units.push(head);
        Program {
            seed,
            modular: true,
            module: MODULE_TEXT.lines().map(str::to_owned).collect(),
            units,
            args,
            mixed: false,
            may_be_refused: true,
            calls: 1,
        }
    }

    fn bound(&mut self, name: &str) -> String {
        match self.dice.number(0, 3) {
            0 => format!(" bind(c, name='Mixed_{name}')"),
            _ => " bind(c)".into(),
        }
    }

    fn declaration(&mut self, dummy: Dummy, function: bool) -> String {
        let intent = if function { "in" } else { "inout" };
        let real = self.dice.one(["real(8)", "real(c_double)"]);
        match dummy {
            Dummy::Count(true) => "integer(c_int), value :: n".into(),
            Dummy::Count(false) => "integer(c_int), intent(in) :: n".into(),
            Dummy::Value => format!("{real}, value :: a"),
            Dummy::Scalar => format!("{real}, intent({intent}) :: b"),
            Dummy::Vector => {
                format!("{real}, intent({intent}) :: v({})", self.dice.one(["*", "4"]))
            }
            Dummy::Copy => "type(pair), value :: q".into(),
            Dummy::Pair => format!("type(pair), intent({intent}) :: s"),
            Dummy::Procedure => "procedure(curve) :: f".into(),
        }
    }

    fn procedure(&mut self, number: u32) -> Unit {
        let function = self.dice.chance(0.35);
        let mut dummies = Vec::new();
        let by_value = self.dice.chance(0.7);
        for (dummy, probability) in [
            (Dummy::Count(by_value), 0.4),
            (Dummy::Value, 0.7),
            (Dummy::Scalar, 0.6),
            (Dummy::Vector, 0.5),
            (Dummy::Copy, 0.3),
            (Dummy::Pair, 0.3),
            (Dummy::Procedure, 0.2),
        ] {
            if self.dice.chance(probability) {
                dummies.push(dummy);
            }
        }
        self.dice.shuffle(&mut dummies);
        let name = format!("k{number}");
        let names: Vec<&str> = dummies.iter().map(|dummy| dummy.name()).collect();
        let bound = self.bound(&name);
        let kind = if function { "function" } else { "subroutine" };
        let result = if function { " result(r)" } else { "" };
        let open = format!("{kind} {name}({}){bound}{result}", names.join(", "));
        let mut spec = vec!["use, intrinsic :: iso_c_binding".to_owned()];
        for dummy in &dummies {
            spec.push(self.declaration(*dummy, function));
        }
        let mut body = vec![line("t = 0.4d0")];
        let most = 1 + self.size / 2;
        body.extend(self.statements(&dummies, function, most));
        if function {
            spec.push("real(8) :: r".into());
            let (read, _) = self.names(&dummies, true);
            body.push(line(format!("r = sin({})", value(&mut self.dice, &read, 2))));
        }
        self.procedures.push(Procedure { name, function, dummies });
        unit(&open, spec, locals(), body)
    }

    /// What may be read, and overwritten.
    fn names(&mut self, dummies: &[Dummy], function: bool) -> (Vec<String>, Vec<String>) {
        let mut written = vec!["t".to_owned(), "t".into()];
        let mut read = Vec::new();
        for dummy in dummies {
            let names: &[&str] = match dummy {
                Dummy::Count(_) => {
                    read.push("0.1d0*n".into());
                    continue;
                }
                Dummy::Procedure => {
                    read.push(format!("f({})", self.dice.one(["t", "0.4d0", "0.5d0*t"])));
                    continue;
                }
                Dummy::Value => &["a", "a"],
                Dummy::Copy => &["q%l", "q%r"],
                Dummy::Scalar => &["b", "b"],
                Dummy::Vector => &["v(1)", "v(3)"],
                Dummy::Pair => &["s%l", "s%r"],
            };
            let own = matches!(dummy, Dummy::Value | Dummy::Copy);
            let list = if own || !function { &mut written } else { &mut read };
            list.extend(names.iter().map(|&name| name.to_owned()));
        }
        if !function {
            written.push("gs".into());
        }
        read.extend(written.iter().cloned());
        (read, written)
    }

    fn statements(&mut self, dummies: &[Dummy], function: bool, most: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.dice.number(1, most) {
            let (read, written) = self.names(dummies, function);
            let target = self.dice.any(&written).unwrap_or_default();
            let own = assignment(&mut self.dice, &target, &read);
            nodes.extend(match self.dice.number(0, 9) {
                0 | 1 => vec![line(format!("if ({}) {own}", condition(&mut self.dice, &read)))],
                2 if dummies.contains(&Dummy::Vector) && !function => {
                    let factor = value(&mut self.dice, &read, 1);
                    let count = dummies.iter().any(|dummy| matches!(dummy, Dummy::Count(_)));
                    let last = if count { "1 + mod(n, 4)" } else { "4" };
                    let inside = vec![line(format!("v(i) = v(i)*cos({factor})"))];
                    vec![block(format!("do i = 1, {last}"), inside, "end do")]
                }
                3 if dummies.contains(&Dummy::Pair) && !function => {
                    vec![line(format!("s = pair(sin({target}), {})", self.dice.one(["t", "s%l"])))]
                }
                4..=6 => match self.call(dummies, function) {
                    Some(call) => vec![call],
                    None => vec![line(own)],
                },
                _ => vec![line(own)],
            });
        }
        nodes
    }

    fn call(&mut self, dummies: &[Dummy], function: bool) -> Option<Node> {
        let count = self.procedures.len();
        let at = self.dice.number(0, count.saturating_sub(1) as u32) as usize;
        let callee = self.procedures.get(at)?;
        if function && !callee.function {
            return None;
        }
        let (name, is_function, wanted) =
            (callee.name.clone(), callee.function, callee.dummies.clone());
        let (read, _) = self.names(dummies, function);
        let mut scalars = vec!["t"];
        scalars.extend(dummies.contains(&Dummy::Value).then_some("a"));
        scalars.extend(dummies.contains(&Dummy::Scalar).then_some("b"));
        self.dice.shuffle(&mut scalars);
        let mut pairs = Vec::new();
        pairs.extend(dummies.contains(&Dummy::Copy).then_some("q"));
        pairs.extend(dummies.contains(&Dummy::Pair).then_some("s"));
        let mut actual: Vec<String> = Vec::new();
        for dummy in wanted {
            actual.push(match dummy {
                Dummy::Count(_) => match dummies.iter().any(|own| matches!(own, Dummy::Count(_))) {
                    true => "n".into(),
                    false => self.dice.number(1, 9).to_string(),
                },
                // By value, what is overwritten by reference may stand beside.
                Dummy::Value => match self.dice.chance(0.6) {
                    true => self.dice.any(&read)?,
                    false => value(&mut self.dice, &read, 1),
                },
                Dummy::Scalar => scalars.pop()?.to_owned(),
                Dummy::Vector if dummies.contains(&Dummy::Vector) => "v".into(),
                Dummy::Vector => return None,
                Dummy::Copy if !pairs.is_empty() && self.dice.chance(0.7) => {
                    self.dice.any(&pairs)?.to_owned()
                }
                Dummy::Copy => {
                    format!("pair({}, {})", self.dice.any(&read)?, self.dice.any(&read)?)
                }
                Dummy::Pair => match self.dice.any(&pairs) {
                    Some(pair) => pair.to_owned(),
                    None => return None,
                },
                Dummy::Procedure => match dummies.contains(&Dummy::Procedure) {
                    true => "f".into(),
                    false => self.dice.one(["bent", "curved"]).to_owned(),
                },
            });
        }
        let call = format!("{name}({})", actual.join(", "));
        Some(line(match is_function {
            true => format!("t = {call}"),
            false => format!("call {call}"),
        }))
    }

    fn head(&mut self) -> (Unit, Vec<(String, Ty, Vec<i64>)>) {
        let by_value = self.dice.chance(0.7);
        let mut dummies = Vec::new();
        for (dummy, probability) in
            [(Dummy::Count(by_value), 0.7), (Dummy::Value, 0.8), (Dummy::Scalar, 0.6)]
        {
            if self.dice.chance(probability) {
                dummies.push(dummy);
            }
        }
        dummies.push(Dummy::Vector);
        self.dice.shuffle(&mut dummies);
        let args = dummies.iter().map(|dummy| {
            let (ty, shape) = match dummy {
                Dummy::Count(_) => (Ty::Int, vec![]),
                Dummy::Vector => (Ty::Real, vec![4]),
                _ => (Ty::Real, vec![]),
            };
            (dummy.name().to_owned(), ty, shape)
        });
        let mut args: Vec<_> = args.collect();
        args.push(("y".into(), Ty::Real, vec![2]));
        let mut spec = vec!["use, intrinsic :: iso_c_binding".to_owned()];
        for dummy in &dummies {
            spec.push(self.declaration(*dummy, false));
        }
        spec.push("real(c_double), intent(inout) :: y(2)".into());
        let own = [dummies.as_slice(), &[Dummy::Copy, Dummy::Pair]].concat();
        let mut body: Vec<Node> = [
            "t = 0.4d0*v(1)",
            "gs = 0.3d0*v(2)",
            "q = pair(0.2d0*v(3), 0.4d0)",
            "s = pair(v(1), v(4)*0.3d0)",
        ]
        .map(line)
        .into();
        for _ in 0..self.dice.number(2, 4) {
            body.extend(self.call(&own, false));
            body.extend(self.statements(&own, false, 1));
        }
        let mut ends = vec!["t", "gs", "q%l*q%r", "s%l + 2d0*s%r", "v(2)"];
        ends.extend(dummies.contains(&Dummy::Value).then_some("a"));
        ends.extend(dummies.contains(&Dummy::Scalar).then_some("b"));
        body.extend(ends.iter().enumerate().map(|(at, end)| match at % 2 {
            0 => line(format!("y(1) = 0.7d0*y(1) + {end}")),
            _ => line(format!("y(2) = sin(y(2)) + {end}")),
        }));
        let names: Vec<&str> =
            dummies.iter().map(|dummy| dummy.name()).chain(std::iter::once("y")).collect();
        let bound = self.bound("Head");
        let open = format!("subroutine {HEAD}({}){bound}", names.join(", "));
        let mut extra = locals();
        extra.push(declared(&["q"], "type(pair) :: q"));
        extra.push(declared(&["s"], "type(pair) :: s"));
        (unit(&open, spec, extra, body), args)
    }
}

fn locals() -> Vec<(Vec<String>, String)> {
    vec![declared(&["t"], "real(8) :: t"), declared(&["i"], "integer :: i")]
}
