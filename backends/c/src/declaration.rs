//! Declarations: variables, parameters, structures.

use xaif_schema::model::{Attr, Dim, Init, Intent, ProcId, Role, SymbolId};

use crate::context::Context;
use crate::expression::Level;

impl Context<'_> {
    /// The number of elements of a dimension, where it has an upper bound.
    pub(crate) fn extent(&self, dim: &Dim) -> Option<String> {
        let Dim::Explicit { lower, upper } = dim else { return None };
        let lower = match lower {
            None => Some(1),
            Some(lower) => self.integer(*lower),
        };
        if let (Some(lower), Some(upper)) = (lower, self.integer(*upper)) {
            return Some((upper - lower + 1).to_string());
        }
        // `n - 1` of C's own declarations.
        if let (Some(0), Some(count)) = (lower, self.one_more(*upper)) {
            return Some(count);
        }
        let upper = self.at(*upper, Level::Sum, None);
        Some(match (lower, dim) {
            (Some(1), _) => upper,
            (Some(0), _) => format!("{upper} + 1"),
            (_, Dim::Explicit { lower: Some(lower), .. }) => {
                format!("{upper} - {} + 1", self.at(*lower, Level::Product, None))
            }
            _ => upper,
        })
    }

    /// The text of `n` where the expression is `n - 1`.
    pub(crate) fn one_more(&self, expr: xaif_schema::model::ExprId) -> Option<String> {
        self.neighbour(expr, "sub_scal_scal")
    }

    /// The text of `n` where the expression is `n - 1` or `n + 1`.
    pub(crate) fn neighbour(
        &self,
        expr: xaif_schema::model::ExprId,
        operation: &str,
    ) -> Option<String> {
        use xaif_schema::model::ExprKind;
        let ExprKind::Intrinsic { name, operands, .. } = &self.doc.exprs[expr].kind else {
            return None;
        };
        let [a, b] = operands.as_slice() else { return None };
        let one = self.integer(b.expr) == Some(1);
        (&**name == operation && one).then(|| self.at(a.expr, Level::Shift, None))
    }

    /// `type name[n][m]` of a variable, without its initial value.
    pub(crate) fn variable(&self, symbol: SymbolId) -> String {
        let Some(decl) = self.decl(symbol) else { return String::new() };
        let ty = self.type_name(decl.spec.base());
        let name = self.names.of(symbol);
        let qualifier = if decl.has(Attr::Const) { "const " } else { "" };
        if self.is_deferred(symbol) {
            return format!("{qualifier}{ty} *{name}");
        }
        let mut text = format!("{qualifier}{ty} {name}");
        for dim in decl.dims.iter().rev() {
            match self.extent(dim) {
                Some(extent) => text.push_str(&format!("[{extent}]")),
                None => {
                    self.refuse(decl.place, format!("the extent of `{}` is not known", decl.name));
                }
            }
        }
        text
    }

    /// `= value` of a variable of static storage.
    pub(crate) fn initial_value(&self, symbol: SymbolId) -> String {
        let Some(decl) = self.decl(symbol) else { return String::new() };
        let Some(init) = decl.init else { return String::new() };
        let Init::Value(value) = init else {
            self.refuse(decl.place, format!("`{}` begins as a pointer", decl.name));
            return String::new();
        };
        let scalar =
            matches!(self.doc.exprs[value].kind, xaif_schema::model::ExprKind::Constant(_));
        let zero =
            scalar && matches!(self.initial(value).as_deref(), Some("0" | "0.0" | "0.0f" | "0L"));
        if zero && decl.has(Attr::Save) {
            // Static storage is zero anyway.
            return String::new();
        }
        let text = if decl.dims.len() > 1 { self.nested(value) } else { self.initial(value) };
        match text {
            Some(text) if !decl.dims.is_empty() && !text.starts_with('{') => {
                self.refuse(
                    decl.place,
                    format!("all elements of `{}` begin with one value", decl.name),
                );
                String::new()
            }
            Some(text) => format!(" = {text}"),
            None => {
                self.refuse(decl.place, format!("the first value of `{}`", decl.name));
                String::new()
            }
        }
    }

    /// The values of an array with several subscripts, in nested braces.
    fn nested(&self, value: xaif_schema::model::ExprId) -> Option<String> {
        use xaif_schema::model::ExprKind;
        let ExprKind::Intrinsic { name, operands, .. } = &self.doc.exprs[value].kind else {
            return self.initial(value);
        };
        if &**name != "reshape_arr" {
            return None;
        }
        let [list, shape] = operands.as_slice() else { return None };
        let items = |expr| match &self.doc.exprs[expr].kind {
            ExprKind::ArrayConstructor { items, .. } => Some(items.clone()),
            _ => None,
        };
        let mut texts: Vec<String> =
            items(list.expr)?.into_iter().map(|item| self.initial(item)).collect::<Option<_>>()?;
        let shape: Vec<i64> =
            items(shape.expr)?.into_iter().map(|item| self.integer(item)).collect::<Option<_>>()?;
        for &count in &shape {
            let count = usize::try_from(count).ok().filter(|&count| count > 0)?;
            texts = texts.chunks(count).map(|row| format!("{{{}}}", row.join(", "))).collect();
        }
        texts.into_iter().next()
    }

    /// A parameter.
    pub(crate) fn parameter(&self, symbol: SymbolId) -> String {
        let Some(decl) = self.decl(symbol) else { return String::new() };
        let name = self.names.of(symbol);
        if let Role::Procedure(_) = decl.role {
            return self.refuse(decl.place, "a function as an argument");
        }
        let ty = self.type_name(decl.spec.base());
        if decl.has(Attr::Value) {
            return format!("{ty} {name}");
        }
        if decl.has(Attr::Allocatable) || decl.has(Attr::Pointer) {
            return self.refuse(
                decl.place,
                format!("the dummy argument `{}` is allocatable or a pointer", decl.name),
            );
        }
        let constant = decl.has(Attr::Const) || decl.intent == Some(Intent::In);
        let qualifier = if constant { "const " } else { "" };
        let restrict = if decl.has(Attr::Restrict) { "restrict " } else { "" };
        if decl.dims.len() < 2 {
            let vector = decl.dims.first();
            if matches!(vector, Some(Dim::AssumedShape { .. } | Dim::AssumedRank | Dim::Deferred)) {
                return self.refuse(
                    decl.place,
                    format!("the shape of `{}` comes with the argument", decl.name),
                );
            }
            return format!("{qualifier}{ty} *{restrict}{name}");
        }
        let mut text = format!("{qualifier}{ty} {name}[]");
        for dim in decl.dims.iter().rev().skip(1) {
            match self.extent(dim) {
                Some(extent) => text.push_str(&format!("[{extent}]")),
                None => {
                    return self.refuse(
                        decl.place,
                        format!("the shape of `{}` comes with the argument", decl.name),
                    );
                }
            }
        }
        text
    }

    /// `double f(int n, const double *x)`
    pub(crate) fn prototype(&self, proc: ProcId) -> String {
        let data = &self.doc.procs[proc];
        let decl = self.decl(data.symbol);
        let mut words = String::new();
        for (attr, word) in [(Attr::Static, "static "), (Attr::Inline, "inline ")] {
            if decl.is_some_and(|decl| decl.has(attr)) {
                words.push_str(word);
            }
        }
        let result = match data.result {
            Some(result) => self.decl(result).map_or_else(String::new, |decl| {
                if !decl.dims.is_empty() {
                    return self.refuse(data.place, "a function with an array as its value");
                }
                self.type_name(decl.spec.base())
            }),
            None => "void".to_owned(),
        };
        let mut params = Vec::new();
        for arg in &data.args {
            params.push(match arg.symbol {
                Some(symbol) => self.parameter(symbol),
                None => self.refuse(data.place, "an alternate return"),
            });
        }
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        format!("{words}{result} {}({params})", self.names.of(data.symbol))
    }

    /// The definition of a structure.
    pub(crate) fn structure(&self, symbol: SymbolId) -> String {
        let mut text = format!("struct {} {{\n", self.names.of(symbol));
        for component in self.doc.own_components(symbol) {
            text.push_str(&format!("    {};\n", self.variable(component)));
        }
        text.push_str("};\n");
        text
    }
}
