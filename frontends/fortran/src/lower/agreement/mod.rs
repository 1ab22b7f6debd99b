//! Whether the actual arguments of calls agree with the dummy arguments.
//!
//! - `mod.rs`: the calls of the document, and how many arguments they pass;
//! - `argument.rs`: type, kind and rank of one argument;
//! - `bodies.rs`: interface bodies beside the procedures that they describe;
//! - `definable.rs`: whether an argument, or what a statement gives a value, may be changed;
//! - `interface.rs`: whether the caller must see the interface, so that compilers check it, too.
//!
//! Where the interface is explicit, a disagreement is an error. Old programs call external procedures
//! with other arguments than these have, and compilers let them: there it is a warning, and the stages
//! that differentiate such a call refuse what a derivative would repeat.

mod argument;
mod bodies;
mod definable;
mod interface;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Callee, DummyArg, ExprKind, Place, Role, StmtKind, SymbolId, Ty,
};

use super::expr::is_unknown;
use super::{Lowering, Signature};

/// A call, and how strictly it is looked at.
struct Call<'c> {
    /// The procedure as the program names it.
    name: String,
    /// The call as the document has it.
    callee: &'c Callee,
    /// Where it stands.
    place: Place,
    /// Whether the interface is explicit.
    explicit: bool,
    /// Whether each dummy argument takes one element at a time.
    elemental: bool,
}

impl Lowering<'_> {
    /// Reports the calls of the document that do not agree with the interfaces of what they call.
    pub(super) fn check_calls(&mut self) {
        let mut calls: Vec<(Callee, Vec<Arg>, Place, bool)> = Vec::new();
        for stmt in self.doc.stmts.values() {
            if let StmtKind::Call(call) = &stmt.kind {
                calls.push((call.callee.clone(), call.args.clone(), stmt.place, false));
            }
        }
        for expr in self.doc.exprs.values() {
            if let ExprKind::Call(call) = &expr.kind {
                calls.push((call.callee.clone(), call.args.clone(), expr.place, true));
            }
        }
        calls.sort_by_key(|(_, _, place, _)| (place.file, place.line, place.column));
        for (callee, args, place, is_function) in &calls {
            self.check_call(callee, args, *place, *is_function);
        }
    }

    fn check_call(&mut self, callee: &Callee, args: &[Arg], place: Place, is_function: bool) {
        let name = self.doc.name(callee.symbol).to_owned();
        let Some(signature) = self.signature(callee.symbol) else {
            self.check_bound_generic(callee, args, place);
            return;
        };
        let explicit = self.has_explicit_interface(callee.symbol);
        let call = Call { name, callee, place, explicit, elemental: signature.elemental };
        let passed = signature.passed.filter(|_| callee.object.is_some());
        let mut given = vec![0usize; signature.args.len()];
        for arg in args {
            let index = usize::try_from(arg.position).unwrap_or(0).wrapping_sub(1);
            match signature.args.get(index) {
                Some(dummy) => {
                    given[index] += 1;
                    self.check_actual(&call, dummy, arg);
                }
                // A keyword that names no dummy argument has its own message.
                None if arg.keyword.is_some() => {}
                None => self.too_many(&call, signature.args.len(), arg),
            }
        }
        for (index, (count, dummy)) in given.iter().zip(&signature.args).enumerate() {
            match count {
                0 if passed != Some(index) => self.check_missing(&call, dummy),
                0 | 1 => {}
                _ => self.given_twice(&call, dummy),
            }
        }
        if is_function {
            self.check_result(&call, &signature);
        }
    }

    fn too_many(&mut self, call: &Call<'_>, count: usize, arg: &Arg) {
        let place = self.place_of_argument(call, arg);
        let message = format!("`{}` has only {count} dummy arguments", call.name);
        let help = "remove the argument, or look whether the right procedure is meant";
        self.disagree(call, Code::BAD_ARGUMENTS, place, message, help);
    }

    /// Reports a dummy argument that gets nothing and is not OPTIONAL.
    fn check_missing(&mut self, call: &Call<'_>, dummy: &DummyArg) {
        let Some(symbol) = dummy.symbol else {
            let message = format!("no label is passed for an alternate return of `{}`", call.name);
            let help = "add the label behind an asterisk";
            self.disagree(call, Code::BAD_ARGUMENTS, call.place, message, help);
            return;
        };
        if self.doc.has(symbol, Attr::Optional) {
            return;
        }
        let dummy = self.doc.name(symbol);
        let message =
            format!("nothing is passed for the dummy argument `{dummy}` of `{}`", call.name);
        let help = "pass an argument for it, or look whether the right procedure is meant";
        self.disagree(call, Code::BAD_ARGUMENTS, call.place, message, help);
    }

    fn given_twice(&mut self, call: &Call<'_>, dummy: &DummyArg) {
        let dummy = dummy.symbol.map_or("*", |symbol| self.doc.name(symbol));
        let message = format!("the dummy argument `{dummy}` of `{}` gets two arguments", call.name);
        let help = "remove one of them";
        self.disagree(call, Code::BAD_ARGUMENTS, call.place, message, help);
    }

    /// A generic binding stays open where a type is not known; else one of its procedures fits.
    fn check_bound_generic(&mut self, callee: &Callee, args: &[Arg], place: Place) {
        let is_generic = matches!(self.doc.role(callee.symbol), Some(Role::Generic { .. }));
        if !is_generic || callee.object.is_none() {
            return;
        }
        let mut types = Vec::new();
        for arg in args {
            let ArgValue::Expr(expr) = arg.value else { return };
            let ty = self.ty(expr);
            if is_unknown(ty.base) || ty.base == Base::Procedure {
                return;
            }
            types.push(self.describe(ty));
        }
        let name = self.doc.name(callee.symbol);
        let message = format!("no specific procedure of `{name}` takes ({})", types.join(", "));
        let problem = Diagnostic::error(Code::NO_SPECIFIC, self.doc.spot(place), message);
        let help = "look at the types, kinds and ranks of the arguments";
        self.diagnostics.push(problem.with_help(help));
    }

    /// Reports a function that is declared with another type than it has.
    fn check_result(&mut self, call: &Call<'_>, signature: &Signature) {
        if call.explicit {
            return;
        }
        let Some(result) = signature.result else { return };
        let (own, declared) = (self.type_of(result), self.type_of(call.callee.symbol));
        if is_unknown(own.base) || is_unknown(declared.base) || own.base == declared.base {
            return;
        }
        let (own, declared) =
            (self.describe(Ty::scalar(own.base)), self.describe(Ty::scalar(declared.base)));
        let message = format!("`{}` is of type {own}, but declared here as {declared}", call.name);
        let help = "declare it in the calling procedure as the function declares its result";
        self.disagree(call, Code::ARGUMENT_TYPE, call.place, message, help);
    }

    /// Reports a disagreement: an error where the interface is explicit.
    fn disagree(&mut self, call: &Call<'_>, code: Code, place: Place, message: String, help: &str) {
        let spot = self.doc.spot(place);
        let problem = match call.explicit {
            true => Diagnostic::error(code, spot, message),
            false => Diagnostic::warning(code, spot, message),
        };
        self.diagnostics.push(problem.with_help(help));
    }

    fn place_of_argument(&self, call: &Call<'_>, arg: &Arg) -> Place {
        match arg.value {
            ArgValue::Expr(expr) => self.doc.exprs[expr].place,
            ArgValue::AlternateReturn(_) => call.place,
        }
    }

    /// The name of a dummy argument for messages.
    fn dummy_name(&self, call: &Call<'_>, dummy: SymbolId) -> String {
        format!("the dummy argument `{}` of `{}`", self.doc.name(dummy), call.name)
    }
}
