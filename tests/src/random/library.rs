//! Procedures that every program may call: what large programs have and random bodies have not.
//!
//! Indices that a callee changes while they say which element it was given; vectors with strides,
//! also negative ones; two elements, or parts, of one array, also such that overlap; matrices with a leading dimension; a COMMON block in another layout; structures
//! as arguments; allocatables that a callee allocates anew; alternate RETURN and ENTRY.

use super::expr::reaches;
use super::generator::Generator;
use super::program::{Node, Ty, Unit, Var};

/// Name, opening line, declarations and statements of each.
const LIBRARY: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "bump",
        "subroutine bump(k, v)",
        &["integer, intent(inout) :: k", "real(8), intent(inout) :: v"],
        &["v = 3d0*sin(v) + 0.5d0*mod(k, 5)", "k = mod(k*3 + 1, 7)", "v = v*(0.5d0 + 0.05d0*k)"],
    ),
    (
        "axp",
        "subroutine axp(n, a, x, incx, y, incy)",
        &[
            "integer, intent(in) :: n, incx, incy",
            "real(8), intent(in) :: a, x(*)",
            "real(8), intent(inout) :: y(*)",
            "integer :: i, jx, jy",
        ],
        &[
            "if (n <= 0) return",
            "jx = 1",
            "jy = 1",
            "if (incx < 0) jx = (1 - n)*incx + 1",
            "if (incy < 0) jy = (1 - n)*incy + 1",
            "do i = 1, n",
            "  y(jy) = 0.5d0*y(jy) + 0.05d0*a*x(jx)",
            "  jx = jx + incx",
            "  jy = jy + incy",
            "end do",
        ],
    ),
    (
        "mix",
        "subroutine mix(s, p)",
        &["real(8), intent(inout) :: s", "real(8), intent(in) :: p"],
        &["s = 0.5d0*s*p", "s = 0.5d0*s + 0.3d0*sin(s)*s"],
    ),
    (
        "ends",
        "subroutine ends(u, b, n)",
        &["integer, intent(in) :: n", "real(8), intent(inout) :: u(n)", "real(8), intent(in) :: b"],
        &["u(1) = 0.5d0*sin(u(3)) + 0.1d0*u(2)*b", "u(n) = 0.4d0*b*cos(u(2))"],
    ),
    (
        "seg",
        "subroutine seg(n, u, v, s)",
        &[
            "integer, intent(in) :: n",
            "real(8), intent(in) :: u(n), v(n)",
            "real(8), intent(inout) :: s",
            "integer :: i",
        ],
        &["do i = 1, n", "  s = 0.5d0*s + 0.1d0*sin(u(i)*v(n + 1 - i))", "end do"],
    ),
    (
        "mat",
        "subroutine mat(lda, n, a, v)",
        &[
            "integer, intent(in) :: lda, n",
            "real(8), intent(inout) :: a(lda, *), v",
            "integer :: j",
        ],
        &[
            "do j = 1, n",
            "  a(2, j) = 0.5d0*a(2, j) + 0.05d0*a(1, j)*v",
            "  v = 0.5d0*v + 0.3d0*sin(a(2, j))",
            "end do",
        ],
    ),
    (
        "lay",
        "subroutine lay(v)",
        &["real(8), intent(inout) :: v", "real(8) :: q(17)", "common /blk/ q"],
        &["q(3) = 2d0*sin(q(9)*v)", "v = 0.5d0*v + 0.4d0*q(7)*cos(q(3))"],
    ),
    (
        "tdo",
        "subroutine tdo(t, v)",
        &["type(outer_t), intent(inout) :: t", "real(8), intent(inout) :: v"],
        &[
            "t%a = 0.5d0*t%a + sin(v*t%v(1 + modulo(t%k, 4)))",
            "t%k = mod(t%k + 1, 9)",
            "t%i%w = 0.5d0*t%i%w + 0.05d0*v*t%v(2:4)",
            "v = 0.5d0*v + 0.3d0*t%i%w(2)",
        ],
    ),
    (
        "grow",
        "subroutine grow(g)",
        &["real(8), allocatable, intent(inout) :: g(:)", "real(8), allocatable :: h(:)"],
        &[
            "allocate (h(size(g) + 1))",
            "h(:size(g)) = 0.1d0*g*g(size(g):1:-1)",
            "h(size(h)) = sin(sum(g))",
            "call move_alloc(h, g)",
        ],
    ),
    (
        "grn",
        "function grn(v) result(r)",
        &["real(8), intent(in) :: v(:)", "real(8) :: r(size(v))"],
        &["r = 0.5d0*v*v(size(v):1:-1)"],
    ),
    (
        "gra",
        "function gra(v) result(r)",
        &["real(8), intent(in) :: v(:)", "real(8), allocatable :: r(:)"],
        &["allocate (r(size(v)))", "r = sin(v)*v(1)"],
    ),
    (
        "gre",
        "elemental function gre(v) result(r)",
        &["real(8), intent(in) :: v", "real(8) :: r"],
        &["r = 0.4d0*v*v", "if (r > 1d0) r = 1d0/r"],
    ),
    // Only where a mask says that it may be called.
    (
        "gua",
        "elemental function gua(v) result(r)",
        &["real(8), intent(in) :: v", "real(8) :: r"],
        &["if (v < 0.3d0) error stop 'called outside the mask'", "r = 0.5d0*sqrt(v - 0.29d0)/v"],
    ),
    (
        "alt",
        "subroutine alt(a, *)",
        &["real(8), intent(inout) :: a"],
        &["a = 0.9d0*a", "if (a > 0.3d0) return 1", "a = 0.5d0*a**2*0.2d0"],
    ),
    (
        "ent",
        "subroutine ent(a, b)",
        &["real(8), intent(inout) :: a, b"],
        &["a = 0.5d0*a + 0.05d0*b*b", "if (a > 1d0) return", "entry ent2(b)", "b = 0.8d0*sin(b)*b"],
    ),
];

/// The procedures that a program may call, in or outside a module; `bound`: a structure has one of its own.
pub(crate) fn utilities(modular: bool, bound: bool) -> Vec<Unit> {
    let fits = |name: &str| match name {
        "lay" => !modular,
        "grow" | "tdo" | "grn" | "gra" | "gre" | "gua" => modular,
        _ => true,
    };
    let unit = |(name, open, spec, body): &(&str, &str, &[&str], &[&str])| Unit {
        name: (*name).to_string(),
        open: (*open).to_string(),
        spec: spec
            .iter()
            .map(|line| match bound && *name == "tdo" {
                true => line.replace("type(outer_t)", "class(outer_t)"),
                false => (*line).to_string(),
            })
            .collect(),
        vars: Vec::new(),
        extra: Vec::new(),
        first: Vec::new(),
        body: nodes(body),
        inner: Vec::new(),
        close: match open.contains("function") {
            true => format!("end function {name}"),
            false => format!("end subroutine {name}"),
        },
    };
    LIBRARY.iter().filter(|(name, ..)| fits(name)).map(unit).collect()
}

/// Lines, with loops as constructs.
fn nodes(lines: &[&str]) -> Vec<Node> {
    let mut found: Vec<Node> = Vec::new();
    for line in lines {
        match found.last_mut() {
            Some(Node::Block { arms, .. }) if line.starts_with(' ') => {
                if let Some((_, body)) = arms.last_mut() {
                    body.push(Node::Line(line.trim().to_string()));
                }
            }
            _ if line.starts_with("do ") => found.push(Node::Block {
                arms: vec![((*line).to_string(), Vec::new())],
                close: "end do".into(),
            }),
            _ if *line == "end do" => {}
            _ => found.push(Node::Line((*line).to_string())),
        }
    }
    found
}

impl Generator {
    /// A call of one of them; `None` where the variables that it needs are not there.
    pub(crate) fn library_call(&mut self) -> Option<Node> {
        if self.loops > 2 || self.in_function {
            return None;
        }
        let line = |text: String| Some(Node::Line(text));
        match self.rng.u32(0..14) {
            0 | 1 => {
                let k = self.scalar(Ty::Int, &[])?;
                let x = self.array(&[4])?;
                line(format!("call bump({k}, {x}(1 + modulo({k}, 4)))"))
            }
            2 | 3 => {
                let y = self.array(&[4])?;
                let a = self.scalar(Ty::Real, &[&y])?;
                let x = self.read_array(&y)?;
                let with = *self.pick(&[
                    "3, A, X, 1, Y, 1",
                    "2, A, X, 2, Y, -1",
                    "2, A, X, -2, Y, 2",
                    "3, A, X, -1, Y, 1",
                    "0, A, X, 1, Y, 1",
                ]);
                let with = with.replace('A', &a).replace('X', &x).replace('Y', &y);
                line(format!("call axp({with})"))
            }
            4 => {
                let m = self.array(&[3, 4])?;
                let v = self.scalar(Ty::Real, &[&m])?;
                let sequence = self.vars.iter().any(|var| var.name == m && var.sequence);
                match self.rng.bool() && sequence {
                    true => line(format!("call mat(3, 2, {m}(1, {}), {v})", self.index(1, 3))),
                    false => line(format!("call mat(3, 4, {m}, {v})")),
                }
            }
            5 if self.modular => {
                self.some_var(|var| var.name == "o%a" && var.writable)?;
                let v = self.scalar(Ty::Real, &["o", "oo", "mo", "ma"])?;
                let objects: &[&str] = match self.in_function {
                    true => &["o", "oo(2)", "oo(1)"],
                    false => &["o", "oo(2)", "oo(1)", "mo", "ma(1)", "ma(1 + modulo(mk, 3))"],
                };
                let t = *self.pick(objects);
                match self.bound {
                    true => line(format!("call {t}%tdo({v})")),
                    false => line(format!("call tdo({t}, {v})")),
                }
            }
            5 => {
                self.some_var(|var| var.name == "cs" && var.writable)?;
                let v = self.scalar(Ty::Real, &[])?;
                line(format!("call lay({v})"))
            }
            6 if self.modular => {
                self.some_var(|var| var.name == "s1" && var.writable)?;
                self.some_var(|var| var.name == "av" && var.writable)?;
                line("call grow(av); s1 = 0.5d0*s1 + 0.1d0*av(4); av = av(2:4)".to_string())
            }
            7 => {
                let v = self.scalar(Ty::Real, &[])?;
                self.serial += 1;
                let label = 100 + self.serial * 10;
                let body = self.statements(1, 0);
                let head = format!("call alt({v}, *{label})");
                Some(Node::Block { arms: vec![(head, body)], close: format!("{label} continue") })
            }
            8 => {
                let a = self.scalar(Ty::Real, &[])?;
                let b = self.scalar(Ty::Real, &[&a])?;
                match self.rng.bool() {
                    true => line(format!("call ent({a}, {b})")),
                    false => line(format!("call ent2({a})")),
                }
            }
            9 | 10 => {
                let k = self.read_index()?;
                let x = self.array(&[4])?;
                line(format!("call mix({x}(1 + modulo({k}, 4)), {x}(1 + modulo({k} + 1, 4)))"))
            }
            11 => {
                let x = self.array(&[4])?;
                let a = self.scalar(Ty::Real, &[&x])?;
                let sequence = self.vars.iter().any(|var| var.name == x && var.sequence);
                match (sequence, self.rng.bool()) {
                    (false, _) => None,
                    (true, true) => line(format!("call axp(2, {a}, {x}(1), 1, {x}(3), 1)")),
                    (true, false) => line(format!("call axp(2, {a}, {x}(2), -2, {x}(1), 2)")),
                }
            }
            12 => {
                let x = self.array(&[4])?;
                line(format!("call ends({x}, {x}({}), 4)", self.rng.u32(2..4)))
            }
            13 => {
                let x = self.array(&[4])?;
                let s = self.scalar(Ty::Real, &[&x])?;
                let sequence = self.vars.iter().any(|var| var.name == x && var.sequence);
                let [i, j] = [(); 2].map(|()| self.index(1, 3));
                sequence.then(|| Node::Line(format!("call seg(2, {x}({i}), {x}({j}), {s})")))
            }
            _ => None,
        }
    }

    /// An integer variable that is only read.
    fn read_index(&mut self) -> Option<String> {
        let fits = |var: &Var| var.ty == Ty::Int && var.shape.is_empty() && var.name == var.base();
        self.some_var(fits).map(|var| var.name)
    }

    /// A variable that is passed and defined, of another object than those in `taken`.
    fn passed(&mut self, ty: Ty, taken: &[&str], fits: impl Fn(&Var) -> bool) -> Option<Var> {
        self.some_var(|var| {
            var.writable
                && !var.shared
                && var.ty == ty
                && var.name == var.base()
                && !taken.contains(&var.base())
                && !matches!(var.base(), "wk" | "wt" | "pt")
                && fits(var)
        })
    }

    fn scalar(&mut self, ty: Ty, taken: &[&str]) -> Option<String> {
        self.passed(ty, taken, |var| var.shape.is_empty()).map(|var| var.name)
    }

    fn array(&mut self, shape: &[i64]) -> Option<String> {
        self.passed(Ty::Real, &[], |var| var.shape == shape && var.lower == 1).map(|var| var.name)
    }

    /// A vector that is only read.
    fn read_array(&mut self, taken: &str) -> Option<String> {
        let fits = |var: &Var| {
            var.ty == Ty::Real
                && !var.shared
                && var.base() != taken
                && var.name == var.base()
                && matches!(var.shape.as_slice(), [3 | 4])
                && reaches(var, &[3])
        };
        self.some_var(fits).map(|var| var.name)
    }
}
