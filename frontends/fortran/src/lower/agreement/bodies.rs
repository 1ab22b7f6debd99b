//! Interface bodies beside the procedures that they describe, where these are given.

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Body, Decl, Dim, Intent, Place, ProcId, ProcKind, Role, ScopeKind, SymbolId, Ty,
};

use crate::lower::Lowering;
use crate::lower::expr::is_unknown;

/// Attributes of arguments and results that decide how they are passed.
const PASSING: [(Attr, &str, Weight); 4] = [
    (Attr::Allocatable, "ALLOCATABLE", Weight::Error),
    (Attr::Pointer, "a POINTER", Weight::Error),
    (Attr::Value, "passed by VALUE", Weight::Error),
    // A call that passes the argument works.
    (Attr::Optional, "OPTIONAL", Weight::Warning),
];

/// An interface body, and the procedure of its name.
struct Described<'n> {
    name: &'n str,
    interface: ProcId,
    procedure: ProcId,
}

/// How serious a difference is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Arguments are passed in another way.
    Error,
    /// The call works as compilers pass arguments.
    Warning,
}

/// How an array is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    Scalar,
    /// Its first element: explicit shape and assumed size.
    Sequence,
    /// A description of its shape.
    Shape,
    /// The same for any rank.
    AnyRank,
}

impl Lowering<'_> {
    /// Reports interface bodies of external procedures that differ from these.
    pub(in crate::lower) fn check_interface_bodies(&mut self) {
        let mut external: HashMap<String, ProcId> = HashMap::new();
        let mut bodies = Vec::new();
        for (id, proc) in &self.doc.procs {
            let Some(Role::Procedure(info)) = self.doc.role(proc.symbol) else { continue };
            let key = self.doc.symbols[proc.symbol].id.clone();
            let around =
                self.doc.scopes[proc.scope].parent.map(|scope| self.doc.scopes[scope].kind);
            match (&proc.body, around) {
                (Body::Flow(_), Some(ScopeKind::Global)) if proc.kind != ProcKind::Program => {
                    external.insert(key.to_string(), id);
                }
                (Body::Interface, _) if info.class == xaif_schema::model::ProcClass::External => {
                    bodies.push((key.to_string(), id));
                }
                (Body::Flow(_) | Body::Interface | Body::Replacements { .. }, _) => {}
            }
        }
        for (name, interface) in bodies {
            if let Some(&procedure) = external.get(&name) {
                self.compare(&Described { name: &name, interface, procedure });
            }
        }
    }

    fn compare(&mut self, pair: &Described<'_>) {
        let signature = |proc: ProcId| {
            let proc = &self.doc.procs[proc];
            (proc.symbol, proc.args.clone(), proc.result)
        };
        let (own_symbol, own_args, own_result) = signature(pair.interface);
        let (other_symbol, other_args, other_result) = signature(pair.procedure);
        let whole = (own_symbol, other_symbol);
        if own_result.is_some() != other_result.is_some() {
            let is = |function: bool| if function { "a function" } else { "a subroutine" };
            let [own, other] = [own_result, other_result].map(|result| is(result.is_some()));
            self.differs(pair, whole, Weight::Error, &format!("`{}`", pair.name), own, other);
            return;
        }
        if own_args.len() != other_args.len() {
            let [own, other] = [own_args.len(), other_args.len()]
                .map(|count| format!("a procedure of {count} dummy arguments"));
            self.differs(pair, whole, Weight::Error, &format!("`{}`", pair.name), &own, &other);
            return;
        }
        for (own, other) in own_args.iter().zip(&other_args) {
            match (own.symbol, other.symbol) {
                (Some(own), Some(other)) => {
                    let what =
                        format!("the dummy argument `{}` of `{}`", self.doc.name(other), pair.name);
                    self.compare_variables(pair, (own, other), &what);
                }
                (None, None) => {}
                (Some(_), None) | (None, Some(_)) => {
                    let is = |label: bool| if label { "a label" } else { "no label" };
                    let [own, other] = [own.symbol, other.symbol].map(|one| is(one.is_none()));
                    let what = format!("an alternate return of `{}`", pair.name);
                    self.differs(pair, whole, Weight::Error, &what, own, other);
                }
            }
        }
        if let (Some(own), Some(other)) = (own_result, other_result) {
            let what = format!("the result of `{}`", pair.name);
            self.compare_variables(pair, (own, other), &what);
        }
    }

    fn compare_variables(&mut self, pair: &Described<'_>, both: (SymbolId, SymbolId), what: &str) {
        if self.is_unchecked(both.0) {
            return;
        }
        let decl = |symbol: SymbolId| self.doc.symbols[symbol].decl.as_deref().cloned();
        let (Some(own), Some(other)) = (decl(both.0), decl(both.1)) else { return };
        match (&own.role, &other.role) {
            (Role::Procedure(_), Role::Procedure(_)) => return,
            (Role::Variable, Role::Variable) => {}
            (Role::Procedure(_), _) | (_, Role::Procedure(_)) => {
                let is = |role: &Role| match role {
                    Role::Procedure(_) => "a procedure",
                    _ => "a variable",
                };
                self.differs(pair, both, Weight::Error, what, is(&own.role), is(&other.role));
                return;
            }
            _ => return,
        }
        let (types, other_types) = (self.type_of(both.0).base, self.type_of(both.1).base);
        if !is_unknown(types) && !is_unknown(other_types) && !self.is_taken(types, other_types) {
            let [own, other] = [types, other_types].map(|base| self.describe(Ty::scalar(base)));
            let [own, other] = [own, other].map(|ty| format!("of type {ty}"));
            let weight = match is_discrete(types) && is_discrete(other_types) {
                true => Weight::Warning,
                false => Weight::Error,
            };
            self.differs(pair, both, weight, what, &own, &other);
            return;
        }
        if let Some((attr, name, weight)) =
            PASSING.iter().find(|(attr, _, _)| own.has(*attr) != other.has(*attr))
        {
            let is = |decl: &Decl| {
                if decl.has(*attr) { (*name).to_string() } else { format!("not {name}") }
            };
            self.differs(pair, both, *weight, what, &is(&own), &is(&other));
            return;
        }
        let weight = match (passing(&own), passing(&other)) {
            (own, other) if own == other && own != Passing::Sequence => Weight::Error,
            (Passing::Scalar | Passing::Sequence, Passing::Scalar | Passing::Sequence) => {
                Weight::Warning
            }
            _ => Weight::Error,
        };
        if passing(&own) != passing(&other) || own.dims.len() != other.dims.len() {
            self.differs(pair, both, weight, what, &shape(&own), &shape(&other));
        } else if let (Some(intent), Some(of_other)) = (own.intent, other.intent)
            && intent != of_other
        {
            let [own, other] = [intent, of_other].map(told);
            self.differs(pair, both, Weight::Warning, what, own, other);
        }
    }

    /// Reports that something is one thing in the interface body and another one in the procedure.
    fn differs(
        &mut self,
        pair: &Described<'_>,
        both: (SymbolId, SymbolId),
        weight: Weight,
        what: &str,
        own: &str,
        other: &str,
    ) {
        let place = |symbol: SymbolId, proc: ProcId| {
            let own = self.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
            let place = own.filter(|place| place.file.is_some());
            place.unwrap_or(self.doc.procs[proc].place)
        };
        let spot = |place: Place| self.doc.spot(place);
        let (here, there) =
            (spot(place(both.0, pair.interface)), spot(place(both.1, pair.procedure)));
        let message =
            format!("{what} is {own} in this interface body, and {other} in the procedure");
        let problem = match weight {
            Weight::Error => Diagnostic::error(Code::INTERFACE_DIFFERS, here, message),
            Weight::Warning => Diagnostic::warning(Code::INTERFACE_DIFFERS, here, message),
        };
        let help = "write the interface body as the procedure declares it";
        self.diagnostics.push(problem.with_note(there, "the procedure").with_help(help));
    }
}

/// Whether a variable of this type has no derivative.
fn is_discrete(base: Base) -> bool {
    matches!(base, Base::Integer(_) | Base::Unsigned(_) | Base::Logical(_) | Base::Character(_))
}

fn passing(decl: &Decl) -> Passing {
    match decl.dims.last() {
        None => Passing::Scalar,
        Some(Dim::Explicit { .. } | Dim::AssumedSize { .. }) => Passing::Sequence,
        Some(Dim::AssumedShape { .. } | Dim::Deferred) => Passing::Shape,
        Some(Dim::AssumedRank) => Passing::AnyRank,
    }
}

fn shape(decl: &Decl) -> String {
    let rank = decl.dims.len();
    match passing(decl) {
        Passing::Scalar => "a scalar".to_string(),
        Passing::Sequence => format!("an array of rank {rank} with a shape of its own"),
        Passing::Shape => format!("an array of rank {rank} that takes its shape from the caller"),
        Passing::AnyRank => "an array of any rank".to_string(),
    }
}

fn told(intent: Intent) -> &'static str {
    match intent {
        Intent::In => "INTENT(IN)",
        Intent::Out => "INTENT(OUT)",
        Intent::InOut => "INTENT(INOUT)",
    }
}
