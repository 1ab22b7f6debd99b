//! Namelists, written and read as gfortran 12 does (Fortran 2018, 13.11).
//!
//! Read are whole variables and elements; sections and components are refused.

use xaif_schema::model::ExprId;

use super::list::{ListReader, skip_space};
use super::listing::{item, quoted};
use super::record::Reader;
use super::scan::{Io, Trouble};
use crate::fault::refuse;
use crate::machine::Machine;
use crate::reference::check_index;
use crate::value::{Elem, Scalar, Value};
use crate::view::View;

/// So many values stand in a line of output.
const VALUES_A_LINE: usize = 5;

impl Machine<'_> {
    /// The records of a group.
    pub(super) fn namelist_records(&mut self, group: &str, members: &[ExprId]) -> Io<Vec<Vec<u8>>> {
        let mut records = vec![format!("&{}", group.to_ascii_uppercase()).into_bytes()];
        for &member in members {
            let Some(r) = self.reference_of(member) else { continue };
            let name = self.doc.name(self.doc.refs[r].base).to_ascii_uppercase();
            let values = match self.eval(member)? {
                Value::Scalar(scalar) => vec![scalar],
                Value::Array(array) => array.data,
                Value::Object(_) => return Ok(refuse("a derived type in a namelist")?),
            };
            let mut line = format!(" {name}=").into_bytes();
            let mut written = 0;
            let mut at = 0;
            while let Some(value) = values.get(at) {
                let same = values.iter().skip(at).take_while(|other| *other == value).count();
                at += same;
                line.extend(member_value(value, same)?);
                line.push(b',');
                written += 1;
                if written == VALUES_A_LINE && at < values.len() {
                    records.push(std::mem::take(&mut line));
                    line.push(b' ');
                    written = 0;
                }
            }
            records.push(line);
        }
        records.push(b" /".to_vec());
        Ok(records)
    }

    /// Reads a group.
    pub(super) fn read_namelist(
        &mut self,
        group: &str,
        members: &[ExprId],
        reader: &mut Reader,
    ) -> Io<()> {
        find_group(group, reader)?;
        loop {
            skip_space(reader)?;
            match reader.peek() {
                Some(b'/') => return Ok(()),
                Some(b',') => reader.column += 1,
                Some(b'&' | b'$') => {
                    reader.column += 1;
                    name(reader);
                    return Ok(());
                }
                Some(_) | None => self.read_member(members, reader)?,
            }
        }
    }

    fn read_member(&mut self, members: &[ExprId], reader: &mut Reader) -> Io<()> {
        let wanted = name(reader);
        let found = members.iter().find_map(|&member| {
            let r = self.reference_of(member)?;
            let base = self.doc.name(self.doc.refs[r].base);
            base.eq_ignore_ascii_case(&wanted).then_some(r)
        });
        let Some(r) = found else {
            return Err(Trouble::bad(format!("`{wanted}` is no member of the namelist")));
        };
        let mut view = self.locate(r)?.view()?;
        skip_space(reader)?;
        if reader.peek() == Some(b'(') {
            view = element(&view, reader)?;
            skip_space(reader)?;
        }
        if reader.peek() == Some(b'%') {
            return Ok(refuse("a component in namelist input")?);
        }
        if reader.peek() != Some(b'=') {
            return Err(Trouble::bad(format!("`=` is missing behind `{wanted}`")));
        }
        reader.column += 1;
        let mut list = ListReader::default();
        let elem = view.elem;
        for addr in view.elements() {
            if !list.repeats() && next_begins(reader)? {
                break;
            }
            let mut source = |elem: Elem| list.next(reader, elem);
            self.read_element(addr, elem, &mut source)?;
            if list.ended {
                break;
            }
        }
        Ok(())
    }
}

/// Moves behind `&group`.
fn find_group(group: &str, reader: &mut Reader) -> Io<()> {
    loop {
        if reader.line().is_none() {
            return Err(Trouble::End);
        }
        while matches!(reader.peek(), Some(b' ' | b'\t')) {
            reader.column += 1;
        }
        if matches!(reader.peek(), Some(b'&' | b'$')) {
            reader.column += 1;
            if name(reader).eq_ignore_ascii_case(group) {
                return Ok(());
            }
        }
        reader.advance();
    }
}

fn name(reader: &mut Reader) -> String {
    let mut name = String::new();
    while let Some(c) = reader.peek().filter(|&c| c.is_ascii_alphanumeric() || c == b'_') {
        name.push(char::from(c));
        reader.column += 1;
    }
    name
}

/// Whether the next thing is `/`, `&end` or the name of another member, not a value.
fn next_begins(reader: &mut Reader) -> Io<bool> {
    skip_space(reader)?;
    let start = (reader.at, reader.column);
    let begins = match reader.peek() {
        Some(b'/' | b'&' | b'$') => true,
        Some(c) if c.is_ascii_alphabetic() => {
            name(reader);
            skip_space(reader)?;
            matches!(reader.peek(), Some(b'=' | b'(' | b'%'))
        }
        Some(_) | None => false,
    };
    (reader.at, reader.column) = start;
    Ok(begins)
}

/// The element that subscripts name, and what follows it in its array.
fn element(view: &View, reader: &mut Reader) -> Io<View> {
    reader.column += 1;
    let mut text = String::new();
    while let Some(c) = reader.peek() {
        reader.column += 1;
        if c == b')' {
            break;
        }
        text.push(char::from(c));
    }
    let indices: Result<Vec<i64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    let Ok(indices) = indices else {
        return Ok(refuse("a section in namelist input")?);
    };
    if indices.len() != view.dims.len() {
        return Err(Trouble::bad("a namelist element has the wrong number of subscripts"));
    }
    let mut addr = view.addr;
    for (number, (&index, &extent)) in indices.iter().zip(&view.dims).enumerate() {
        check_index(index, extent, number + 1)?;
        addr = addr.plus((index - extent.lower).wrapping_mul(extent.stride));
    }
    // Of a vector the elements behind it may follow.
    match (view.dims.as_slice(), indices.as_slice()) {
        (&[extent], &[index]) => {
            let mut rest = view.clone();
            rest.addr = addr;
            if let Some(dim) = rest.dims.first_mut() {
                dim.count = extent.count - (index - extent.lower);
            }
            Ok(rest)
        }
        _ => Ok(View::scalar(view.elem, addr)),
    }
}

/// A value as it stands behind `name=`, with its repeat count.
fn member_value(value: &Scalar, count: usize) -> Io<Vec<u8>> {
    let mut text = Vec::new();
    if count > 1 {
        text.extend(format!(" {count}*").into_bytes());
    }
    match value {
        Scalar::Char(bytes) => text.extend(quoted(bytes, b'"')),
        Scalar::Complex(..) => {
            let pair = item(value, None)?;
            text.extend(pair.trim_ascii());
        }
        Scalar::Int(..) | Scalar::Logical(..) => text.extend(to_the_left(item(value, None)?)),
        Scalar::Real(..) | Scalar::Undefined(_) => {
            let field = item(value, None)?;
            text.extend(if count > 1 { to_the_left(field) } else { field });
        }
    }
    Ok(text)
}

/// A field with its blanks behind.
fn to_the_left(field: Vec<u8>) -> Vec<u8> {
    let width = field.len();
    let mut text = field.trim_ascii_start().to_vec();
    text.resize(width, b' ');
    text
}
