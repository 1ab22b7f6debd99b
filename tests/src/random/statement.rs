//! Random statements: assignments of every form, control flow of every form, calls.
//!
//! Each statement keeps the rules of `expr.rs`: indices stay within bounds, values within their
//! limits, loops end, arguments that are defined alias nothing.

use super::expr::{E, INT_LIMIT, LIMIT, reaches};
use super::generator::{Around, Generator, Param, Signature, passable, plain};
use super::program::{Node, Ty, Var};

impl Generator {
    /// About `count` statements, nested at most `depth` deep.
    pub(crate) fn statements(&mut self, count: u32, depth: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..count {
            if self.rows && !self.restricted && self.rng.u32(0..3) == 0 {
                nodes.extend(self.row());
                continue;
            }
            let node = if depth == 0 || self.rng.u32(0..10) < 5 {
                self.simple()
            } else {
                self.construct(depth - 1)
            };
            nodes.push(node);
        }
        nodes
    }

    fn line(text: impl Into<String>) -> Node {
        Node::Line(text.into())
    }

    fn simple(&mut self) -> Node {
        match self.rng.u32(0..29) {
            0..9 => self.assignment(),
            9 => self.integer_assignment(),
            10 => self.complex_assignment(),
            11..14 if !self.restricted => match self.call() {
                Some(call) => call,
                None => self.assignment(),
            },
            14 => self.reallocation(),
            15 => self.pointer_assignment(),
            16 => self.overlap(),
            17 => self.whole_object(),
            18 if self.may_return && self.rng.u32(0..4) == 0 => {
                let (condition, _) = self.condition(&[], 1);
                Self::line(format!("if ({condition}) return"))
            }
            18 if self.in_do => {
                let (condition, _) = self.condition(&[], 1);
                let word = *self.pick(&["exit", "cycle"]);
                Self::line(format!("if ({condition}) {word}"))
            }
            19 | 20 if !self.around.is_empty() => self.leave(),
            21 if !self.restricted => self.indices_assignment(),
            22 if !self.restricted => self.logical_assignment(),
            23 | 24 if !self.restricted => match self.library_call() {
                Some(call) => call,
                None => self.assignment(),
            },
            25 if !self.restricted => self.temporary(),
            26 if !self.restricted => self.time_levels(),
            27 if !self.restricted => self.exchange(),
            28 if !self.restricted => self.result_of_any_size(),
            _ => self.assignment(),
        }
    }

    /// Leaves a loop around by its name or by GOTO.
    fn leave(&mut self) -> Node {
        let (condition, _) = self.condition(&[], 1);
        let at = self.rng.usize(0..self.around.len());
        let text = match self.around[at].clone() {
            Around::Name(name) => format!("{} {name}", self.pick(&["exit", "cycle"])),
            Around::Label(label) => format!("go to {label}"),
        };
        Self::line(format!("if ({condition}) {text}"))
    }

    /// Indices change: an element, or all of them.
    fn indices_assignment(&mut self) -> Node {
        if self.some_var(|var| var.name == "ix").is_none() {
            return self.assignment();
        }
        let n = self.int(1);
        match self.rng.u32(0..4) {
            0 => Self::line("ix = ix(4:1:-1)"),
            1 => Self::line(format!("ix = 1 + modulo(ix + {n}, 4)")),
            _ => {
                let at = self.index(1, 4);
                Self::line(format!("ix({at}) = 1 + modulo({n}, 4)"))
            }
        }
    }

    fn logical_assignment(&mut self) -> Node {
        if self.some_var(|var| var.name == "lg").is_none() {
            return self.assignment();
        }
        let (condition, _) = self.condition(&[], 1);
        Self::line(format!("lg = {condition}"))
    }

    /// An allocatable of another size each time that lives for three statements.
    fn temporary(&mut self) -> Node {
        let known = |var: &Var| var.name == "s1" && var.writable;
        if self.some_var(known).is_none() || self.in_function {
            return self.assignment();
        }
        let name = self.fresh("ta");
        self.extra.push((vec![name.clone()], format!("real(8), allocatable :: {name}(:)")));
        let n = self.int(1);
        let e = self.expr(&[], 2);
        let e = self.limited(e);
        let deallocate = format!("deallocate ({name})");
        let first = format!("allocate ({name}(1 + modulo({n}, 4)))\n{name} = {}", e.text);
        let body = vec![
            Self::line(format!("{name}(1) = 0.5d0*{name}(1)*{name}(size({name}))*0.1d0")),
            Self::line(format!("s1 = 0.5d0*s1 + 0.1d0*sum({name})")),
        ];
        Node::Block { arms: vec![(first, body)], close: deallocate }
    }

    /// Two allocatables change places.
    fn exchange(&mut self) -> Node {
        let pairs = [["av", "aw"], ["dy%d", "dz%d"], ["aw", "dy%d"]];
        let [a, b] = *self.pick(&pairs);
        let known = |name: &'static str| move |var: &Var| var.name == name && var.writable;
        if self.some_var(known(a)).is_none() || self.some_var(known(b)).is_none() {
            return self.assignment();
        }
        let t = self.fresh("tm");
        self.extra.push((vec![t.clone()], format!("real(8), allocatable :: {t}(:)")));
        Self::line(format!(
            "call move_alloc({a}, {t}); call move_alloc({b}, {a}); call move_alloc({t}, {b})"
        ))
    }

    /// What takes the result of a function has another shape each time.
    fn result_of_any_size(&mut self) -> Node {
        let known = |var: &Var| var.name == "s1" && var.writable;
        if self.some_var(known).is_none() || self.in_function || !self.modular {
            return self.assignment();
        }
        let name = self.fresh("tr");
        self.extra.push((vec![name.clone()], format!("real(8), allocatable :: {name}(:)")));
        let n = self.int(1);
        let e = self.expr(&[], 2);
        let e = self.limited(e);
        let function = *self.pick(&["grn", "gra", "gre"]);
        let change = match self.rng.bool() {
            true => format!("{name}(1) = 0.5d0*{name}(1)*{name}(size({name})); "),
            false => String::new(),
        };
        Self::line(format!(
            "{name} = {function}(spread({}, 1, 1 + modulo({n}, 4))); {change}s1 = 0.5d0*s1 + 0.1d0*sum({name})",
            e.text
        ))
    }

    /// A loop over time: the next level of a vector is computed, and copied at the end of the step. Some
    /// do not copy all that they compute, or write elsewhere as well.
    fn time_levels(&mut self) -> Node {
        if self.some_var(|var| var.name == "s1" && var.writable).is_none() || self.in_function {
            return self.assignment();
        }
        let [u, next, time, k] = ["tu", "tn", "tt", "tk"].map(|wish| self.fresh(wish));
        let numbers = vec![u.clone(), next.clone()];
        self.extra.push((numbers, format!("real(8) :: {u}(4), {next}(4)")));
        self.extra.push((vec![time.clone(), k.clone()], format!("integer :: {time}, {k}")));
        let e = self.expr(&[], 2);
        let e = self.limited(e);
        let until = match self.rng.u32(0..3) {
            0 => "3".to_string(),
            _ => format!("modulo({}, 4)", self.int(1)),
        };
        let first = format!(
            "{u} = 0.5d0*s1\n{u}(2) = {}\n{next} = 0.25d0*{u}\ndo {time} = 1, {until}",
            e.text
        );
        let (from, to) = *self.pick(&[("2", "3"), ("2", "3"), ("1", "4")]);
        let (left, right) = if from == "2" { ("-1", "+1") } else { ("", "") };
        let value = format!("0.5d0*{u}({k}) + 0.05d0*{u}({k}{left})*{u}({k}{right})");
        let computed = format!("do {k} = {from}, {to}\n  {next}({k}) = {value}\nend do");
        let copied = match self.rng.u32(0..6) {
            0 => format!("{u} = {next}"),
            1 => format!("{u}(2:3) = {next}(2:3)"),
            2 => format!("do {k} = 2, 3\n  {u}({k}) = {next}({k})\nend do"),
            _ => format!("do {k} = {from}, {to}\n  {u}({k}) = {next}({k})\nend do"),
        };
        let mut body = vec![Self::line(computed), Self::line(copied)];
        match self.rng.u32(0..8) {
            0 => body.push(Self::line(format!("{u}(1) = 0.5d0*{u}(2)"))),
            1 => body.insert(0, Self::line(format!("s1 = 0.5d0*s1 + 0.1d0*{next}(2)"))),
            2 => {
                let (condition, _) = self.condition(&[], 1);
                body.insert(1, Self::line(format!("if ({condition}) exit")));
            }
            3 => body.push(self.assignment()),
            _ => {}
        }
        let asked = if self.rng.u32(0..6) == 0 { &next } else { &u };
        let close = format!("end do\ns1 = 0.5d0*s1 + 0.1d0*sum({asked})");
        Node::Block { arms: vec![(first, body)], close }
    }

    /// A variable that may be assigned, and the shape in which it is.
    fn target(&mut self, tys: &[Ty]) -> (Var, Vec<i64>) {
        loop {
            let found = self.some_var(|var| {
                var.writable && tys.contains(&var.ty) && !matches!(var.base(), "wk" | "wt")
            });
            let Some(var) = found else {
                return (plain("s1", Ty::Real, &[]), Vec::new());
            };
            let shape: Vec<i64> = match self.rng.u32(0..4) {
                0 | 1 if var.whole => var.shape.clone(),
                2 if var.shape.len() == 2 => vec![3],
                3 if var.shape.len() == 1 => vec![self.rng.i64(2..=3)],
                _ => Vec::new(),
            };
            if reaches(&var, &shape) {
                return (var, shape);
            }
        }
    }

    /// Elementwise assignments to arrays of one shape, most of which read what others have assigned.
    fn row(&mut self) -> Vec<Node> {
        let shape = match self.rng.u32(0..3) {
            0 => vec![self.rng.i64(2..=3)],
            1 => vec![3, 4],
            _ => vec![3],
        };
        let mut nodes = Vec::new();
        let mut assigned: Vec<String> = Vec::new();
        for _ in 0..self.rng.u32(2..6) {
            let fits = |var: &Var| {
                let free = var.writable && !matches!(var.base(), "wk" | "wt");
                free && var.ty == Ty::Real && reaches(var, &shape)
            };
            let Some(var) = self.some_var(fits) else { break };
            let e = self.expr(&shape, 2);
            let e = self.limited(e);
            let again = !assigned.is_empty() && self.rng.u32(0..3) == 0;
            let lhs = match again {
                true => self.pick(&assigned).clone(),
                false => self.selected(&var, &shape),
            };
            let text = match assigned.is_empty() {
                true => e.text,
                false => {
                    let (one, other) = (self.pick(&assigned).clone(), self.pick(&assigned).clone());
                    format!("0.5d0*{one}*sin({}) + 0.4d0*{other}", e.text)
                }
            };
            assigned.push(lhs.clone());
            nodes.push(Self::line(format!("{lhs} = {text}")));
        }
        nodes
    }

    /// `lhs = rhs` of real numbers.
    fn assignment(&mut self) -> Node {
        let tys: &[Ty] = if self.mixed { &[Ty::Real, Ty::Single] } else { &[Ty::Real] };
        let (var, shape) = self.target(tys);
        let lhs = self.selected(&var, &shape);
        let depth = self.rng.u32(1..5);
        let e = self.expr(&shape, depth);
        let e = self.limited(e);
        // A variable that keeps some of its old value tests more.
        let text = if self.rng.u32(0..3) == 0 && var.ty == Ty::Real {
            format!("0.5d0*{lhs} + 0.5d0*({})", e.text)
        } else {
            e.text
        };
        if var.ty == Ty::Single {
            return Self::line(format!("{lhs} = real({text}, 4)"));
        }
        Self::line(format!("{lhs} = {text}"))
    }

    /// `e` within the limit of variables.
    fn limited(&mut self, e: E) -> E {
        if e.bound > LIMIT && self.rng.u32(0..4) == 0 {
            let factor = self.rng.u32(1..4);
            return E::atom(format!("{factor}d0*sin({})", e.text), 3.0).ranked(e.rank);
        }
        self.scaled(e, LIMIT)
    }

    fn integer_assignment(&mut self) -> Node {
        let found = self.some_var(|var| var.writable && var.ty == Ty::Int && var.shape.is_empty());
        let Some(var) = found else { return self.assignment() };
        let text = match self.rng.u32(0..3) {
            0 => {
                let e = self.expr(&[], 1);
                let e = self.scaled(e, 50.0);
                let name = *self.pick(&["int", "nint", "floor"]);
                format!("{name}({})", e.text)
            }
            _ => {
                let n = self.int(2);
                format!("mod({n}, {INT_LIMIT})")
            }
        };
        Self::line(format!("{} = {text}", var.name))
    }

    fn complex_assignment(&mut self) -> Node {
        let (var, shape) = self.target(&[Ty::Complex]);
        if var.ty != Ty::Complex {
            return self.assignment();
        }
        let lhs = self.selected(&var, &shape);
        let text = self.complex(&shape, 2);
        // Every part within the limit, whatever was computed.
        Self::line(format!("{lhs} = 0.7d0*({text})/(1d0 + 0.1d0*abs({text} + (1d2, 0d0)))"))
    }

    /// An allocatable that is allocated again.
    fn reallocation(&mut self) -> Node {
        let Some(var) = self.some_var(|var| var.name == "al" && var.writable) else {
            return self.assignment();
        };
        if self.rng.bool() {
            let outer = self.vars.clone();
            self.vars.retain(|other| other.name != var.name);
            let value = self.expr(&[], 2);
            let value = self.limited(value);
            self.vars = outer;
            let text = format!("deallocate (al); allocate (al(3, 4), source={} + 0d0)", value.text);
            return Self::line(text);
        }
        // Its extents change and come back.
        let row = self.exact(&[3], 1);
        let row = self.limited(row);
        let text = format!(
            "al = spread({}, 2, 2); s1 = 0.1d0*sum(al) + 0.2d0*s1; al = reshape(al, [3, 4], pad=[s1*0.05d0])",
            row.text
        );
        if self.some_var(|var| var.name == "s1" && var.writable).is_none() {
            return self.assignment();
        }
        Self::line(text)
    }

    fn pointer_assignment(&mut self) -> Node {
        if self.some_var(|var| var.name == "pt" && var.writable).is_none() {
            return self.assignment();
        }
        let target = match self.rng.u32(0..4) {
            0 => format!("tg(1:3, {})", self.index(1, 3)),
            1 => "tg(4:2:-1, 2)".to_string(),
            2 => format!("tg({}, :)", self.index(1, 4)),
            _ => "tg(2:4, 3)".to_string(),
        };
        Self::line(format!("pt => {target}"))
    }

    /// A section that overlaps the one that it is computed from.
    fn overlap(&mut self) -> Node {
        let found = self.some_var(|var| {
            var.writable && var.ty == Ty::Real && var.shape.len() == 1 && var.lower == 1
        });
        let Some(var) = found else { return self.assignment() };
        let (x, n) = (&var.name, var.shape[0]);
        let c = self.literal().text;
        let choices = [
            format!("{x}(2:{n}) = 0.4d0*{x}(1:{}) + 0.1d0*{c}", n - 1),
            format!("{x}(1:{}) = 0.5d0*{x}(2:{n})*sin({x}(1:{0}))", n - 1),
            format!("{x}(1:{n}) = {x}({n}:1:-1)*0.9d0"),
            format!("{x}([2, 1, 3]) = tanh({x}([3, 2, 1])) + 0.1d0*{c}"),
        ];
        Self::line(self.pick(&choices).clone())
    }

    /// Assignment of an object as a whole, or by a constructor.
    fn whole_object(&mut self) -> Node {
        if self.some_var(|var| var.name == "o%a" && var.writable).is_none() {
            return self.assignment();
        }
        let text = match self.rng.u32(0..6) {
            5 => self.pick(&["dy = dz", "dz = dy"]).to_string(),
            0 => "oo(1) = o".to_string(),
            1 => "o = oo(2)".to_string(),
            2 => "oo = o".to_string(),
            3 => {
                let (a, v) = (self.expr(&[], 2), self.exact(&[4], 1));
                let (a, v) = (self.limited(a), self.limited(v));
                format!("o = outer_t({}, 2, {}, (0.1d0, 0.2d0), oo(1)%i)", a.text, v.text)
            }
            _ => {
                let w = self.exact(&[3], 1);
                let w = self.limited(w);
                format!("o%i = inner_t(0.5d0*o%a, {})", w.text)
            }
        };
        Self::line(text)
    }

    fn construct(&mut self, depth: u32) -> Node {
        match self.rng.u32(0..17) {
            0..4 if self.loops < 3 && !self.restricted => self.do_loop(depth),
            4 if self.loops < 2 && !self.restricted => self.while_loop(depth),
            14 if self.loops < 2 && !self.restricted => self.endless_loop(depth),
            15 if !self.restricted => self.computed_goto(depth),
            16 if !self.restricted => self.arithmetic_if(depth),
            5 | 6 => self.if_construct(depth),
            7 => self.select(depth),
            8 => self.where_construct(),
            9 => self.forall(),
            10 => self.do_concurrent(),
            11 => self.block(depth),
            12 => self.associate(depth),
            _ if !self.restricted => match self.rng.u32(0..6) {
                0 if self.loops < 2 => self.two_entries(depth),
                1 => self.assigned_goto(depth),
                _ => self.jump(depth),
            },
            _ => self.if_construct(depth),
        }
    }

    /// Statements inside a loop.
    fn body(&mut self, index: Option<(String, i64, i64)>, depth: u32) -> Vec<Node> {
        let before = self.indices.len();
        let outer = std::mem::replace(&mut self.in_do, true);
        self.indices.extend(index);
        self.loops += 1;
        let count = self.rng.u32(1..4);
        let nodes = self.statements(count, depth);
        self.loops -= 1;
        self.in_do = outer;
        self.indices.truncate(before);
        nodes
    }

    fn do_loop(&mut self, depth: u32) -> Node {
        let var = format!("i{}", self.loops + 1);
        self.declare_index(&var);
        let (header, low, high) = match self.rng.u32(0..10) {
            // Sometimes it does not run at all.
            8 => (format!("{var} = 2 + modulo({}, 3), 3", self.int(1)), 2, 3),
            // Up or down.
            9 => {
                let n = self.int(1);
                let sign = format!("modulo({n}, 2)");
                let bounds = format!("1 + 3*{sign}, 4 - 3*{sign}, 1 - 2*{sign}");
                (format!("{var} = {bounds}"), 1, 4)
            }
            0 | 1 => (format!("{var} = 1, 3"), 1, 3),
            2 => (format!("{var} = 4, 1, -1"), 1, 4),
            3 => (format!("{var} = 1, 4, 2"), 1, 3),
            4 => (format!("{var} = 3, 1, -2"), 1, 3),
            // Whether it runs, and how often, depends on a variable.
            5 => (format!("{var} = {}, 4", self.index(1, 4)), 1, 4),
            6 => (format!("{var} = 1 + modulo({}, 3), 2 + seen", self.int(1)), 1, 3),
            _ => (format!("{var} = 1, 4, 1 + modulo({}, 3)", self.int(1)), 1, 4),
        };
        let mut head = format!("do {header}");
        let mut close = "end do".to_string();
        let around = self.around.len();
        match self.rng.u32(0..4) {
            0 => {
                let name = self.fresh("l");
                head = format!("{name}: {head}");
                close = format!("{close} {name}");
                self.around.push(Around::Name(name));
            }
            1 => {
                self.serial += 1;
                let label = 100 + self.serial * 10;
                close = format!("{close}\n{label} continue");
                self.around.push(Around::Label(label));
            }
            _ => {}
        }
        let body = self.body(Some((var, low, high)), depth);
        self.around.truncate(around);
        Node::Block { arms: vec![(head, body)], close }
    }

    /// A loop that is left in the middle.
    fn endless_loop(&mut self, depth: u32) -> Node {
        let var = self.fresh("w");
        self.declare_index(&var);
        let (condition, _) = self.condition(&[], 0);
        let rounds = self.rng.u32(1..4);
        let mut body = vec![Self::line(format!("{var} = {var} + 1"))];
        if self.rng.bool() {
            body.push(self.assignment());
        }
        body.push(Self::line(format!("if ({var} > {rounds} .or. ({condition})) exit")));
        body.extend(self.body(None, depth));
        Node::Block { arms: vec![(format!("{var} = 0\ndo"), body)], close: "end do".into() }
    }

    /// GOTO by a number; the second of its places is also reached from the first.
    fn computed_goto(&mut self, depth: u32) -> Node {
        self.serial += 3;
        let label = 100 + self.serial * 10;
        let (one, two, end) = (label, label + 1, label + 2);
        let n = self.int(1);
        let arms = vec![
            (format!("go to ({one}, {two}), modulo({n} + seen, 4)"), self.arm(depth)),
            (format!("go to {end}\n{one} continue"), self.arm(depth)),
            (format!("{two} continue"), self.arm(depth)),
        ];
        Node::Block { arms, close: format!("{end} continue") }
    }

    /// The sign of a number decides.
    fn arithmetic_if(&mut self, depth: u32) -> Node {
        self.serial += 3;
        let label = 100 + self.serial * 10;
        let (one, two, end) = (label, label + 1, label + 2);
        let e = self.expr(&[], 1);
        let arms = vec![
            (
                format!("if ({} - 0.1d0) {one}, {two}, {end}\n{one} continue", e.text),
                self.arm(depth),
            ),
            (format!("{two} continue"), self.arm(depth)),
        ];
        Node::Block { arms, close: format!("{end} continue") }
    }

    /// A loop of GOTO that is also entered in the middle.
    fn two_entries(&mut self, depth: u32) -> Node {
        self.serial += 2;
        let label = 100 + self.serial * 10;
        let (top, middle) = (label, label + 1);
        let var = self.fresh("w");
        self.declare_index(&var);
        let (enter, _) = self.condition(&[], 1);
        let (again, _) = self.condition(&[], 1);
        let outer = std::mem::replace(&mut self.in_do, false);
        self.loops += 1;
        let arms = vec![
            (format!("{var} = 0\nif ({enter}) go to {middle}\n{top} continue"), self.arm(depth)),
            (format!("{middle} {var} = {var} + 1"), self.arm(depth)),
        ];
        self.loops -= 1;
        self.in_do = outer;
        Node::Block { arms, close: format!("if ({var} < 3 .and. ({again})) go to {top}") }
    }

    /// GOTO to a label that a variable holds.
    fn assigned_goto(&mut self, depth: u32) -> Node {
        self.serial += 3;
        let label = 100 + self.serial * 10;
        let (one, two, end) = (label, label + 1, label + 2);
        let var = self.fresh("t");
        self.index_declaration(&var);
        let (condition, _) = self.condition(&[], 1);
        let opening = format!(
            "assign {one} to {var}\nif ({condition}) assign {two} to {var}\ngo to {var}, ({one}, {two})\n{one} continue"
        );
        let arms = vec![(opening, self.arm(depth)), (format!("{two} continue"), self.arm(depth))];
        Node::Block { arms, close: format!("{end} continue") }
    }

    fn declare_index(&mut self, name: &str) {
        if !self.vars.iter().any(|var| var.name == name) {
            // Behind the loop it is an integer like others.
            self.vars.push(Var {
                decl: format!("integer :: {name}"),
                init: vec![format!("{name} = 1")],
                writable: false,
                shared: true,
                ..plain(name, Ty::Int, &[])
            });
        }
    }

    fn while_loop(&mut self, depth: u32) -> Node {
        let var = self.fresh("w");
        self.declare_index(&var);
        let (condition, _) = self.condition(&[], 0);
        let rounds = self.rng.u32(1..4);
        let mut body = vec![Self::line(format!("{var} = {var} + 1"))];
        body.extend(self.body(None, depth));
        Node::Block {
            arms: vec![
                (format!("{var} = 0"), vec![]),
                (format!("do while ({var} < {rounds} .and. ({condition}))"), body),
            ],
            close: "end do".into(),
        }
    }

    fn arm(&mut self, depth: u32) -> Vec<Node> {
        let count = self.rng.u32(1..3);
        self.statements(count, depth)
    }

    fn if_construct(&mut self, depth: u32) -> Node {
        let (condition, _) = self.condition(&[], 1);
        let mut arms = vec![(format!("if ({condition}) then"), self.arm(depth))];
        if self.rng.bool() {
            let (condition, _) = self.condition(&[], 1);
            arms.push((format!("else if ({condition}) then"), self.arm(depth)));
        }
        if self.rng.bool() {
            arms.push(("else".into(), self.arm(depth)));
        }
        Node::Block { arms, close: "end if".into() }
    }

    fn select(&mut self, depth: u32) -> Node {
        let n = self.int(1);
        let mut arms = vec![(format!("select case (modulo({n} + seen, 6))"), Vec::new())];
        for case in ["case (0)", "case (1, 3)", "case (4:)"] {
            arms.push((case.to_string(), self.arm(depth)));
        }
        if self.rng.bool() {
            arms.push(("case default".into(), self.arm(depth)));
        }
        Node::Block { arms, close: "end select".into() }
    }

    fn where_construct(&mut self) -> Node {
        let found = self.some_var(|var| {
            var.writable
                && var.ty == Ty::Real
                && var.whole
                && !var.shape.is_empty()
                && !matches!(var.base(), "wk" | "wt")
        });
        let Some(var) = found else { return self.assignment() };
        let shape = var.shape.clone();
        let outer = std::mem::replace(&mut self.restricted, true);
        let assign = |generator: &mut Self, guarded: Option<E>| {
            let e = generator.expr(&shape, 2);
            let e = match guarded {
                Some(guarded) => generator.product(&guarded, &e),
                None => e,
            };
            let e = generator.limited(e);
            vec![Self::line(format!("{} = {}", var.name, e.text))]
        };
        let (mask, guarded) = self.mask(&shape);
        let first = assign(self, guarded);
        let mut arms = vec![(format!("where ({mask})"), first)];
        if self.rng.bool() {
            let (mask, guarded) = self.mask(&shape);
            let body = assign(self, guarded);
            arms.push((format!("elsewhere ({mask})"), body));
        }
        if self.rng.bool() {
            let body = assign(self, None);
            arms.push(("elsewhere".into(), body));
        }
        self.restricted = outer;
        Node::Block { arms, close: "end where".into() }
    }

    /// A mask, and perhaps what may be computed only where it holds.
    fn mask(&mut self, shape: &[i64]) -> (String, Option<E>) {
        let mask = self.whole_condition(shape);
        if !self.modular || self.rng.bool() {
            return (mask, None);
        }
        let arg = self.array_leaf(shape);
        let mask = match self.rng.bool() {
            true => format!("{} > 0.3d0", arg.text),
            false => format!("({mask}) .and. {} > 0.3d0", arg.text),
        };
        (mask, Some(E::atom(format!("gua({})", arg.text), 1.0).ranked(arg.rank)))
    }

    fn forall(&mut self) -> Node {
        let found = self.some_var(|var| {
            var.writable
                && var.ty == Ty::Real
                && matches!(var.shape.as_slice(), [3 | 4, 3 | 4])
                && !matches!(var.base(), "wk" | "wt")
        });
        let Some(var) = found else { return self.assignment() };
        let (a, b) = (self.fresh("q"), self.fresh("q"));
        let outer = std::mem::replace(&mut self.restricted, true);
        let before = self.indices.len();
        self.indices.push((a.clone(), 1, 3));
        self.indices.push((b.clone(), 1, 3));
        let e = self.expr(&[], 2);
        let e = self.limited(e);
        self.indices.truncate(before);
        self.restricted = outer;
        let mask = if self.rng.bool() { format!(", {a} /= {b}") } else { String::new() };
        let (x, y) = if self.rng.bool() { (&a, &b) } else { (&b, &a) };
        self.index_declaration(&a);
        self.index_declaration(&b);
        // All old values are read before a new one is written.
        Self::line(format!(
            "forall ({a} = 1:3, {b} = 1:3{mask}) {0}({x}, {y}) = 0.5d0*{0}({y}, {x}) + 0.5d0*({1})",
            var.name, e.text
        ))
    }

    fn index_declaration(&mut self, name: &str) {
        self.extra.push((vec![name.to_string()], format!("integer :: {name}")));
    }

    fn do_concurrent(&mut self) -> Node {
        let found = self.some_var(|var| {
            var.writable
                && var.ty == Ty::Real
                && var.shape == [4]
                && var.lower == 1
                && !matches!(var.base(), "ea" | "eb")
        });
        let Some(var) = found else { return self.assignment() };
        let name = self.fresh("q");
        let outer = std::mem::replace(&mut self.restricted, true);
        let before = self.indices.len();
        let hidden = self.vars.clone();
        // Nothing that another iteration writes may be read.
        self.vars.retain(|other| other.base() != var.base() && other.base() != "pt");
        self.indices.push((name.clone(), 1, 4));
        let e = self.expr(&[], 3);
        let e = self.limited(e);
        let (condition, _) = self.condition(&[], 0);
        self.vars = hidden;
        self.indices.truncate(before);
        self.restricted = outer;
        self.index_declaration(&name);
        let element = format!("{}({name})", var.name);
        Node::Block {
            arms: vec![(
                format!("do concurrent ({name} = 1:4)"),
                vec![
                    Self::line(format!("{element} = 0.5d0*{element} + 0.5d0*({})", e.text)),
                    Self::line(format!("if ({condition}) {element} = 0.3d0*sin({element})**2")),
                ],
            )],
            close: "end do".into(),
        }
    }

    fn block(&mut self, depth: u32) -> Node {
        let (a, b) = (self.fresh("b"), self.fresh("b"));
        let before = self.vars.len();
        let value = self.expr(&[], 1);
        let value = self.limited(value);
        self.vars.push(plain(&a, Ty::Real, &[]));
        self.vars.push(plain(&b, Ty::Real, &[4]));
        let body = self.arm(depth);
        self.vars.retain(|var| var.name != a && var.name != b);
        debug_assert!(self.vars.len() >= before);
        let back = match self.some_var(|var| var.name == "s1" && var.writable) {
            Some(_) => format!("\n  s1 = 0.5d0*s1 + 0.1d0*{a} + 0.02d0*sum({b})"),
            None => String::new(),
        };
        let opening = format!(
            "block\n  real(8) :: {a}, {b}(4)\n  {a} = {}\n  {b} = 0.5d0*{a}{back}",
            value.text
        );
        Node::Block { arms: vec![(opening, body)], close: "end block".into() }
    }

    fn associate(&mut self, depth: u32) -> Node {
        let name = self.fresh("n");
        let found = self.some_var(|var| {
            var.writable
                && var.ty == Ty::Real
                && var.shape.len() == 2
                && !var.shared
                && !matches!(var.base(), "wk" | "wt" | "al")
        });
        let Some(var) = found else { return self.if_construct(depth) };
        let selector = self.selected(&var, &[3]);
        let outer = self.vars.clone();
        // Its selector is reached by one name only.
        self.vars.retain(|other| other.base() != var.base());
        self.vars.push(Var { shared: true, ..plain(&name, Ty::Real, &[3]) });
        let body = self.arm(depth);
        let added: Vec<Var> = self
            .vars
            .iter()
            .filter(|var| var.name != name && !outer.iter().any(|o| o.name == var.name))
            .cloned()
            .collect();
        self.vars = outer;
        self.vars.extend(added);
        let last = format!("{name}(2) = 0.9d0*{name}(2)");
        let mut nodes = vec![Self::line(last)];
        nodes.extend(body);
        Node::Block {
            arms: vec![(format!("associate ({name} => {selector})"), nodes)],
            close: "end associate".into(),
        }
    }

    /// GOTO forward over statements, or back with a counter.
    fn jump(&mut self, depth: u32) -> Node {
        self.serial += 1;
        let label = 100 + self.serial * 10;
        let (condition, _) = self.condition(&[], 1);
        if self.rng.bool() || self.loops > 1 {
            let body = self.arm(depth);
            return Node::Block {
                arms: vec![(format!("if ({condition}) go to {label}"), body)],
                close: format!("{label} continue"),
            };
        }
        let var = self.fresh("w");
        self.declare_index(&var);
        let outer = std::mem::replace(&mut self.in_do, false);
        self.loops += 1;
        let body = self.arm(depth);
        self.loops -= 1;
        self.in_do = outer;
        Node::Block {
            arms: vec![(format!("{var} = 0\n{label} {var} = {var} + 1"), body)],
            close: format!("if ({var} < 3 .and. ({condition})) go to {label}"),
        }
    }

    /// A reference to a function that has this shape.
    pub(crate) fn function_reference(&mut self, shape: &[i64]) -> Option<E> {
        let restricted = self.restricted;
        let found: Vec<Signature> = self
            .signatures
            .iter()
            .filter(|s| s.function && (s.elemental || (!restricted && shape.is_empty())))
            .cloned()
            .collect();
        if found.is_empty() || self.loops > 2 || self.depth > 1 {
            return None;
        }
        let signature = self.pick(&found).clone();
        self.depth += 1;
        let mut rank = 0;
        let mut args = Vec::new();
        for param in &signature.params {
            if signature.elemental {
                let e = self.expr(shape, 1);
                let e = self.scaled(e, LIMIT);
                rank = rank.max(e.rank);
                args.push(e.text);
            } else if !param.optional || self.rng.bool() {
                args.push(self.value_argument(param.ty, &param.shape, param.optional, &param.name));
            }
        }
        self.depth -= 1;
        self.declare_function(&signature);
        let bound = if signature.elemental { 8.0 } else { LIMIT };
        Some(E::atom(format!("{}({})", signature.name, args.join(", ")), bound).ranked(rank))
    }

    fn declare_function(&mut self, signature: &Signature) {
        if !signature.explicit && signature.function {
            let line = format!("real(8), external :: {}", signature.name);
            let entry = (vec![signature.name.clone()], line);
            if !self.extra.contains(&entry) {
                self.extra.push(entry);
            }
        }
    }

    /// An argument that is only read.
    fn value_argument(&mut self, ty: Ty, shape: &[i64], keyword: bool, name: &str) -> String {
        let text = match ty {
            Ty::Int => format!("mod({}, 50)", self.int(1)),
            Ty::Logical => ".true.".to_string(),
            Ty::Complex => format!("0.05d0*({})", self.complex(shape, 1)),
            Ty::Single => {
                let e = self.exact(shape, 1);
                let e = self.scaled(e, LIMIT);
                format!("real({}, 4)", e.text)
            }
            Ty::Real => {
                // A variable is passed by reference where nobody else can change it.
                let free = |var: &Var| {
                    var.ty == Ty::Real && !var.shared && var.writable && reaches(var, shape)
                };
                match self.some_var(free) {
                    Some(var) if self.in_function && self.rng.bool() => self.selected(&var, shape),
                    _ => {
                        let e = self.exact(shape, 1);
                        let e = self.scaled(e, LIMIT);
                        format!("({})", e.text)
                    }
                }
            }
        };
        if keyword { format!("{name}={text}") } else { text }
    }

    /// CALL.
    fn call(&mut self) -> Option<Node> {
        if self.loops > 1 {
            return None;
        }
        let found: Vec<Signature> =
            self.signatures.iter().filter(|s| !s.function).cloned().collect();
        if found.is_empty() || self.in_function {
            return None;
        }
        let signature = self.pick(&found).clone();
        let mut args = Vec::new();
        if signature.takes_procedure {
            let functions: Vec<Signature> =
                self.signatures.iter().filter(|s| passable(s)).cloned().collect();
            if functions.is_empty() {
                return None;
            }
            let function = self.pick(&functions).clone();
            self.declare_function(&function);
            args.push(function.name);
        }
        let mut taken: Vec<String> = Vec::new();
        let mut defined = Vec::new();
        for param in &signature.params {
            defined.push(match param.defined {
                true => Some(self.defined_argument(param, &mut taken)?),
                false => None,
            });
        }
        for (param, defined) in signature.params.iter().zip(defined) {
            if param.optional && self.rng.bool() {
                continue;
            }
            let text = match defined {
                Some(text) => text,
                None => match self.read_argument(param, &taken) {
                    Some(text) if self.rng.bool() => text,
                    _ => self.value_argument(param.ty, &param.shape, false, &param.name),
                },
            };
            let keyword = if param.optional { format!("{}=", param.name) } else { String::new() };
            args.push(format!("{keyword}{text}"));
        }
        Some(Self::line(format!("call {}({})", signature.name, args.join(", "))))
    }

    /// A variable that is only read: it may be an argument twice, but nothing that is defined.
    fn read_argument(&mut self, param: &Param, taken: &[String]) -> Option<String> {
        let shape = &param.shape;
        let var = self.some_var(|var| {
            !var.shared
                && var.ty == param.ty
                && !taken.iter().any(|name| name == var.base())
                && reaches(var, shape)
        })?;
        Some(self.selected(&var, shape))
    }

    /// A variable that the callee may define: nothing else of the call is the same storage.
    fn defined_argument(&mut self, param: &Param, taken: &mut Vec<String>) -> Option<String> {
        let storage = !param.assumed && !param.shape.is_empty();
        let shape = &param.shape;
        let var = self.some_var(|var| {
            var.writable
                && !var.shared
                && var.ty == param.ty
                && !matches!(var.base(), "wk" | "wt")
                && !taken.iter().any(|name| name == var.base())
                && reaches(var, shape)
        })?;
        taken.push(var.base().to_string());
        // The beginning of a sequence of elements: a column, or the end of a vector.
        if storage && self.rng.bool() {
            let name = &var.name;
            match (var.shape.as_slice(), shape.as_slice()) {
                (&[n], &[k]) if n > k => return Some(format!("{name}({})", var.lower + 1)),
                (&[n, _], &[k]) if n >= k => {
                    return Some(format!("{name}(1, {})", self.index(1, 2)));
                }
                (&[_, _], &[_]) => return Some(format!("{name}(1, 1)")),
                _ => {}
            }
        }
        Some(self.selected(&var, shape))
    }
}
