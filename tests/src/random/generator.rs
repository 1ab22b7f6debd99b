//! The state of the generator, and the procedures that it makes.
//!
//! What the programs are about stands in `expr.rs` and `statement.rs`; here are the declarations:
//! dummy arguments of every kind, locals, module variables, COMMON, EQUIVALENCE, SAVE, components,
//! allocatables, pointers.

use super::expr::LIMIT;
use super::library::utilities;
use super::program::{HEAD, MODULE, Node, Program, Ty, Unit, Var};

/// A procedure that others may call.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    /// Whether it is a function of type `real(8)`.
    pub(crate) function: bool,
    pub(crate) elemental: bool,
    /// Whether callers know its interface.
    pub(crate) explicit: bool,
    /// Whether the first argument is a procedure.
    pub(crate) takes_procedure: bool,
}

/// A dummy argument.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) shape: Vec<i64>,
    pub(crate) defined: bool,
    pub(crate) optional: bool,
    /// Whether the shape comes with the argument (else the storage does).
    pub(crate) assumed: bool,
}

/// What is known while a program is made.
pub(crate) struct Generator {
    pub(crate) rng: fastrand::Rng,
    pub(crate) mixed: bool,
    pub(crate) modular: bool,
    /// Whether elementwise assignments to arrays of one shape stand in a row.
    pub(crate) rows: bool,
    /// Whether the structures have a procedure of their own.
    pub(crate) bound: bool,
    /// Variables that the unit that is made sees.
    pub(crate) vars: Vec<Var>,
    /// Index variables of the loops around, with the smallest and largest value.
    pub(crate) indices: Vec<(String, i64, i64)>,
    pub(crate) signatures: Vec<Signature>,
    /// Whether only elemental procedures may be called: FORALL, DO CONCURRENT.
    pub(crate) restricted: bool,
    /// Whether the unit is a function.
    pub(crate) in_function: bool,
    /// Numbers of what needs a number.
    pub(crate) serial: u32,
    /// The nesting of loops.
    pub(crate) loops: u32,
    /// Whether EXIT and CYCLE belong to a DO loop here.
    pub(crate) in_do: bool,
    /// Further declarations of the unit.
    pub(crate) extra: Vec<(Vec<String>, String)>,
    /// Whether RETURN may stand here.
    pub(crate) may_return: bool,
    /// How deep calls of functions are nested in each other.
    pub(crate) depth: u32,
    /// Statements that one list has.
    pub(crate) size: u32,
    /// Loops around that have a name, and labels behind loops around: where control may go.
    pub(crate) around: Vec<Around>,
}

/// What EXIT, CYCLE or GOTO may name inside a loop.
#[derive(Clone, Debug)]
pub(crate) enum Around {
    /// The name of the loop.
    Name(String),
    /// A label behind the loop.
    Label(u32),
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let mut rng = fastrand::Rng::with_seed(seed);
    let modular = rng.u32(0..3) > 0;
    let mixed = rng.u32(0..6) == 0;
    let mut generator = Generator {
        rng,
        mixed,
        modular,
        rows: seed % 4 == 2,
        bound: modular && seed % 3 == 1,
        vars: Vec::new(),
        indices: Vec::new(),
        signatures: Vec::new(),
        restricted: false,
        in_function: false,
        serial: 0,
        loops: 0,
        in_do: false,
        extra: Vec::new(),
        may_return: false,
        depth: 0,
        size,
        around: Vec::new(),
    };
    let mut units = utilities(modular, generator.bound);
    if generator.rng.bool() {
        units.push(generator.elemental());
    }
    for number in 0..generator.rng.u32(0..4) {
        let unit = generator.procedure(number);
        units.push(unit);
    }
    if generator.rng.u32(0..3) == 0 {
        units.push(generator.recursive());
    }
    if generator.rng.u32(0..3) == 0 && generator.signatures.iter().any(passable) {
        units.push(generator.applier());
    }
    let (unit, args) = generator.head();
    units.push(unit);
    Program {
        seed,
        modular,
        module: generator.module_text(),
        units,
        args,
        mixed,
        may_be_refused: false,
        calls: 1,
    }
}

/// Whether a procedure can be passed to one that calls `f(x)`.
pub(crate) fn passable(signature: &Signature) -> bool {
    signature.function
        && !signature.elemental
        && matches!(signature.params.as_slice(), [only]
            if only.ty == Ty::Real && only.shape.is_empty() && !only.optional)
}

impl Generator {
    /// One of `choices`.
    pub(crate) fn pick<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.rng.usize(0..choices.len())]
    }

    pub(crate) fn fresh(&mut self, stem: &str) -> String {
        self.serial += 1;
        format!("{stem}{}", self.serial)
    }

    /// A variable that `wanted` accepts.
    pub(crate) fn some_var(&mut self, wanted: impl Fn(&Var) -> bool) -> Option<Var> {
        let found: Vec<&Var> = self.vars.iter().filter(|var| wanted(var)).collect();
        if found.is_empty() {
            return None;
        }
        let at = self.rng.usize(0..found.len());
        found.get(at).map(|&var| var.clone())
    }

    fn module_text(&self) -> Vec<String> {
        let mut lines: Vec<String> = vec![
            "type :: inner_t".into(),
            "  real(8) :: r = 0.7d0".into(),
            "  real(8) :: w(3) = 0.2d0".into(),
            "end type inner_t".into(),
            "type :: outer_t".into(),
            "  real(8) :: a = 0.4d0".into(),
            "  integer :: k = 2".into(),
            "  real(8) :: v(4) = -0.3d0".into(),
            "  complex(8) :: c = (0.2d0, 0.1d0)".into(),
            "  type(inner_t) :: i".into(),
        ];
        if self.bound {
            lines.extend(["contains".into(), "  procedure :: tdo".into()]);
        }
        lines.extend(
            [
                "end type outer_t",
                "type :: grown_t",
                "  real(8), allocatable :: d(:)",
                "end type grown_t",
            ]
            .map(String::from),
        );
        lines.extend(
            ["real(8) :: mg = 0.9d0", "real(8) :: mv(4) = 1.1d0", "integer :: mk = 3"]
                .map(String::from),
        );
        lines.push("type(outer_t) :: mo, ma(3)".into());
        lines
    }

    /// Variables that all procedures see.
    fn globals(&mut self) -> (Vec<Var>, Vec<String>) {
        let mut spec = Vec::new();
        let mut vars = Vec::new();
        let shared = |name: &str, ty, shape: &[i64], decl: &str| Var {
            shared: true,
            decl: decl.to_string(),
            ..plain(name, ty, shape)
        };
        let types = self.modular || self.rng.bool();
        if types {
            if !self.modular {
                spec.push(format!("use {MODULE}"));
            }
            vars.push(shared("mg", Ty::Real, &[], ""));
            vars.push(shared("mv", Ty::Real, &[4], ""));
            vars.push(shared("mk", Ty::Int, &[], ""));
            vars.push(shared("mo%v", Ty::Real, &[4], ""));
            vars.push(shared("mo%i%r", Ty::Real, &[], ""));
            vars.push(shared("mo%i%w", Ty::Real, &[3], ""));
            vars.push(shared("ma(2)%a", Ty::Real, &[], ""));
            vars.push(shared("ma(1)%v", Ty::Real, &[4], ""));
            vars.push(shared("ma(3)%i%w", Ty::Real, &[3], ""));
        }
        if !self.modular {
            // One line for all members, so that every unit declares the block alike.
            let decl = "real(8) :: cs, cv, cm\n  common /blk/ cs, cv(4), cm(3, 4)";
            vars.push(shared("cs", Ty::Real, &[], decl));
            vars.push(shared("cv", Ty::Real, &[4], decl));
            vars.push(shared("cm", Ty::Real, &[3, 4], decl));
        }
        (vars, spec)
    }

    /// The local variables of a unit.
    fn locals(&mut self, types: bool) -> Vec<Var> {
        let mut vars = Vec::new();
        let start = |generator: &mut Self| generator.literal().text;
        for (name, shape) in [
            ("wk", &[4, 4][..]),
            ("wt", &[4, 4, 4]),
            ("s1", &[]),
            ("s2", &[]),
            ("s3", &[]),
            ("v3", &[3]),
            ("v4", &[4]),
            ("u4", &[4]),
            ("m34", &[3, 4]),
            ("m43", &[4, 3]),
        ] {
            let value = start(self);
            let mut var = local(name, Ty::Real, shape, &value);
            if name == "u4" {
                var.lower = -1;
                var.decl = "real(8) :: u4(-1:2)".into();
            }
            vars.push(var);
        }
        for name in ["k1", "k2"] {
            let value = self.rng.i64(1..9).to_string();
            vars.push(local(name, Ty::Int, &[], &value));
        }
        vars.push(Var { writable: false, ..local("seen", Ty::Int, &[], "1") });
        // Indices of vectors: they are assigned by statements of their own.
        vars.push(Var {
            decl: "integer :: ix(4)".into(),
            init: vec!["ix = [2, 4, 1, 2]".into()],
            writable: false,
            shared: true,
            ..plain("ix", Ty::Int, &[4])
        });
        vars.push(Var {
            decl: "logical :: lg".into(),
            init: vec!["lg = .true.".into()],
            ..plain("lg", Ty::Logical, &[])
        });
        vars.push(Var {
            decl: "real(8), parameter :: pc(4) = [0.5d0, -0.75d0, 1.25d0, 0.3d0]".into(),
            writable: false,
            shared: true,
            ..plain("pc", Ty::Real, &[4])
        });
        vars.push(Var {
            decl: "real(8), allocatable :: av(:)".into(),
            init: vec!["allocate (av(3))".into(), "av = 0.7d0".into()],
            ..plain("av", Ty::Real, &[3])
        });
        vars.push(Var {
            decl: "real(8), allocatable :: aw(:)".into(),
            init: vec!["allocate (aw(3))".into(), "aw = 0.35d0".into()],
            ..plain("aw", Ty::Real, &[3])
        });
        vars.push(local("z1", Ty::Complex, &[], "(0.5d0, -0.25d0)"));
        vars.push(local("z3", Ty::Complex, &[3], "(0.5d0, 0.75d0)"));
        if self.mixed {
            vars.push(local("f1", Ty::Single, &[], "0.5"));
            vars.push(local("f4", Ty::Single, &[4], "0.25"));
        }
        // EQUIVALENCE: ea(3:4) and eb(1:2) are the same storage.
        let decl = "real(8) :: ea(4), eb(4)\n  equivalence (ea(3), eb(1))";
        for name in ["ea", "eb"] {
            vars.push(Var {
                decl: decl.into(),
                init: vec!["ea = 0.3d0".into(), "eb = 0.6d0".into()],
                shared: true,
                ..plain(name, Ty::Real, &[4])
            });
        }
        // SAVE: the value of the last call.
        vars.push(Var {
            decl: "real(8), save :: sv(3) = 0.2d0".into(),
            shared: self.in_function,
            writable: !self.in_function,
            ..plain("sv", Ty::Real, &[3])
        });
        vars.push(Var {
            decl: "real(8), allocatable :: al(:, :)".into(),
            init: vec!["allocate (al(3, 4))".into(), "al = 0.4d0".into()],
            ..plain("al", Ty::Real, &[3, 4])
        });
        // What a pointer points to is not passed to what may define it.
        vars.push(Var {
            decl: "real(8), target :: tg(4, 3)".into(),
            init: vec!["tg = 0.8d0".into()],
            shared: true,
            ..plain("tg", Ty::Real, &[4, 3])
        });
        vars.push(Var {
            decl: "real(8), pointer :: pt(:)".into(),
            init: vec!["pt => tg(2:4, 1)".into()],
            shared: true,
            ..plain("pt", Ty::Real, &[3])
        });
        if types {
            for name in ["dy", "dz"] {
                vars.push(Var {
                    decl: format!("type(grown_t) :: {name}"),
                    init: vec![format!("allocate ({name}%d(3))"), format!("{name}%d = 0.45d0")],
                    ..plain(&format!("{name}%d"), Ty::Real, &[3])
                });
            }
            for (part, ty, shape) in [
                ("a", Ty::Real, &[][..]),
                ("k", Ty::Int, &[]),
                ("v", Ty::Real, &[4]),
                ("c", Ty::Complex, &[]),
                ("i%r", Ty::Real, &[]),
                ("i%w", Ty::Real, &[3]),
            ] {
                vars.push(Var {
                    decl: "type(outer_t) :: o".into(),
                    ..plain(&format!("o%{part}"), ty, shape)
                });
                vars.push(Var {
                    decl: "type(outer_t) :: oo(2)".into(),
                    ..plain(&format!("oo(2)%{part}"), ty, shape)
                });
            }
        }
        vars
    }

    /// Arrays whose extent depends on an argument.
    fn automatic(params: &[Param]) -> Vec<Var> {
        let count = params.iter().find(|param| param.ty == Ty::Int && !param.optional);
        let Some(count) = count else { return Vec::new() };
        let extent = format!("3 + modulo({}, 3)", count.name);
        vec![Var {
            decl: format!("real(8) :: au({extent})"),
            init: vec!["au = 0.35d0".into()],
            // Nobody knows how long it is.
            whole: false,
            ..plain("au", Ty::Real, &[3])
        }]
    }

    /// A dummy argument and its declaration.
    fn parameter(&mut self, name: &str, explicit: bool, function: bool) -> (Param, String) {
        let shapes: &[&[i64]] =
            if function { &[&[], &[], &[3]] } else { &[&[], &[], &[3], &[4], &[3, 4], &[2, 3]] };
        let shape = self.pick(shapes).to_vec();
        let ty = match self.rng.u32(0..10) {
            0 if shape.is_empty() => Ty::Int,
            1 if self.mixed => Ty::Single,
            2 if !function && shape.is_empty() => Ty::Complex,
            _ => Ty::Real,
        };
        let defined = !function && self.rng.u32(0..3) > 0;
        let optional = explicit && shape.is_empty() && self.rng.u32(0..5) == 0;
        let assumed = explicit && !shape.is_empty() && self.rng.bool();
        let param = Param { name: name.to_string(), ty, shape, defined, optional, assumed };
        let decl = self.declare(&param);
        (param, decl)
    }

    fn declare(&mut self, param: &Param) -> String {
        let intent = if param.defined { "inout" } else { "in" };
        let optional = if param.optional { ", optional" } else { "" };
        let dims: Vec<String> = match (param.assumed, param.shape.as_slice()) {
            (true, shape) => shape.iter().map(|_| ":".to_string()).collect(),
            // An assumed-size array has no shape.
            (false, [_]) if self.rng.u32(0..3) == 0 => vec!["*".to_string()],
            (false, shape) => shape.iter().map(i64::to_string).collect(),
        };
        let dims = if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
        format!("{}, intent({intent}){optional} :: {}{dims}", param.ty.spec(), param.name)
    }

    /// The dummy argument as a variable.
    fn as_var(param: &Param, decl: &str) -> Var {
        Var {
            writable: param.defined,
            // What it is associated with may be read only.
            shared: !param.defined,
            whole: !decl.ends_with("(*)"),
            sequence: !param.assumed,
            ..plain(&param.name, param.ty, &param.shape)
        }
    }

    /// A subroutine or function.
    fn procedure(&mut self, number: u32) -> Unit {
        let function = self.rng.u32(0..3) == 0;
        let name = format!("{}{}", if function { "fun" } else { "sub" }, number + 1);
        let explicit = self.modular;
        let mut params = Vec::new();
        let mut decls = Vec::new();
        let count = if function { self.rng.u32(1..3) } else { self.rng.u32(1..5) };
        for letter in ["a", "b", "c", "d"].iter().take(count as usize) {
            let (param, decl) = self.parameter(&format!("{letter}x"), explicit, function);
            params.push(param);
            decls.push(decl);
        }
        // Optional ones last.
        let mut order: Vec<usize> = (0..params.len()).collect();
        order.sort_by_key(|&index| params[index].optional);
        let params: Vec<Param> = order.iter().map(|&index| params[index].clone()).collect();
        let decls: Vec<String> = order.iter().map(|&index| decls[index].clone()).collect();
        let unit = self.unit(&name, &params, &decls, function, false);
        self.signatures.push(Signature {
            name,
            params,
            function,
            elemental: false,
            explicit,
            takes_procedure: false,
        });
        unit
    }

    /// The unit with these dummy arguments, and a random body.
    fn unit(
        &mut self,
        name: &str,
        params: &[Param],
        decls: &[String],
        function: bool,
        head: bool,
    ) -> Unit {
        self.indices.clear();
        self.extra.clear();
        self.around.clear();
        self.loops = 0;
        self.in_do = false;
        self.in_function = function;
        let (globals, mut spec) = self.globals();
        let types = self.modular || !spec.is_empty();
        if !self.modular {
            spec.push("implicit none".into());
        }
        let mut vars = globals;
        if function {
            // A function defines nothing but its result and its locals.
            vars.iter_mut().for_each(|var| var.writable = false);
        }
        vars.extend(self.locals(types));
        vars.extend(Self::automatic(params));
        let mut first = Vec::new();
        let mut optional = Vec::new();
        for (param, decl) in params.iter().zip(decls) {
            let var = Self::as_var(param, decl);
            if param.optional {
                optional.extend(Self::optional_use(param).into_iter().map(Node::Line));
            } else {
                vars.push(var);
            }
            spec.push(decl.clone());
        }
        if head && !self.modular {
            first.extend(["cs = 0.6d0", "cv = 1.2d0", "cm = 0.1d0"].map(String::from));
            vars.iter_mut().filter(|var| var.base() == "cs").for_each(|var| {
                // The block must be declared for the first statements.
                var.init = vec!["cs = cs + 0d0".into()];
            });
        }
        if function {
            spec.push("real(8) :: r".into());
            first.push("r = 0.1d0".into());
            vars.push(plain("r", Ty::Real, &[]));
        }
        // Some locals begin with values of arguments.
        let real =
            |param: &&Param| param.ty == Ty::Real && !param.optional && param.shape.len() <= 1;
        for param in params.iter().filter(real) {
            for var in vars.iter_mut().filter(|var| !var.init.is_empty() && var.ty == Ty::Real) {
                let fits = param.shape.is_empty() || param.shape == var.shape;
                if fits
                    && var.decl.matches("::").count() == 1
                    && self.rng.u32(0..3) == 0
                    && matches!(var.base(), "wk" | "wt" | "s1" | "s2" | "v3" | "v4" | "m34" | "m43")
                {
                    let part = match param.shape.as_slice() {
                        [] => param.name.clone(),
                        [n] => format!("{}(1:{n})", param.name),
                        _ => continue,
                    };
                    var.init = vec![format!("{} = 0.5d0*{part} + 0.3d0", var.name)];
                }
            }
        }
        let mut inner = Vec::new();
        let outer = self.signatures.len();
        self.vars = vars;
        if !function && self.rng.u32(0..4) == 0 {
            inner.push(self.internal(name));
        }
        self.may_return = true;
        let size = self.size;
        let mut body = optional;
        body.extend(self.statements(size, 3));
        self.signatures.truncate(outer);
        body.extend(self.last_words(params, function));
        let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        let (word, result) = if function { ("function", " result(r)") } else { ("subroutine", "") };
        let own = |var: &&Var| !params.iter().any(|p| p.name == var.base()) && var.name != "r";
        Unit {
            name: name.to_string(),
            open: format!("{word} {name}({}){result}", names.join(", ")),
            spec,
            vars: self.vars.iter().filter(own).cloned().collect(),
            extra: std::mem::take(&mut self.extra),
            first,
            body,
            inner,
            close: format!("end {word} {name}"),
        }
    }

    /// What the locals hold in the end matters, too.
    fn last_words(&mut self, params: &[Param], function: bool) -> Option<Node> {
        let mut terms = Vec::new();
        for var in self.vars.clone() {
            let local = !params.iter().any(|param| param.name == var.base()) && var.name != "r";
            let read = matches!(var.base(), "wk" | "wt" | "seen" | "pt");
            if local && !read && var.ty == Ty::Real && self.rng.u32(0..3) == 0 {
                terms.push(if var.shape.is_empty() {
                    var.name.clone()
                } else {
                    format!("sum({})", var.name)
                });
            }
        }
        let target = if function {
            "r".to_string()
        } else {
            let real = |param: &&Param| param.defined && param.ty == Ty::Real && !param.optional;
            let param = params.iter().find(real)?;
            let ones: Vec<&str> = param.shape.iter().map(|_| "1").collect();
            match ones.is_empty() {
                true => param.name.clone(),
                false => format!("{}({})", param.name, ones.join(", ")),
            }
        };
        if terms.is_empty() {
            return None;
        }
        Some(Node::Line(format!("{target} = 0.5d0*{target} + 5d-3*({})", terms.join(" + "))))
    }

    /// What is done with an optional argument.
    fn optional_use(param: &Param) -> Vec<String> {
        let name = &param.name;
        match (param.defined, param.ty) {
            (true, Ty::Real) => vec![
                format!("if (present({name})) {name} = 0.9d0*sin({name})"),
                format!("if (present({name})) s1 = s1*{name}*0.1d0"),
            ],
            (false, Ty::Real) => vec![format!("if (present({name})) s1 = 0.2d0*{name}")],
            (_, Ty::Int) => vec![format!("if (present({name})) k1 = mod({name}, 5)")],
            (_, Ty::Single | Ty::Complex | Ty::Logical) => {
                vec![format!("if (present({name})) s1 = 0.1d0*real({name}, 8)")]
            }
        }
    }

    /// An internal subroutine that works on variables of its host.
    fn internal(&mut self, host: &str) -> Unit {
        let name = format!("{host}_in");
        // What it may touch is not passed to it.
        for var in &mut self.vars {
            if matches!(var.base(), "s3" | "v3" | "m43") {
                var.shared = true;
            }
        }
        let param = Param {
            name: "q".into(),
            ty: Ty::Real,
            shape: Vec::new(),
            defined: true,
            optional: false,
            assumed: false,
        };
        let outer = self.vars.clone();
        self.vars.retain(|var| matches!(var.base(), "s3" | "v3" | "m43" | "seen" | "wk" | "wt"));
        for var in &mut self.vars {
            var.writable &= !matches!(var.base(), "wk" | "wt");
        }
        self.vars.push(plain("q", Ty::Real, &[]));
        let around = std::mem::take(&mut self.around);
        let known = std::mem::take(&mut self.signatures);
        self.may_return = true;
        let body = self.statements(2, 1);
        self.signatures = known;
        self.around = around;
        let own = |var: &&Var| var.name != "q" && !outer.iter().any(|o| o.name == var.name);
        let vars = self.vars.iter().filter(own).cloned().collect();
        self.vars = outer;
        let unit = Unit {
            name: name.clone(),
            open: format!("subroutine {name}(q)"),
            spec: vec!["real(8), intent(inout) :: q".into()],
            vars,
            extra: std::mem::take(&mut self.extra),
            first: Vec::new(),
            body,
            inner: Vec::new(),
            close: format!("end subroutine {name}"),
        };
        self.signatures.push(Signature {
            name,
            params: vec![param],
            function: false,
            elemental: false,
            explicit: true,
            takes_procedure: false,
        });
        unit
    }

    /// An elemental function.
    fn elemental(&mut self) -> Unit {
        let explicit = self.modular;
        let params: Vec<Param> = ["ax", "bx"]
            .iter()
            .map(|name| Param {
                name: (*name).to_string(),
                ty: Ty::Real,
                shape: Vec::new(),
                defined: false,
                optional: false,
                assumed: false,
            })
            .collect();
        self.vars = vec![
            Var { writable: false, ..plain("ax", Ty::Real, &[]) },
            Var { writable: false, ..plain("bx", Ty::Real, &[]) },
        ];
        self.restricted = true;
        self.in_function = true;
        let body = self.scalar_only(2);
        self.restricted = false;
        if explicit {
            self.signatures.push(Signature {
                name: "el".into(),
                params,
                function: true,
                elemental: true,
                explicit,
                takes_procedure: false,
            });
        }
        Unit {
            name: "el".into(),
            open: "elemental function el(ax, bx) result(r)".into(),
            spec: vec!["real(8), intent(in) :: ax, bx".into(), "real(8) :: r".into()],
            vars: Vec::new(),
            extra: Vec::new(),
            first: Vec::new(),
            body,
            inner: Vec::new(),
            close: "end function el".into(),
        }
    }

    /// The body of an elemental function.
    fn scalar_only(&mut self, count: u32) -> Vec<Node> {
        let factor = self.literal().text;
        let mut body = vec![Node::Line(format!("r = {factor}*sin(ax) + 0.5d0*bx"))];
        for _ in 0..count {
            let kind = *self.pick(&["tanh", "cos", "atan"]);
            body.push(Node::Block {
                arms: vec![(
                    format!("if (ax > {}*bx) then", self.literal().text),
                    vec![Node::Line(format!("r = {kind}(r*ax)"))],
                )],
                close: "end if".into(),
            });
        }
        body
    }

    /// A procedure that calls itself.
    fn recursive(&mut self) -> Unit {
        let param = |name: &str, ty, shape: &[i64]| Param {
            name: name.into(),
            ty,
            shape: shape.to_vec(),
            defined: ty != Ty::Int,
            optional: false,
            assumed: false,
        };
        let params =
            vec![param("n", Ty::Int, &[]), param("ax", Ty::Real, &[]), param("bx", Ty::Real, &[3])];
        let (a, b) = (self.literal().text, self.literal().text);
        let line = |text: &str| Node::Line(text.to_string());
        let mut body = vec![
            line("if (n <= 0) return"),
            Node::Line(format!("bx(2) = {a}*sin(ax) + 0.2d0*bx(1)")),
            line("call rec(mod(n, 4) - 1, bx(3), bx)"),
            Node::Line(format!("ax = 0.5d0*ax + {b}*cos(bx(2))")),
        ];
        if self.rng.bool() {
            body.swap(1, 3);
        }
        // bx(3) and bx must not be the same argument of one call.
        body[2] = line("call rec(mod(n, 4) - 1, ax, bx)");
        self.signatures.push(Signature {
            name: "rec".into(),
            params,
            function: false,
            elemental: false,
            explicit: self.modular,
            takes_procedure: false,
        });
        Unit {
            name: "rec".into(),
            open: "recursive subroutine rec(n, ax, bx)".into(),
            spec: vec![
                "integer, intent(in) :: n".into(),
                "real(8), intent(inout) :: ax, bx(3)".into(),
            ],
            vars: Vec::new(),
            extra: Vec::new(),
            first: Vec::new(),
            body,
            inner: Vec::new(),
            close: "end subroutine rec".into(),
        }
    }

    /// A procedure that calls one that it is given.
    fn applier(&mut self) -> Unit {
        let factor = self.literal().text;
        let params = vec![Param {
            name: "ax".into(),
            ty: Ty::Real,
            shape: Vec::new(),
            defined: true,
            optional: false,
            assumed: false,
        }];
        self.signatures.push(Signature {
            name: "app".into(),
            params,
            function: false,
            elemental: false,
            explicit: self.modular,
            takes_procedure: true,
        });
        let interface = "interface\n    function g(y) result(r)\n      real(8), intent(in) :: y\n      real(8) :: r\n    end function g\n  end interface";
        Unit {
            name: "app".into(),
            open: "subroutine app(g, ax)".into(),
            spec: vec![interface.into(), "real(8), intent(inout) :: ax".into()],
            vars: Vec::new(),
            extra: Vec::new(),
            first: Vec::new(),
            body: vec![
                Node::Line(format!("ax = 0.1d0*g({factor}*ax) + 0.3d0*ax")),
                Node::Line("if (ax > 0.5d0) ax = 0.1d0*ax*g(ax)".into()),
            ],
            inner: Vec::new(),
            close: "end subroutine app".into(),
        }
    }

    /// The procedure to differentiate.
    fn head(&mut self) -> (Unit, Vec<(String, Ty, Vec<i64>)>) {
        let mut params = Vec::new();
        for (name, ty, shape) in [
            ("x", Ty::Real, &[4][..]),
            ("y", Ty::Real, &[3]),
            ("m", Ty::Real, &[3, 4]),
            ("s", Ty::Real, &[]),
            ("n", Ty::Int, &[]),
        ] {
            params.push(Param {
                name: name.into(),
                ty,
                shape: shape.to_vec(),
                defined: true,
                optional: false,
                assumed: false,
            });
        }
        if self.mixed {
            params.push(Param {
                name: "fx".into(),
                ty: Ty::Single,
                shape: vec![3],
                ..params[0].clone()
            });
        }
        let decls: Vec<String> = params
            .iter()
            .map(|param| {
                let dims: Vec<String> = param.shape.iter().map(i64::to_string).collect();
                let dims =
                    if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
                format!("{}, intent(inout) :: {}{dims}", param.ty.spec(), param.name)
            })
            .collect();
        let mut unit = self.unit(HEAD, &params, &decls, false, true);
        // All of them take part.
        unit.body.push(Node::Line(format!("s = 0.1d0*s + 1d-2*sum(x) + {}d-2*y(2)", LIMIT)));
        let args = params.into_iter().map(|param| (param.name, param.ty, param.shape)).collect();
        (unit, args)
    }
}

/// A variable that can be assigned and passed.
pub(crate) fn plain(name: &str, ty: Ty, shape: &[i64]) -> Var {
    Var {
        name: name.to_string(),
        ty,
        shape: shape.to_vec(),
        lower: 1,
        decl: String::new(),
        init: Vec::new(),
        writable: true,
        shared: false,
        whole: true,
        sequence: true,
    }
}

/// A local variable with its first value.
fn local(name: &str, ty: Ty, shape: &[i64], value: &str) -> Var {
    let dims: Vec<String> = shape.iter().map(i64::to_string).collect();
    let dims = if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
    Var {
        decl: format!("{} :: {name}{dims}", ty.spec()),
        init: vec![format!("{name} = {value}")],
        ..plain(name, ty, shape)
    }
}
