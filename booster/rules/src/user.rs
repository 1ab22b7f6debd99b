//! A user's catalogue of intrinsics, as rules.
//!
//! An entry overrides the built-in rule of its function where a partial derivative for each argument
//! can say what the built-in rule says. Where it cannot, the built-in rule stays and a warning says
//! so: functions of whole arrays, conversions between types, MAX and MIN (xaifBooster replaces them
//! by procedures before it looks into its catalogue, which therefore calls them passive). So a
//! catalogue never takes a derivative away in silence.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::intrinsics;
use xaif_schema::xml::catalogue::{
    CatalogueNode, IntrinsicCatalogue, IntrinsicDefinition, IntrinsicPartial, PartialKind,
};

use super::language::{Local, Operator, Scaled, Term, partial};
use super::{Catalogue, Rule, When, canonical};

/// The deepest expression, and the most nodes that one may have when it is written out.
const DEEPEST: usize = 64;
const MOST_NODES: usize = 10_000;

impl Catalogue {
    /// Adds the entries of a user's catalogue. The result has a warning for each entry whose
    /// function keeps its built-in rule.
    ///
    /// # Errors
    /// Entries that make no sense, with their places: functions that nobody knows, expressions that
    /// are no partial derivatives, procedures with Jacobians of their own.
    pub fn add_user(&mut self, user: &IntrinsicCatalogue) -> Result<Diagnostics, Diagnostics> {
        let (mut warnings, mut errors) = (Diagnostics::new(), Diagnostics::new());
        for definition in &user.definitions {
            match self.user_rule(definition) {
                Ok(Some((when, rule))) => self.add(&definition.name, when, rule),
                Ok(None) => warnings.push(kept(definition)),
                Err(diagnostic) => errors.push(diagnostic),
            }
        }
        for action in &user.actions {
            let own = canonical(&action.name);
            if own != canonical(&action.action) {
                let message = format!(
                    "`{}` would be differentiated by `{}`, which is another function",
                    action.name, action.action
                );
                errors.push(
                    Diagnostic::error(Code::CATALOGUE_ENTRY, Some(action.spot.clone()), message)
                        .with_help("only a function that acts on derivatives as on values fits"),
                );
            } else if !self.rules.contains_key(own) {
                self.add(own, When::Always, Rule::Same(vec![1]));
            }
        }
        for jacobian in &user.jacobians {
            let message = format!(
                "`{}` is a procedure whose Jacobian `{}` computes, no intrinsic",
                jacobian.name, jacobian.jacobian
            );
            errors.push(
                Diagnostic::error(Code::CATALOGUE_JACOBIAN, Some(jacobian.spot.clone()), message)
                    .with_help("describe it in a file of external procedures: --externals FILE"),
            );
        }
        if errors.has_errors() { Err(errors) } else { Ok(warnings) }
    }

    /// The rule of an entry; `None` if the built-in rule stays.
    fn user_rule(
        &self,
        definition: &IntrinsicDefinition,
    ) -> Result<Option<(When, Rule)>, Diagnostic> {
        let locals: Vec<Option<Local>> = (1..=definition.arguments)
            .map(|argument| {
                let partial = definition.partials.iter().find(|other| other.argument == argument);
                partial.map_or(Ok(None), local)
            })
            .collect::<Result<_, _>>()?;
        let built_in = self.rules.get(canonical(&definition.name)).map_or(&[][..], Vec::as_slice);
        let elementwise = |rule: &Rule| match rule {
            Rule::Partials(locals) => !locals
                .iter()
                .flatten()
                .any(|local| matches!(local, Local::Map(term) if term.has_derivative())),
            Rule::Passive | Rule::Refused(_) => true,
            Rule::Same(_) | Rule::Bilinear | Rule::Choice(_) | Rule::Statements => false,
        };
        let active = built_in.iter().any(|(_, rule)| !matches!(rule, Rule::Passive));
        let all_passive = locals.iter().all(Option::is_none);
        let real_only = built_in.iter().any(|(when, _)| *when == When::ComplexOperand);
        let describable =
            built_in.iter().all(|(when, rule)| *when == When::ComplexOperand || elementwise(rule));
        if (active && all_passive) || !describable || definition.changes_shape && active {
            return Ok(None);
        }
        let count = definition.arguments;
        Ok(Some((When::Operands { count, real: real_only }, Rule::Partials(locals))))
    }
}

fn kept(definition: &IntrinsicDefinition) -> Diagnostic {
    let message = format!("the built-in rule of `{}` stays", definition.name);
    Diagnostic::warning(Code::CATALOGUE_KEPT, Some(definition.spot.clone()), message)
        .with_help("an entry by partial derivatives cannot say what it says: leave the entry away")
}

/// What an argument contributes.
fn local(given: &IntrinsicPartial) -> Result<Option<Local>, Diagnostic> {
    let of_sign = |negative| Local::Scaled(Scaled { negative, ..Scaled::default() });
    Ok(match given.kind {
        _ if given.inquires => None,
        PartialKind::Passive => None,
        PartialKind::LinearOne => Some(of_sign(false)),
        PartialKind::LinearMinusOne => Some(of_sign(true)),
        PartialKind::Linear | PartialKind::Nonlinear => {
            let mut left = MOST_NODES;
            let term = given.root.map(|root| term(given, root, 0, &mut left)).transpose();
            let term = term.map_err(|message| {
                Diagnostic::error(Code::CATALOGUE_ENTRY, Some(given.spot.clone()), message)
                    .with_help("the vocabulary is in docs/intrinsics.md")
            })?;
            term.map(|term| Local::Scaled(partial(&term)))
        }
    })
}

fn term(
    given: &IntrinsicPartial,
    node: usize,
    depth: usize,
    left: &mut usize,
) -> Result<Term, String> {
    *left = left.saturating_sub(1);
    if depth > DEEPEST || *left == 0 {
        return Err("the expression is a circle or too large".into());
    }
    match given.nodes.get(node) {
        Some(CatalogueNode::Argument(0)) => Ok(Term::Result),
        Some(CatalogueNode::Argument(argument)) => Ok(Term::Operand(*argument)),
        Some(CatalogueNode::Constant(text)) => number(text),
        Some(CatalogueNode::Function(name, args)) => {
            let mut terms = Vec::with_capacity(args.len());
            for &arg in args {
                terms.push(term(given, arg, depth + 1, left)?);
            }
            function(name, terms)
        }
        None => Err("a node is missing".into()),
    }
}

fn number(text: &str) -> Result<Term, String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('-') {
        return Ok(Term::Negative(Box::new(number(rest)?)));
    }
    let text = text.trim_start_matches('+').to_lowercase();
    if let Ok(whole) = text.parse() {
        return Ok(Term::Whole(whole));
    }
    let mantissa = text.split(['d', 'e']).next().unwrap_or("");
    let exponent = text.get(mantissa.len() + 1..).unwrap_or("0").parse::<i32>();
    let digits = mantissa.chars().all(|c| c.is_ascii_digit() || c == '.');
    if exponent.is_ok() && digits && mantissa.parse::<f64>().is_ok() {
        return Ok(Term::Decimal(text.replace('d', "e").into()));
    }
    Err(format!("`{text}` is no number"))
}

fn function(name: &str, args: Vec<Term>) -> Result<Term, String> {
    let operator = match name {
        "add_scal_scal" => Some(Operator::Add),
        "sub_scal_scal" => Some(Operator::Subtract),
        "mul_scal_scal" => Some(Operator::Multiply),
        "div_scal_scal" => Some(Operator::Divide),
        "pow_scal_scal" => Some(Operator::Power),
        _ => None,
    };
    let wrong = |count: usize| format!("`{name}` does not take {count} arguments");
    let count = args.len();
    if let Some(operator) = operator {
        let pair: [Term; 2] = args.try_into().map_err(|_| wrong(count))?;
        return Ok(Term::Binary(operator, Box::new(pair.into())));
    }
    if matches!(name, "minus_scal" | "plus_scal") {
        let [inner]: [Term; 1] = args.try_into().map_err(|_| wrong(count))?;
        return Ok(if name == "minus_scal" { Term::Negative(Box::new(inner)) } else { inner });
    }
    let row = intrinsics::by_xaif(name).filter(|row| row.is_function());
    let row = row.ok_or_else(|| format!("`{name}` is no function of XAIF"))?;
    let required = row.dummies.iter().filter(|dummy| !dummy.optional).count();
    if count < required || count == 0 || row.dummy(count - 1).is_none() {
        return Err(wrong(count));
    }
    Ok(Term::Function(row, args))
}
