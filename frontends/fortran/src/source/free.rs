//! Free form: `&`, comments between continued lines, tokens split over lines.

use super::assemble::Assembler;
use super::{Physical, Reader, trivia};

impl Reader<'_> {
    pub(super) fn read_free(&mut self, physical: &[Physical<'_>]) {
        let mut index = 0;
        while let Some(line) = physical.get(index) {
            let first = line.text.chars().enumerate().find(|(_, c)| !c.is_whitespace());
            match first {
                None => self.push_blank(line),
                Some((at, '!')) => self.push_comment(line, at),
                Some(_) => {
                    index += self.free_statement(physical, index);
                    continue;
                }
            }
            index += 1;
        }
    }

    /// Reads the statement that begins with line `index`; how many lines it has.
    fn free_statement(&mut self, physical: &[Physical<'_>], index: usize) -> usize {
        let mut assembler = Assembler::default();
        let rest = physical.get(index..).unwrap_or(&[]);
        let mut used = 0;
        let mut continued = true;
        for (offset, line) in rest.iter().enumerate() {
            if !continued {
                break;
            }
            let first = line.text.chars().enumerate().find(|(_, c)| !c.is_whitespace());
            match first {
                None => {}
                Some((at, '!')) if !assembler.in_quotes() => {
                    assembler.comment(trivia::comment(line, at));
                }
                Some((at, character)) => {
                    let start = match character {
                        '&' => at + 1,
                        _ if assembler.in_quotes() => 0,
                        _ => {
                            if offset > 0 {
                                assembler.push(' ', line.place(at));
                            }
                            at
                        }
                    };
                    continued = self.free_line(&mut assembler, line, start);
                }
            }
            used = offset + 1;
        }
        self.finish(assembler);
        used.max(1)
    }

    /// Reads a line from character `start` on; whether it is continued.
    fn free_line(&mut self, assembler: &mut Assembler, line: &Physical<'_>, start: usize) -> bool {
        let characters: Vec<char> = line.text.chars().take(self.limit).collect();
        let last = characters.iter().rposition(|c| !c.is_whitespace());
        for (index, &character) in characters.iter().enumerate().skip(start) {
            let place = line.place(index);
            if assembler.in_characters() {
                if character == '&' && Some(index) == last {
                    return true;
                }
                assembler.push(character, place);
                continue;
            }
            match character {
                '!' => {
                    assembler.comment(trivia::comment(line, index));
                    return false;
                }
                '&' => {
                    let mut behind = characters.iter().enumerate().skip(index + 1);
                    match behind.find(|(_, c)| !c.is_whitespace()) {
                        None => return true,
                        Some((at, '!')) => {
                            assembler.comment(trivia::comment(line, at));
                            return true;
                        }
                        Some(_) => assembler.push(character, place),
                    }
                }
                ';' => assembler.semicolon(),
                c if c.is_whitespace() || c.is_control() => assembler.push(' ', place),
                c => assembler.push(c, place),
            }
        }
        false
    }
}
