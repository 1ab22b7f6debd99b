//! Procedures that overwrite and read the variables of the module and of the host, and calls of them.

use super::super::program::{Node, Unit};
use super::places::Scope;
use super::{Generator, block, lines, names, text};

/// A procedure that may be called.
#[derive(Clone)]
pub(super) struct Procedure {
    name: String,
    /// Whether each argument is a vector; the others are scalars.
    vectors: Vec<bool>,
    /// Whether the first argument counts calls of itself.
    recursive: bool,
    /// The text in which the variables that it reads and overwrites are named, with those of its callees.
    uses: String,
}

impl Generator {
    /// A procedure with statements on the variables of the scope and on its arguments.
    pub(super) fn procedure(&mut self, outer: &Scope, inner: bool) -> Unit {
        let name = self.name(if inner { "inside" } else { "step" });
        let mut scope = outer.clone();
        let mut vectors = Vec::new();
        let mut dummies = Vec::new();
        let mut spec = Vec::new();
        for dummy in ["u", "w"] {
            if self.dice.chance(0.6) {
                spec.push(format!("real(8), intent(inout) :: {dummy}"));
                scope.scalars.extend([dummy.to_owned(), dummy.to_owned()]);
                dummies.push(dummy);
                vectors.push(false);
            }
        }
        if self.dice.chance(0.4) {
            spec.push("real(8), allocatable, intent(inout) :: v(:)".into());
            scope.vectors.push("v".into());
            dummies.push("v");
            vectors.push(true);
        }
        if self.lasting && self.dice.chance(0.5) {
            scope.scalars.extend(["kept", "kept"].map(str::to_owned));
        }
        let recursive = self.dice.chance(0.2);
        let count = self.dice.number(2, 1 + self.size.max(2) / 2);
        let mut body = self.statements(&scope, 1, count);
        if self.dice.chance(0.2) {
            body.push(Node::Line(format!("if ({}) return", self.condition(&scope))));
            body.extend(self.statements(&scope, 0, 2));
        }
        let mut prefix = "";
        if recursive {
            prefix = "recursive ";
            spec.insert(0, "integer, intent(in) :: k".into());
            dummies.insert(0, "k");
            let again = dummies.join(", ").replacen('k', "k - 1", 1);
            body.push(Node::Line(format!("if (k > 0) call {name}({again})")));
        }
        let uses = self.all_uses(&body);
        self.callable.push(Procedure { name: name.clone(), vectors, recursive, uses });
        Unit {
            open: format!("{prefix}subroutine {name}({})", dummies.join(", ")),
            close: format!("end subroutine {name}"),
            name,
            spec,
            vars: Vec::new(),
            extra: self.locals(),
            first: Vec::new(),
            body,
            inner: Vec::new(),
        }
    }

    /// The text of a body with that of the procedures that it calls.
    fn all_uses(&self, body: &[Node]) -> String {
        let mut all = text(body);
        let callees = self.callable.iter().filter(|callee| names(&all, &callee.name));
        let more: Vec<&str> = callees.map(|callee| callee.uses.as_str()).collect();
        all = [vec![all.as_str()], more].concat().join("\n");
        all
    }

    /// Calls in sequence, perhaps in a loop, with statements between them.
    pub(super) fn calls(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        for _ in 0..self.dice.number(1, 3) {
            let procedure = self.dice.any(&self.callable)?;
            nodes.push(Node::Line(self.call(scope, &procedure)?));
            if self.dice.chance(0.4) {
                let value = self.value(scope, 1);
                nodes.extend(lines([self.assigned(scope, &value)]));
            }
        }
        Some(match self.dice.chance(0.25) {
            true => vec![block("do j = 1, 2", nodes, "end do")],
            false => nodes,
        })
    }

    /// A call whose arguments are nothing that the procedure reads or overwrites by name.
    fn call(&mut self, scope: &Scope, procedure: &Procedure) -> Option<String> {
        let base = |name: &str| name.split(['(', '%']).next().unwrap_or(name).to_owned();
        let pointed = |own: &str| {
            let hit = |(p, target): &(String, String)| target == own && names(&procedure.uses, p);
            scope.pointers.iter().any(hit)
        };
        let mut taken: Vec<String> = Vec::new();
        let mut args: Vec<String> = Vec::new();
        if procedure.recursive {
            args.push(self.dice.one(["0", "1", "2"]).into());
        }
        for vector in &procedure.vectors {
            let pool = if *vector { &scope.vectors } else { &scope.scalars };
            let mut pool = pool.clone();
            pool.retain(|name| {
                let own = base(name);
                let free = !taken.contains(&own) && !names(&procedure.uses, &own) && !pointed(&own);
                free && !scope.constant.contains(name)
            });
            let chosen = self.dice.any(&pool)?;
            taken.push(base(&chosen));
            args.push(chosen);
        }
        Some(format!("call {}({})", procedure.name, args.join(", ")))
    }
}
