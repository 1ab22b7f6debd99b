//! Real expressions that stay small, of scalars that are given.

use super::super::dice::Dice;

/// A value that is between -4 and 4, or nearly so, where those that it is made of are.
pub(super) fn value(dice: &mut Dice, leaves: &[String], depth: u32) -> String {
    if depth == 0 {
        return match dice.chance(0.15) {
            true => dice.literal(0.2, 0.9),
            false => dice.any(leaves).unwrap_or_else(|| "0.4d0".into()),
        };
    }
    let one = value(dice, leaves, depth - 1);
    match dice.number(0, 6) {
        0 => format!("sin({one})"),
        1 => format!("cos({one})"),
        2 => format!("tanh({one})*{}", value(dice, leaves, 0)),
        3 => format!("0.5d0*({one} + {})", value(dice, leaves, depth - 1)),
        4 => format!("({} - {one})*0.6d0", value(dice, leaves, 0)),
        5 => format!("{one}/(1.5d0 + ({})**2)", value(dice, leaves, 0)),
        _ => format!("sin({one}*{})", value(dice, leaves, 0)),
    }
}

/// The statement that gives `target` a value, which may need its own.
pub(super) fn assignment(dice: &mut Dice, target: &str, leaves: &[String]) -> String {
    let value = value(dice, leaves, 2);
    match dice.number(0, 2) {
        0 => format!("{target} = sin({value})"),
        1 => format!("{target} = 0.6d0*{target} + 0.4d0*sin({value})"),
        _ => format!("{target} = 0.9d0*{target}*cos({value})"),
    }
}

pub(super) fn condition(dice: &mut Dice, leaves: &[String]) -> String {
    let value = value(dice, leaves, 1);
    format!("{value} > {}", dice.literal(0.05, 0.6))
}
