//! Real values of scopes; they stay small.

use super::Generator;
use super::places::Scope;

impl Generator {
    /// A value that is between -4 and 4, or nearly so.
    pub(super) fn value(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let one = self.value(scope, depth - 1);
        match self.dice.number(0, 6) {
            0 => format!("sin({one})"),
            1 => format!("cos({one})"),
            2 => format!("tanh({one})*{}", self.leaf(scope)),
            3 => format!("0.5d0*({one} + {})", self.value(scope, depth - 1)),
            4 => format!("({one} - {})*0.6d0", self.leaf(scope)),
            5 => format!("bend({one})*0.4d0"),
            _ => format!("sin({one}*{})", self.leaf(scope)),
        }
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        match self.dice.weighted(&[6.0, 2.0, 3.0]) {
            1 => self.dice.literal(0.2, 0.9),
            2 if !scope.vectors.is_empty() => self.of_vector(scope),
            _ => self.dice.any(&scope.scalars).unwrap_or_else(|| "0.4d0".into()),
        }
    }

    /// A value that needs elements, an extent or a bound of a vector.
    fn of_vector(&mut self, scope: &Scope) -> String {
        let v = self.dice.any(&scope.vectors).unwrap_or_default();
        match self.dice.number(0, 4) {
            0 => format!("{v}(lbound({v}, 1))"),
            1 => format!("{v}(ubound({v}, 1))"),
            2 => format!("sum({v})/size({v})"),
            3 => format!("0.1d0*size({v})"),
            _ => format!("fold({v})"),
        }
    }

    /// A scalar that may be overwritten.
    pub(super) fn target(&mut self, scope: &Scope) -> String {
        let mut targets = scope.scalars.clone();
        targets.retain(|name| !scope.constant.contains(name));
        self.dice.any(&targets).unwrap_or_else(|| "t".into())
    }

    /// The statement that gives a scalar a value.
    pub(super) fn assigned(&mut self, scope: &Scope, value: &str) -> String {
        let target = self.target(scope);
        match self.dice.chance(0.5) {
            true => format!("{target} = sin({value})"),
            false => format!("{target} = 0.6d0*{target} + 0.4d0*sin({value})"),
        }
    }

    /// A condition on a value or on a property.
    pub(super) fn condition(&mut self, scope: &Scope) -> String {
        let value = self.value(scope, 1);
        let limit = self.dice.literal(0.1, 0.6);
        let number = self.dice.number(1, 4);
        let vector = self.dice.any(&scope.vectors);
        let object = self.dice.any(&scope.objects);
        let other = self.dice.any(&scope.objects);
        let text = self.dice.any(&scope.texts);
        let pointer = self.dice.any(&scope.pointers);
        let relation = self.dice.one(["==", ">", "<", "/="]);
        let mut choices = vec![format!("{value} > {limit}")];
        choices.extend(vector.map(|v| format!("size({v}) {relation} {number}")));
        choices.extend(text.map(|text| format!("len({text}) {relation} {number}")));
        choices.extend(pointer.map(|(name, target)| match self.dice.chance(0.5) {
            true => format!("associated({name})"),
            false => format!("associated({name}, {target})"),
        }));
        if let (Some(object), Some(other)) = (object, other) {
            choices.push(match object == other {
                false => format!("same_type_as({object}, {other})"),
                true => format!("extends_type_of({object}, one())"),
            });
        }
        self.dice.any(&choices).unwrap_or_default()
    }
}
