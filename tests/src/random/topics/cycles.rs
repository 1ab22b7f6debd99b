//! Random programs whose call graph has cycles of two to seven procedures.
//!
//! The first argument of each member of a cycle bounds the depth. Other arguments are overwritten, or only passed
//! on around the cycle; some members are functions, some are internal procedures of the head, and variables of the
//! module or of the host are state that all members share.

use super::super::dice::Dice;
use super::super::program::{Node, Program, Unit};
use super::values::{assignment, condition, value};
use super::{block, declared, head_line, head_spec, line, program, unit};

/// A dummy argument behind the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dummy {
    /// `u` or `w`: a scalar that is overwritten.
    Scalar(&'static str),
    /// `v`: a vector of four elements that is overwritten.
    Vector,
    /// `z`: a scalar that nobody overwrites.
    Number,
    /// `q`: a vector of four elements that nobody overwrites.
    Numbers,
    /// `f`: a function.
    Procedure,
}

impl Dummy {
    fn name(self) -> &'static str {
        match self {
            Dummy::Scalar(name) => name,
            Dummy::Vector => "v",
            Dummy::Number => "z",
            Dummy::Numbers => "q",
            Dummy::Procedure => "f",
        }
    }
}

/// A procedure of the cycle.
struct Member {
    name: String,
    function: bool,
    dummies: Vec<Dummy>,
}

/// Where the members stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Module,
    External,
    Internal,
}

struct Generator {
    dice: Dice,
    place: Place,
    members: Vec<Member>,
    /// Scalars of the module or of the host that all members use by name.
    state: Vec<String>,
    size: u32,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let mut dice = Dice::new(seed ^ 0xc1c1e);
    let place = dice.one([Place::Module, Place::Module, Place::External, Place::Internal]);
    let mut generator = Generator { dice, place, members: Vec::new(), state: Vec::new(), size };
    generator.members();
    generator.program(seed)
}

impl Generator {
    fn members(&mut self) {
        let count = self.dice.number(2, 7);
        for at in 1..=count {
            let function = self.place != Place::External && at > 1 && self.dice.chance(0.2);
            let mut dummies = Vec::new();
            for (dummy, probability) in [
                (Dummy::Scalar("u"), 0.85),
                (Dummy::Scalar("w"), 0.5),
                (Dummy::Vector, 0.5),
                (Dummy::Number, 0.6),
                (Dummy::Numbers, 0.4),
                (Dummy::Procedure, 0.25),
            ] {
                let fits = match dummy {
                    Dummy::Scalar(_) | Dummy::Vector => !function,
                    Dummy::Procedure => self.place != Place::External,
                    Dummy::Number | Dummy::Numbers => true,
                };
                if fits && self.dice.chance(probability) {
                    dummies.push(dummy);
                }
            }
            self.dice.shuffle(&mut dummies);
            self.members.push(Member { name: format!("c{at}"), function, dummies });
        }
        if self.place == Place::Module && self.dice.chance(0.5) {
            self.state = ["gs", "gv(2)", "gv(3)"].map(str::to_owned).into();
        }
        if self.place == Place::Internal {
            self.state = ["hs", "hv(2)"].map(str::to_owned).into();
        }
    }

    fn program(mut self, seed: u64) -> Program {
        let mut units = Vec::new();
        if self.place != Place::External {
            for (name, text) in [("bent", "sin(0.7d0*a)*a"), ("curved", "cos(a)*0.8d0")] {
                let spec = ["real(8), intent(in) :: a", "real(8) :: r"].map(str::to_owned).into();
                let body = vec![line(format!("r = {text}"))];
                units.push(unit(&format!("function {name}(a) result(r)"), spec, Vec::new(), body));
            }
        }
        let members: Vec<Unit> = (0..self.members.len()).map(|at| self.member(at)).collect();
        let mut head = self.head();
        match self.place {
            Place::Internal => head.inner = members,
            Place::Module | Place::External => units.extend(members),
        }
        units.push(head);
        let module = match self.place == Place::Module && !self.state.is_empty() {
            true => vec!["real(8) :: gs, gv(3)".into()],
            false => Vec::new(),
        };
        program(seed, self.place != Place::External, module, units)
    }

    /// Scalars that statements of a member may read; those of them that they may overwrite.
    fn scalars(&mut self, at: usize) -> (Vec<String>, Vec<String>) {
        let member = &self.members[at];
        let mut written = vec!["t".to_owned()];
        let mut read = Vec::new();
        for dummy in &member.dummies {
            match dummy {
                Dummy::Scalar(name) => written.extend([(*name).to_owned(), (*name).to_owned()]),
                Dummy::Vector => {
                    written.extend([format!("v({})", self.dice.number(1, 4)), "v(1)".into()]);
                }
                Dummy::Number => read.extend(["z", "z"].map(str::to_owned)),
                Dummy::Numbers => read.push(format!("q({})", self.dice.number(1, 4))),
                Dummy::Procedure => read.push(format!("f({})", self.dice.one(["t", "0.4d0"]))),
            }
        }
        if !member.function {
            written.extend(self.state.iter().cloned());
        }
        read.extend(written.iter().cloned());
        (read, written)
    }

    fn statements(&mut self, at: usize, most: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.dice.number(1, most.max(1)) {
            let (read, written) = self.scalars(at);
            let dice = &mut self.dice;
            let has = |dummy| self.members[at].dummies.contains(&dummy);
            let target = dice.any(&written).unwrap_or_default();
            let own = assignment(dice, &target, &read);
            nodes.push(match dice.number(0, 9) {
                0 | 1 => {
                    let condition = condition(dice, &read);
                    line(format!("if ({condition}) {own}"))
                }
                2 if has(Dummy::Vector) => {
                    line(format!("v = v*{}", value(dice, &read, 1).replace("f(t)", "t")))
                }
                3 if has(Dummy::Vector) && has(Dummy::Numbers) => {
                    line("v(1:3) = 0.5d0*v(2:4) + 0.3d0*q(1:3)")
                }
                4 if has(Dummy::Vector) => {
                    let element = value(dice, &["v(i)".into(), target], 1);
                    block("do i = 1, 4", vec![line(format!("v(i) = sin({element})"))], "end do")
                }
                5 if has(Dummy::Numbers) => line("t = sin(t + sum(q)*0.3d0)"),
                _ => line(own),
            });
        }
        nodes
    }

    fn member(&mut self, at: usize) -> Unit {
        let next = (at + 1) % self.members.len();
        let most = 1 + self.size / 3;
        let mut body = vec![line("t = 0.3d0")];
        body.extend(self.statements(at, most));
        let own = self.call(at, next, "k - 1");
        match self.dice.number(0, 2) {
            0 => body.push(block("if (k > 0) then", own, "end if")),
            1 if !self.members[at].function => {
                body.push(line("if (k <= 0) return"));
                body.extend(own);
            }
            _ => {
                let rest = self.statements(at, 1);
                let arms = vec![("if (k <= 0) then".into(), rest), ("else".into(), own)];
                body.push(Node::Block { arms, close: "end if".into() });
            }
        }
        body.extend(self.statements(at, most));
        if self.dice.chance(0.4) {
            let other = self.dice.number(0, self.members.len() as u32 - 1) as usize;
            let chord = self.call(at, other, "k - 3");
            let chord = match self.dice.chance(0.3) {
                true => vec![block("do j = 1, 2", chord, "end do")],
                false => chord,
            };
            body.push(block("if (k > 2) then", chord, "end if"));
            body.extend(self.statements(at, 1));
        }
        if self.members[at].function {
            let (read, _) = self.scalars(at);
            body.push(line(format!("r = sin({})", value(&mut self.dice, &read, 1))));
        }
        let member = &self.members[at];
        let mut spec = vec!["integer, intent(in) :: k".to_owned()];
        for dummy in &member.dummies {
            spec.push(Self::declaration(&mut self.dice, self.place, *dummy));
        }
        let names: Vec<&str> = member.dummies.iter().map(|dummy| dummy.name()).collect();
        let names = [vec!["k"], names].concat().join(", ");
        let name = &member.name;
        let open = match member.function {
            true => format!("recursive function {name}({names}) result(r)"),
            false => format!("recursive subroutine {name}({names})"),
        };
        if member.function {
            spec.push("real(8) :: r".into());
        }
        unit(&open, spec, locals(), body)
    }

    fn declaration(dice: &mut Dice, place: Place, dummy: Dummy) -> String {
        let intent = match dummy {
            Dummy::Scalar(_) | Dummy::Vector => ", intent(inout)",
            Dummy::Number | Dummy::Numbers if dice.chance(0.7) => ", intent(in)",
            Dummy::Number | Dummy::Numbers => "",
            Dummy::Procedure => return "procedure(bent) :: f".into(),
        };
        let shape = match dummy {
            Dummy::Vector | Dummy::Numbers if place != Place::External && dice.chance(0.5) => "(:)",
            Dummy::Vector | Dummy::Numbers => "(4)",
            Dummy::Scalar(_) | Dummy::Number | Dummy::Procedure => "",
        };
        format!("real(8){intent} :: {}{shape}", dummy.name())
    }

    /// A call of another member, by the member `at`.
    fn call(&mut self, at: usize, other: usize, depth: &str) -> Vec<Node> {
        let own = self.members[at].dummies.clone();
        let has = |dummy| own.contains(&dummy);
        let mut scalars = vec!["t"];
        scalars.extend(["u", "w"].into_iter().filter(|&name| has(Dummy::Scalar(name))));
        let mut vectors = vec!["a"];
        vectors.extend(has(Dummy::Vector).then_some("v"));
        let numbers = [has(Dummy::Number).then_some("z"), has(Dummy::Numbers).then_some("q(2)")];
        let numbers: Vec<&str> = numbers.into_iter().flatten().collect();
        let numbers_of_four = if has(Dummy::Numbers) { vec!["q"] } else { Vec::new() };
        let procedure = has(Dummy::Procedure).then_some("f");
        let sources = Sources { scalars, vectors, numbers, numbers_of_four, procedure };
        self.call_with(&sources, other, depth)
    }

    fn call_with(&mut self, sources: &Sources<'_>, other: usize, depth: &str) -> Vec<Node> {
        let Member { name, function, dummies } = &self.members[other];
        let (name, function, dummies) = (name.clone(), *function, dummies.clone());
        let dice = &mut self.dice;
        // What is overwritten is passed once.
        let mut scalars = sources.scalars.clone();
        let mut vectors = sources.vectors.clone();
        dice.shuffle(&mut scalars);
        dice.shuffle(&mut vectors);
        if function {
            scalars.retain(|&name| name != "t");
        }
        let mut first = Vec::new();
        let mut written = Vec::new();
        for dummy in &dummies {
            if let Dummy::Scalar(_) = dummy {
                written.push(match scalars.pop() {
                    Some(name) => name.to_owned(),
                    None => {
                        first.push(line("b(2) = 0.4d0"));
                        "b(2)".into()
                    }
                });
            } else if *dummy == Dummy::Vector {
                let vector = vectors.pop().unwrap_or("a");
                if vector == "a" {
                    first.push(line("a = 0.2d0"));
                }
                written.push(match dice.chance(0.2) {
                    true => format!("{vector}(4:1:-1)"),
                    false => vector.to_owned(),
                });
            }
        }
        // A second scalar that finds no variable.
        if written.iter().filter(|name| *name == "b(2)").count() > 1
            && let Some(last) = written.iter().rposition(|name| name == "b(2)")
        {
            first.push(line("b(1) = 0.6d0"));
            written[last] = "b(1)".into();
        }
        let mut written = written.into_iter();
        let left: Vec<String> = scalars.iter().map(|&name| name.to_owned()).collect();
        let actual = dummies.iter().map(|dummy| match dummy {
            Dummy::Scalar(_) | Dummy::Vector => written.next().unwrap_or_default(),
            Dummy::Number if !sources.numbers.is_empty() && dice.chance(0.6) => {
                dice.any(&sources.numbers).unwrap_or_default().to_owned()
            }
            Dummy::Number if !left.is_empty() && dice.chance(0.3) => {
                dice.any(&left).unwrap_or_default()
            }
            Dummy::Number => {
                let leaves: Vec<String> = sources.scalars.iter().map(|&s| s.to_owned()).collect();
                format!("0.9d0*{}", value(dice, &leaves, 1))
            }
            Dummy::Numbers if !sources.numbers_of_four.is_empty() && dice.chance(0.7) => {
                dice.any(&sources.numbers_of_four).unwrap_or_default().to_owned()
            }
            Dummy::Numbers => {
                let leaf = dice.any(&sources.scalars).unwrap_or("t");
                format!("[{leaf}, 0.3d0, {leaf}*0.5d0, 0.1d0]")
            }
            Dummy::Procedure => {
                let own = if dice.chance(0.7) { sources.procedure } else { None };
                own.unwrap_or_else(|| dice.one(["bent", "curved"])).to_owned()
            }
        });
        let actual: Vec<String> = std::iter::once(depth.to_owned()).chain(actual).collect();
        let call = format!("{name}({})", actual.join(", "));
        match function {
            true => first.push(line(format!("t = {call}"))),
            false => first.push(line(format!("call {call}"))),
        }
        if first.iter().any(|node| matches!(node, Node::Line(text) if text.starts_with("a = "))) {
            first.push(line("t = sin(t + 0.3d0*sum(a))"));
        }
        first
    }

    fn head(&mut self) -> Unit {
        let mut body: Vec<Node> =
            ["s1 = 0.4d0*x(1)", "s2 = x(2)*x(3)", "t = 0.5d0*x(2)"].map(line).into_iter().collect();
        body.push(line("a = [x, 0.3d0]"));
        body.push(line("c = [0.2d0, x(3), x(1), 0.4d0]"));
        for name in self.state.clone() {
            let name = name.split('(').next().unwrap_or_default().to_owned();
            let text = format!("{name} = 0.3d0*x(1) + 0.1d0");
            if !body.iter().any(|node| *node == line(text.clone())) {
                body.push(line(text));
            }
        }
        let sources = Sources {
            scalars: vec!["s1", "s2"],
            vectors: vec!["c"],
            numbers: vec!["x(1)", "x(3)", "t"],
            numbers_of_four: vec!["a"],
            procedure: None,
        };
        for _ in 0..self.dice.number(1, 3) {
            let other = self.dice.number(0, self.members.len() as u32 - 1) as usize;
            let depth = self.dice.number(0, 9).to_string();
            body.extend(self.call_with(&sources, other, &depth));
            body.push(line("s2 = sin(s2 + 0.3d0*t)"));
        }
        let state = self.state.clone();
        body.push(line("y(1) = s1*1.5d0 + sum(c) + y(1)*0.2d0"));
        body.push(line("y(2) = s2*s1 + sum(a)*0.2d0 + t"));
        body.extend(state.iter().map(|name| line(format!("y(2) = sin(y(2)) + {name}"))));
        let mut extra = locals();
        extra.push(declared(&["s1"], "real(8) :: s1"));
        extra.push(declared(&["s2"], "real(8) :: s2"));
        extra.push(declared(&["c"], "real(8) :: c(4)"));
        extra.push(declared(&["hs"], "real(8) :: hs"));
        extra.push(declared(&["hv"], "real(8) :: hv(2)"));
        unit(&head_line(), head_spec(), extra, body)
    }
}

/// What a caller has to pass.
struct Sources<'a> {
    scalars: Vec<&'a str>,
    vectors: Vec<&'a str>,
    numbers: Vec<&'a str>,
    numbers_of_four: Vec<&'a str>,
    procedure: Option<&'a str>,
}

fn locals() -> Vec<(Vec<String>, String)> {
    vec![
        declared(&["t"], "real(8) :: t"),
        declared(&["a"], "real(8) :: a(4)"),
        declared(&["b"], "real(8) :: b(2)"),
        declared(&["i"], "integer :: i"),
        declared(&["j"], "integer :: j"),
    ]
}
