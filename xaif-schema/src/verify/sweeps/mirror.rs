//! Whether pops are the mirror of pushes.

use super::Fault;
use super::tree::{Arm, Item, Sort, Test, Value, is_nothing, stmt_of};
use crate::model::Base;

/// Whether `pops`, in their order, take back all of `pushes`.
pub(super) fn mirror(pushes: &[Item], pops: &[Item]) -> Result<(), Fault> {
    let mut stack = pushes.to_vec();
    for pop in pops {
        if !meet(&mut stack, pop)? {
            return Err(Fault::Wrong(stmt_of(pop), "more is taken back than is recorded".into()));
        }
    }
    match stack.iter().find(|item| !is_nothing(item)) {
        Some(left) => {
            let stmt = pops.iter().find_map(stmt_of).or(stmt_of(left));
            Err(Fault::Wrong(stmt, "more is recorded than is taken back".into()))
        }
        None => Ok(()),
    }
}

/// Takes `pop` from the end of `pushes`; `false`: there is nothing.
pub(super) fn meet(pushes: &mut Vec<Item>, pop: &Item) -> Result<bool, Fault> {
    if is_nothing(pop) {
        return Ok(true);
    }
    if let (Some(Item::Numbered(variable, _)), Item::Branch(arms)) = (pushes.last(), pop)
        && arms.iter().any(|arm| decides(&arm.test, variable))
        && let Some(Item::Numbered(variable, leaves)) = pushes.pop()
    {
        return numbered(pushes, &variable, leaves, arms);
    }
    let mut told = Vec::new();
    while pushes.last().is_some_and(is_nothing) {
        if let Some(Item::Told(variable, condition)) = pushes.pop() {
            told.push((variable, condition));
        }
    }
    let Some(push) = pushes.pop() else { return Ok(false) };
    match (push, pop) {
        (Item::Value(push), Item::Value(pop)) => {
            same(&push, pop)?;
            // The number of a branch of which only one arm is left.
            if let (Some(number), None) = (push.number, &pop.variable) {
                pushes.push(Item::Numbered(pop.name.clone(), vec![(number, Vec::new())]));
            }
            if let Some(condition) = push.condition {
                pushes.push(Item::Told(pop.name.clone(), condition));
            }
        }
        (Item::Call(_, push), Item::Call(stmt, pop)) => {
            if push != *pop {
                let (push, pop) = (stem(&push), stem(pop));
                let message = format!("`{pop}` goes back where `{push}` went forward last");
                return Err(Fault::Wrong(Some(*stmt), message));
            }
        }
        (Item::Loop(push), Item::Loop(pop)) => mirror(&push, pop)?,
        (Item::Branch(push), Item::Value(pop)) => {
            let Some(leaves) = leaves(&push) else { return Err(apart(&Item::Value(pop.clone()))) };
            // The number of a branch comes back into a variable of the stage.
            let is_number = matches!(pop.ty.base, Base::Integer(_)) && pop.variable.is_none();
            if pop.sort != Sort::Scalar || !is_number {
                return Err(apart(&Item::Value(pop.clone())));
            }
            pushes.push(Item::Numbered(pop.name.clone(), leaves));
        }
        (Item::Branch(push), Item::Branch(pop)) => arms(&push, pop, &told)?,
        // A selection of which one arm is left may stand in one sweep alone.
        (Item::Branch(_) | Item::Numbered(..) | Item::Told(..), _)
        | (_, Item::Branch(_) | Item::Numbered(..) | Item::Told(..)) => return Err(Fault::Unknown),
        (Item::Value(_) | Item::Call(..) | Item::Loop(_), pop) => return Err(apart(pop)),
    }
    Ok(true)
}

/// Takes the arms of a branch, whose number `variable` has, from the end of `pushes`. Of one that is left stands what it
/// records before its number.
fn numbered(
    pushes: &mut Vec<Item>,
    variable: &str,
    leaves: Vec<(i64, Vec<Item>)>,
    arms: &[Arm],
) -> Result<bool, Fault> {
    let only = leaves.len() == 1;
    for (number, recorded) in leaves {
        let taken = resolve(arms, variable, number).ok_or(Fault::Unknown)?;
        if !only {
            mirror(&recorded, &taken)?;
            continue;
        }
        pushes.extend(recorded);
        for pop in &taken {
            if !meet(pushes, pop)? {
                let message = "more is taken back than is recorded";
                return Err(Fault::Wrong(stmt_of(pop), message.into()));
            }
        }
    }
    Ok(true)
}

fn stem(stem: &str) -> &str {
    stem.split('#').next().unwrap_or(stem)
}

fn apart(pop: &Item) -> Fault {
    let message = "something else is taken back than was recorded last";
    Fault::Wrong(stmt_of(pop), message.to_owned())
}

fn same(push: &Value, pop: &Value) -> Result<(), Fault> {
    // Each half declares the type of what holds its pointers.
    let is_structure = |value: &Value| matches!(value.ty.base, Base::Derived(_) | Base::Class(_));
    let alike = push.sort == pop.sort
        && (push.ty.base == pop.ty.base || is_structure(push) && is_structure(pop))
        && push.ty.rank == pop.ty.rank;
    let variables = push.variable.as_ref().zip(pop.variable.as_ref());
    if alike && variables.is_none_or(|(push, pop)| push == pop) {
        return Ok(());
    }
    let message = format!("`{}` is taken back where `{}` was recorded last", pop.name, push.name);
    Err(Fault::Wrong(Some(pop.stmt), message))
}

/// The arms of branches, nested ones in one list, each of which records its number last.
fn leaves(arms: &[Arm]) -> Option<Vec<(i64, Vec<Item>)>> {
    let mut found = Vec::new();
    for arm in arms {
        let (last, before) = arm.items.split_last()?;
        match last {
            Item::Value(value) => found.push((value.number?, before.to_vec())),
            Item::Branch(inner) => {
                let inner = leaves(inner)?.into_iter();
                found.extend(inner.map(|(number, items)| (number, [before, &items].concat())));
            }
            Item::Call(..) | Item::Loop(_) | Item::Numbered(..) | Item::Told(..) => return None,
        }
    }
    Some(found)
}

/// Whether an arm is taken for values of a variable.
fn decides(test: &Test, variable: &str) -> bool {
    matches!(test, Test::Is(name, _) if name == variable)
}

/// What a branch takes back where `variable` has the value `number`.
fn resolve(arms: &[Arm], variable: &str, number: i64) -> Option<Vec<Item>> {
    let mut chosen = None;
    for arm in arms {
        match &arm.test {
            Test::Is(name, values) if name == variable => {
                if values.contains(&number) {
                    chosen = Some(arm);
                    break;
                }
            }
            Test::Else => chosen = chosen.or(Some(arm)),
            Test::Text(_) | Test::Is(..) => return None,
        }
    }
    let mut found = Vec::new();
    let mut keeps = true;
    for item in chosen.map(|arm| &arm.items[..]).unwrap_or_default() {
        // From here on the variable has another value.
        keeps &= !matches!(item, Item::Value(value) if value.name == variable);
        match item {
            Item::Branch(inner)
                if keeps && inner.iter().any(|arm| decides(&arm.test, variable)) =>
            {
                found.extend(resolve(inner, variable, number)?);
            }
            item => found.push(item.clone()),
        }
    }
    Some(found)
}

/// The arms of branches, nested ones in one list, by the numbers that they write into a block.
fn noted(arms: &[Arm]) -> Option<Vec<(i64, Vec<Item>)>> {
    let mut found = Vec::new();
    for arm in arms {
        match (arm.number, arm.items.split_last()) {
            (Some(number), _) => found.push((number, arm.items.clone())),
            (None, Some((Item::Branch(inner), before))) => {
                let inner = noted(inner)?.into_iter();
                found.extend(inner.map(|(number, items)| (number, [before, &items].concat())));
            }
            (None, _) => return None,
        }
    }
    Some(found)
}

/// Arms that conditions tell apart, which are evaluated again or were recorded as `told`, or that numbers in a block do.
fn arms(push: &[Arm], pop: &[Arm], told: &[(String, String)]) -> Result<(), Fault> {
    let number = pop.iter().find_map(|arm| match &arm.test {
        Test::Is(variable, _) => Some(variable),
        Test::Text(_) | Test::Else => None,
    });
    if let (Some(variable), Some(leaves)) = (number, noted(push)) {
        for (number, recorded) in leaves {
            let taken = resolve(pop, variable, number).ok_or(Fault::Unknown)?;
            mirror(&recorded, &taken)?;
        }
        return Ok(());
    }
    if number.is_some() && leaves(push).is_some() {
        let stmt = pop.iter().flat_map(|arm| &arm.items).find_map(stmt_of);
        return Err(Fault::Wrong(stmt, "the number of a branch is not taken back".into()));
    }
    let renamed = |test: &Test| match test {
        Test::Text(text) => {
            let condition = told.iter().find(|(variable, _)| variable == text);
            Test::Text(condition.map_or(text, |(_, condition)| condition).clone())
        }
        Test::Is(..) | Test::Else => test.clone(),
    };
    let tests = |arms: &[Arm]| arms.iter().map(|arm| renamed(&arm.test)).collect::<Vec<_>>();
    let (forward, backward) = (tests(push), tests(pop));
    if forward.iter().any(|test| !backward.contains(test)) || forward.len() != backward.len() {
        return Err(Fault::Unknown);
    }
    for (arm, test) in push.iter().zip(&forward) {
        let at = backward.iter().position(|other| other == test).ok_or(Fault::Unknown)?;
        mirror(&arm.items, &pop[at].items)?;
    }
    Ok(())
}
