//! Random programs with every kind of jump, which always end: a variable counts what is executed,
//! and jumps back are taken while it is small.

use std::fmt::Write as _;

/// How many are tried.
pub(crate) const COUNT: u64 = 16;

/// A small generator of pseudo-random numbers (xorshift), the same on every machine.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

struct Writer {
    dice: Dice,
    text: String,
    label: u32,
    /// Labels of the blocks around, which may be jumped to: the label, and whether it stands before.
    targets: Vec<(u32, bool)>,
    /// Names of the loops around.
    loops: Vec<u32>,
    names: u32,
}

/// The program with this number.
pub(crate) fn program(seed: u64) -> String {
    let dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut writer = Writer {
        dice,
        text: String::new(),
        label: 0,
        targets: Vec::new(),
        loops: Vec::new(),
        names: 0,
    };
    for _ in 0..8 {
        writer.dice.throw(2);
    }
    writer.line("subroutine p(k, x)");
    writer.line("use watch");
    writer.line("implicit none");
    writer.line("integer, intent(inout) :: k");
    writer.line("real, intent(inout) :: x(6)");
    writer.line("integer :: steps, m, i1, i2, i3, i4, i5, i6");
    writer.line("steps = 0");
    writer.line("m = 3");
    writer.block(0);
    writer.line("end subroutine p");
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("a string");
    }

    /// A condition that changes from time to time.
    fn condition(&mut self) -> String {
        let (a, b) = (self.dice.throw(6) + 1, self.dice.throw(5) + 2);
        match self.dice.throw(5) {
            0 => format!("mod(steps, {b}) == {}", a % b),
            1 => format!("x({a}) > {b}.0"),
            2 => format!("k > {}", a - 1),
            3 => format!("mod(steps + k, {b}) < {}", b / 2 + 1),
            _ => format!("m > {}", b),
        }
    }

    fn assignment(&mut self) {
        let (a, b) = (self.dice.throw(6) + 1, self.dice.throw(6) + 1);
        let text = match self.dice.throw(6) {
            0 => format!("x({a}) = x({b}) + 1.0"),
            1 => format!("x({a}) = -0.5*x({b})"),
            2 => format!("k = mod(k + {a}, 7)"),
            3 => format!("m = mod(m + {b}, 5)"),
            _ => format!("x({a}) = x({a}) + real(m)"),
        };
        self.line(&text);
        self.line("steps = steps + 1");
    }

    /// A sequence of statements, some with labels that can be jumped to from within it.
    fn block(&mut self, depth: usize) {
        let count = 2 + self.dice.throw(4);
        let labels: Vec<u32> = (0..count)
            .map(|_| {
                self.label += 10;
                self.label
            })
            .collect();
        let outer = self.targets.len();
        self.targets.extend(labels.iter().map(|&label| (label, false)));
        for (at, &label) in labels.iter().enumerate() {
            self.line(&format!("{label} continue"));
            self.targets[outer + at].1 = true;
            self.statement(depth);
        }
        self.targets.truncate(outer);
    }

    fn jump(&mut self) -> String {
        if self.targets.is_empty() || self.dice.throw(12) == 0 {
            return "return".into();
        }
        let at = self.dice.throw(self.targets.len() as u64) as usize;
        let (label, before) = self.targets[at];
        // The caller may only take it while there are steps left.
        if before { format!("back {label}") } else { format!("goto {label}") }
    }

    fn guarded_jump(&mut self) {
        let condition = self.condition();
        match self.jump().split_once(' ') {
            Some(("back", label)) => {
                self.line("steps = steps + 1");
                self.line(&format!("if (steps < 60 .and. {condition}) goto {label}"));
            }
            Some((word, label)) => self.line(&format!("if ({condition}) {word} {label}")),
            None => self.line(&format!("if ({condition}) return")),
        }
    }

    fn statement(&mut self, depth: usize) {
        let choice = if depth > 3 { self.dice.throw(5) } else { self.dice.throw(16) };
        match choice {
            0..=2 => self.assignment(),
            3 | 4 => self.guarded_jump(),
            5 | 6 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) then"));
                self.block(depth + 1);
                for _ in 0..self.dice.throw(2) {
                    let condition = self.condition();
                    self.line(&format!("else if ({condition}) then"));
                    self.block(depth + 1);
                }
                if self.dice.throw(2) == 0 {
                    self.line("else");
                    self.block(depth + 1);
                }
                self.line("end if");
            }
            7 => {
                self.line("select case (mod(k, 4))");
                self.line("case (1)");
                self.block(depth + 1);
                self.line("case (2:3)");
                self.block(depth + 1);
                if self.dice.throw(2) == 0 {
                    self.line("case default");
                    self.block(depth + 1);
                }
                self.line("end select");
            }
            8..=10 => self.do_loop(depth),
            11 => {
                let targets: Vec<u32> = self.forward_targets();
                if let (Some(first), Some(last)) = (targets.first(), targets.last()) {
                    let (first, last) = (*first, *last);
                    if self.dice.throw(2) == 0 {
                        self.line(&format!("goto ({first}, {last}), mod(k, 3)"));
                    } else {
                        self.line(&format!("if (k - 2) {first}, {last}, {first}"));
                    }
                }
            }
            12 | 13 if !self.loops.is_empty() => {
                let condition = self.condition();
                let at = self.dice.throw(self.loops.len() as u64) as usize;
                let name = self.loops[at];
                let word = if self.dice.throw(2) == 0 { "exit" } else { "cycle" };
                self.line(&format!("if ({condition}) {word} l{name}"));
            }
            14 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) stop 'here'"));
            }
            _ => self.assignment(),
        }
    }

    fn forward_targets(&self) -> Vec<u32> {
        self.targets.iter().filter(|(_, before)| !before).map(|(label, _)| *label).collect()
    }

    fn do_loop(&mut self, depth: usize) {
        self.names += 1;
        let name = self.names;
        let variable = format!("i{}", self.loops.len() + 1);
        let head = match self.dice.throw(7) {
            0 => "do while (steps < 40)".to_owned(),
            1 => "do".to_owned(),
            2 => format!("do {variable} = 5, 1, -2"),
            3 => format!("do {variable} = 1, m"),
            4 => format!("do {variable} = m, 4, 2"),
            5 => format!("do {variable} = k, m, m - k + 7"),
            _ => format!("do {variable} = 1, 2"),
        };
        self.line(&format!("l{name}: {head}"));
        self.line("steps = steps + 1");
        if head == "do" {
            self.line(&format!("if (steps > 50) exit l{name}"));
        }
        self.loops.push(name);
        self.block(depth + 1);
        self.loops.pop();
        self.line(&format!("end do l{name}"));
    }
}
