//! Random programs with procedures of several entries, and with statement functions.
//!
//! The entries of a procedure share what it keeps from call to call, and the results of functions share their storage.
//! Control falls from the statements of one entry into those of the next, or returns before, or jumps to
//! statements that all entries share; a statement refers to the dummy arguments alone that every entry has from which
//! control comes.

use super::super::dice::Dice;
use super::super::program::{Node, Program, Unit};
use super::values::{assignment, condition, value};
use super::{block, declared, head_line, head_spec, line, program, unit};

/// A name by which a procedure is called.
struct Entry {
    name: String,
    /// Among `a`, `b` and `v`, in the order of the arguments.
    dummies: Vec<&'static str>,
    function: bool,
}

struct Generator {
    dice: Dice,
    modular: bool,
    /// What earlier procedures offer.
    entries: Vec<Entry>,
    common: bool,
    size: u32,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let mut dice = Dice::new(seed ^ 0xe47);
    let (modular, common) = (dice.chance(0.5), dice.chance(0.6));
    Generator { dice, modular, entries: Vec::new(), common, size }.program(seed)
}

impl Generator {
    fn program(mut self, seed: u64) -> Program {
        let count = self.dice.number(1, 3);
        let mut units: Vec<Unit> = (1..=count).map(|number| self.procedure(number)).collect();
        units.push(self.head());
        let module = if self.modular { vec!["real(8) :: gs, gv(3)".into()] } else { Vec::new() };
        program(seed, self.modular, module, units)
    }

    /// What every statement may read, and overwrite, besides dummy arguments.
    fn shared(&self) -> Vec<String> {
        let mut shared = vec!["kept".to_owned(), "t".into(), "t".into()];
        if self.common {
            shared.extend(["cs", "cv(2)", "cv(k)"].map(str::to_owned));
        }
        if self.modular {
            shared.extend(["gs", "gv(k)"].map(str::to_owned));
        }
        shared
    }

    fn names(&mut self, dummies: &[&str]) -> Vec<String> {
        let mut names = self.shared();
        for dummy in dummies {
            match *dummy {
                "v" => names.extend(["v(k)".to_owned(), "v(1)".into()]),
                scalar => names.extend([scalar.to_owned(), scalar.to_owned()]),
            }
        }
        names
    }

    /// A leaf may be a call of a statement function.
    fn leaves(&mut self, names: &[String]) -> Vec<String> {
        let mut leaves = names.to_vec();
        let one = self.dice.any(names).unwrap_or_default();
        leaves.extend([format!("bend({one})"), format!("bent({one}, t)")]);
        leaves
    }

    fn statements(&mut self, dummies: &[&str], function: bool, most: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.dice.number(1, most.max(1)) {
            let names = self.names(dummies);
            let leaves = self.leaves(&names);
            let target = match function {
                true => self.dice.one(["t", "kept"]).to_owned(),
                false => self.dice.any(&names).unwrap_or_default(),
            };
            let own = assignment(&mut self.dice, &target, &leaves);
            nodes.extend(match self.dice.number(0, 9) {
                0 | 1 => {
                    let condition = condition(&mut self.dice, &leaves);
                    vec![line(format!("if ({condition}) {own}"))]
                }
                2 if dummies.contains(&"v") && !function => {
                    let factor = value(&mut self.dice, &leaves, 1);
                    vec![block(
                        "do i = 1, 3",
                        vec![line(format!("v(i) = v(i)*cos({factor})"))],
                        "end do",
                    )]
                }
                3 => vec![line("k = 1 + mod(k, 3)"), line(own)],
                4 | 5 => match self.call(dummies, function) {
                    Some(call) => vec![call],
                    None => vec![line(own)],
                },
                _ => vec![line(own)],
            });
        }
        nodes
    }

    /// A call of an earlier procedure.
    fn call(&mut self, dummies: &[&str], function: bool) -> Option<Node> {
        let count = self.entries.len();
        if count == 0 {
            return None;
        }
        let at = self.dice.number(0, count as u32 - 1) as usize;
        let entry = &self.entries[at];
        // Arguments of functions are not overwritten by them.
        if function && !entry.function {
            return None;
        }
        let mut scalars: Vec<String> =
            dummies.iter().filter(|&&name| name != "v").map(|&name| name.to_owned()).collect();
        scalars.push("t".into());
        if dummies.contains(&"v") && !entry.dummies.contains(&"v") {
            scalars.push("v(2)".into());
        }
        self.dice.shuffle(&mut scalars);
        let mut actual = Vec::new();
        for dummy in &entry.dummies {
            actual.push(match *dummy {
                "v" if dummies.contains(&"v") => "v".into(),
                "v" => return None,
                _ => scalars.pop()?,
            });
        }
        let call = format!("{}({})", entry.name, actual.join(", "));
        Some(line(match entry.function {
            true => format!("t = {call}"),
            false => format!("call {call}"),
        }))
    }

    fn dummies(&mut self, function: bool) -> Vec<&'static str> {
        let mut all = vec!["a", "b", "v"];
        self.dice.shuffle(&mut all);
        let count = self.dice.number(u32::from(function), 3) as usize;
        all.truncate(count);
        all
    }

    fn procedure(&mut self, number: u32) -> Unit {
        // A caller in another program unit would declare the types of functions.
        let function = self.modular && self.dice.chance(0.35);
        let count = self.dice.number(2, 4);
        let letters = ["", "p", "q", "r"];
        let entries: Vec<Entry> = (0..count)
            .map(|at| Entry {
                name: format!("e{number}{}", letters[at as usize]),
                dummies: self.dummies(function),
                function,
            })
            .collect();
        let jumps = !function && self.dice.chance(0.4);
        let most = 1 + self.size / 3;
        let mut body: Vec<Node> = Vec::new();
        // The dummy arguments that all ways to this place have.
        let mut falling: Option<Vec<&str>> = None;
        let mut jumping: Option<Vec<&str>> = None;
        for (at, entry) in entries.iter().enumerate() {
            if at > 0 {
                body.push(line(format!("entry {}({})", entry.name, entry.dummies.join(", "))));
            }
            let has = |name: &&str| falling.as_ref().is_none_or(|names| names.contains(name));
            let usable: Vec<&str> = entry.dummies.iter().copied().filter(has).collect();
            // Locals have no value where an entry begins.
            body.extend([line(format!("t = {}", self.dice.literal(0.2, 0.8))), line("k = 2")]);
            body.extend(self.statements(&usable, function, most));
            if function {
                let other = self.dice.number(0, at as u32) as usize;
                let names = self.names(&usable);
                let own = value(&mut self.dice, &names, 1);
                let result = if self.dice.chance(0.7) { at } else { other };
                body.push(line(format!("{} = sin({own})", entries[result].name)));
            }
            falling = match self.dice.number(0, 3) {
                0 | 1 => {
                    body.push(line("return"));
                    None
                }
                2 if jumps => {
                    body.push(line("goto 10"));
                    jumping = Some(match jumping {
                        None => usable.clone(),
                        Some(names) => {
                            names.into_iter().filter(|name| usable.contains(name)).collect()
                        }
                    });
                    None
                }
                _ => {
                    if !function && self.dice.chance(0.4) {
                        let names = self.names(&usable);
                        let condition = condition(&mut self.dice, &names);
                        body.push(line(format!("if ({condition}) return")));
                    }
                    Some(usable)
                }
            };
        }
        if let Some(mut names) = jumping {
            if let Some(falling) = &falling {
                names.retain(|name| falling.contains(name));
            }
            body.push(line("10 continue"));
            body.extend(self.statements(&names, function, most));
        }
        let first = &entries[0];
        let kind = if function { "function" } else { "subroutine" };
        let open = format!("{kind} {}({})", first.name, first.dummies.join(", "));
        let any = |name: &str| entries.iter().any(|entry| entry.dummies.contains(&name));
        let intent = if function { "in" } else { "inout" };
        let mut spec = Vec::new();
        for (name, shape) in [("a", ""), ("b", ""), ("v", "(3)")] {
            if any(name) {
                spec.push(format!("real(8), intent({intent}) :: {name}{shape}"));
            }
        }
        if function {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            spec.push(format!("real(8) :: {}", names.join(", ")));
        }
        self.entries.extend(entries);
        unit(&open, spec, self.locals(), body)
    }

    fn locals(&mut self) -> Vec<(Vec<String>, String)> {
        let factor = self.dice.literal(0.3, 0.9);
        let bend = self.dice.one(["bend = dummy*sin(F*dummy)", "bend = F*cos(dummy) + t"]);
        let bend = bend.replace('F', &factor).replacen(" =", "(dummy) =", 1);
        let bent = self.dice.one([
            "0.4d0*(first + bend(second))",
            "bend(first)*cos(second)",
            "0.3d0*first*kept + second",
        ]);
        let functions = ["bend", "bent"];
        // What a statement function reads is declared where the function is.
        let with = |name: &'static str, reads: bool, function: &'static str| match reads {
            true => vec![name, function, "bent"],
            false => vec![name],
        };
        let mut locals = vec![
            declared(&with("t", bend.ends_with('t'), "bend"), "real(8) :: t"),
            declared(&with("kept", bent.contains("kept"), "bent"), "real(8), save :: kept = 0.3d0"),
            declared(&["k"], "integer :: k"),
            declared(&["i"], "integer :: i"),
        ];
        if self.common {
            locals.push(declared(&["cs", "cv"], "real(8) :: cs, cv(3)\n    common /blk/ cs, cv"));
        }
        locals.push(declared(&functions, "real(8) :: bend, dummy"));
        locals.push(declared(&["bent"], "real(8) :: bent, first, second"));
        locals.push(declared(&functions, bend));
        locals.push(declared(&["bent"], format!("bent(first, second) = {bent}")));
        locals
    }

    fn head(&mut self) -> Unit {
        let mut body: Vec<Node> =
            ["t = 0.4d0*x(1)", "a = x(2)*x(3)", "b = 0.5d0*x(2)", "v = x*0.7d0", "k = 2"]
                .map(line)
                .into();
        if self.common {
            body.extend(["cs = 0.3d0*x(3)", "cv = [0.4d0*x(1), x(2), 0.3d0]"].map(line));
        }
        if self.modular {
            body.extend(["gs = 0.2d0*x(2)", "gv = [x(3), 0.5d0*x(1), 0.3d0]"].map(line));
        }
        for _ in 0..self.dice.number(2, 4) {
            body.extend(self.call(&["a", "b", "v"], false));
            if self.dice.chance(0.6) {
                body.extend(self.statements(&["a", "b", "v"], false, 1));
            }
        }
        body.push(line("y(1) = 0.3d0*y(1) + a*1.5d0 + sum(v)"));
        body.push(line("y(2) = b*a + t"));
        if self.common {
            body.push(line("y(2) = sin(y(2)) + cs*sum(cv)"));
        }
        if self.modular {
            body.push(line("y(1) = y(1) + gs*sum(gv)"));
        }
        let mut extra = self.locals();
        for (name, text) in [("a", "real(8) :: a"), ("b", "real(8) :: b"), ("v", "real(8) :: v(3)")]
        {
            extra.insert(0, declared(&[name], text));
        }
        unit(&head_line(), head_spec(), extra, body)
    }
}
