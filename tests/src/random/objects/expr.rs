//! Random expressions. Their values stay small: what may grow stands in a function that is bounded.

use super::Generator;
use super::procedure::Role;
use super::scope::{Scope, View};

impl Generator {
    /// A number that can be denoted, or a literal.
    pub(super) fn operand(&mut self, scope: &Scope, view: &View) -> String {
        let element = view.reals.is_empty() || self.dice.chance(0.35);
        if element && let Some(array) = self.dice.any(&view.arrays) {
            return format!("{}({})", array.text, self.subscript(scope));
        }
        match self.dice.any(&view.reals) {
            Some(real) if self.dice.chance(0.92) => real.text,
            Some(_) | None => self.dice.literal(0.2, 1.2),
        }
    }

    /// An expression that is an operand or a product.
    pub(super) fn expr(&mut self, scope: &Scope, depth: u32) -> String {
        let view = self.view(scope);
        self.expr_of(scope, &view, depth)
    }

    /// The same, of what is in the view.
    pub(super) fn expr_of(&mut self, scope: &Scope, view: &View, depth: u32) -> String {
        if depth == 0 {
            return self.operand(scope, view);
        }
        let a = self.operand(scope, view);
        let e = self.part_of(scope, view, depth);
        match self.dice.number(0, 12) {
            0 => format!("sin({e})"),
            1 => format!("cos({e})"),
            2 => format!("exp(-{a}*{a})"),
            3 => format!("{a}/(1 + ({e})**2)"),
            4 => format!("{a}*cos({e})"),
            5 => {
                let other = self.part_of(scope, view, depth);
                format!("{}*({e} + {other})", self.dice.literal(0.2, 0.6))
            }
            6 => format!("tanh({e})"),
            7 => format!("atan({e})"),
            8 => format!("sqrt(1 + ({e})**2)"),
            9 | 10 => match self.value_of_function(scope, view) {
                Some(call) => call,
                None => format!("sin({a}*{})", self.operand(scope, view)),
            },
            _ => self.reduction(view).unwrap_or_else(|| format!("sin({e} + {a})")),
        }
    }

    fn part_of(&mut self, scope: &Scope, view: &View, depth: u32) -> String {
        let less = if self.dice.chance(0.4) { 2 } else { 1 };
        self.expr_of(scope, view, depth.saturating_sub(less))
    }

    fn reduction(&mut self, view: &View) -> Option<String> {
        let a = self.dice.any(&view.arrays)?.text;
        let b = self.dice.any(&view.arrays)?.text;
        Some(if self.dice.chance(0.5) {
            format!("{}*sin(sum({a}))", self.dice.literal(0.2, 0.4))
        } else {
            format!("sin(dot_product({a}, {b}))")
        })
    }

    /// A call of a bound function without side effects.
    fn value_of_function(&mut self, scope: &Scope, view: &View) -> Option<String> {
        if scope.callless {
            return None;
        }
        let functions = self.callable(scope, |role| role == Role::Value);
        let function = self.dice.any(&functions)?;
        let owner = function.owner?;
        let objects = view.objects.iter().filter(|object| self.types.is_a(object.ty, owner));
        let object = self.dice.any(&objects.collect::<Vec<_>>())?;
        self.draft.effects.add(function.effects);
        let actuals = function.arguments.iter().map(|_| format!("({})", self.operand(scope, view)));
        let actuals: Vec<String> = actuals.collect();
        Some(format!("{}%{}({})", object.text, function.name, actuals.join(", ")))
    }

    /// What a variable becomes, most often of what it was.
    pub(super) fn update(&mut self, scope: &Scope, target: &str) -> String {
        let view = self.view(scope);
        let form = self.dice.number(0, 5);
        let e = self.expr_of(scope, &view, if form == 3 { 1 } else { 2 });
        let small = self.dice.literal(0.1, 0.4);
        match form {
            0 => format!("{}*sin({e}) + {small}*{target}", self.dice.literal(0.4, 0.9)),
            1 => format!("{target}*cos({e})"),
            2 => format!("{target} + {}*sin({e})", self.dice.literal(0.05, 0.3)),
            3 => format!("{target}/(1 + {target}**2) + {small}*{e}"),
            4 => format!("0.50d0*{target} + {small}*{e}"),
            _ => format!("sin({e})"),
        }
    }

    /// A condition of integers; none where there are none.
    pub(super) fn condition(&mut self, scope: &Scope) -> Option<String> {
        let mut integers: Vec<String> =
            self.integers(scope).into_iter().map(|datum| datum.text).collect();
        for _ in 0..3 {
            integers.extend(scope.counters.iter().cloned());
        }
        let k = self.dice.any(&integers)?;
        Some(match self.dice.number(0, 5) {
            0 => format!("mod({k}, 2) == 0"),
            1 => format!("mod({k}, 2) == 1"),
            2 => format!("{k} == 2"),
            3 => format!("{k} > 1"),
            4 => format!("{k} /= 3"),
            _ => format!("{k} < 3"),
        })
    }
}
