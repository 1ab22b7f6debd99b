//! Graphs as JSON, read and written: the form of `xaif-preaccumulate --graph FILE`.
//!
//! ```json
//! { "name": "f", "inputs": 2, "vertices": 4, "outputs": [3],
//!   "edges": [[0, 2], [1, 2, -1], [2, 3, "a"], [0, 3, 0.5]] }
//! ```
//!
//! Vertices are numbered from 0; the first `inputs` are the inputs. An edge leads from an argument
//! to a result. Without a third item it carries a variable of its own, a number is a constant
//! partial, a text names a variable that several edges may carry. `names` may say what the vertices
//! are called, one after the other; else they are called by their numbers. There are no other members.
//!
//! The text is taken apart piece by piece ([`RawValue`]), so that whatever is wrong is told with its place.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::graph::{Draft, Graph, Partial, Role};

/// What is wrong with a text that should be a graph, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct ReadError {
    /// What is wrong.
    pub message: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
}

/// More vertices than that are a slip of the pen.
const MOST_VERTICES: usize = 50_000_000;

/// The members of a graph.
const MEMBERS: [&str; 6] = ["name", "inputs", "vertices", "outputs", "edges", "names"];

/// A value as it stands in the text.
type Raw<'t> = &'t RawValue;

/// The members of an object, in their order.
struct Members<'t>(Vec<(String, Raw<'t>)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'t> Visitor<'t> for All {
            type Value = Members<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Members<'t>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// The text of a graph.
struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    /// An error at a value that is a part of the text.
    fn wrong(&self, at: Raw<'_>, message: String) -> ReadError {
        let offset = at.get().as_ptr().addr().saturating_sub(self.0.as_ptr().addr());
        let before = self.0.get(..offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        ReadError { message, line, column: before[start..].chars().count() + 1 }
    }

    /// What the whole text is, or a value in it.
    fn parse<'v, T: Deserialize<'v>>(&self, value: &'v str) -> Result<T, ReadError> {
        serde_json::from_str(value).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let place = format!(" at line {line} column {column}");
            let message = match error.is_eof() {
                true => "the text ends before the graph does".to_owned(),
                false => error.to_string().replace(&place, ""),
            };
            ReadError { message, line: line.max(1), column: column.max(1) }
        })
    }

    /// The members of the graph, each at its place in [`MEMBERS`].
    fn members(&self) -> Result<([Option<Raw<'t>>; 6], Raw<'t>), ReadError> {
        let whole: Raw<'t> = self.parse(self.0)?;
        if !whole.get().starts_with('{') {
            let message = format!("a graph is an object {{\"inputs\": …}}, not {}", shown(whole));
            return Err(self.wrong(whole, message));
        }
        let Members(written) = self.parse(self.0)?;
        let mut members = [None; 6];
        for (key, value) in written {
            let Some(at) = MEMBERS.iter().position(|known| *known == key) else {
                let known = MEMBERS.map(|name| format!("\"{name}\"")).join(", ");
                return Err(self.wrong(value, format!("there is no member {key:?}, but {known}")));
            };
            if members[at].replace(value).is_some() {
                return Err(self.wrong(value, format!("the member {key:?} stands twice")));
            }
        }
        Ok((members, whole))
    }

    fn list(&self, value: Raw<'t>, what: &str) -> Result<Vec<Raw<'t>>, ReadError> {
        match value.get().starts_with('[') {
            true => self.parse(value.get()),
            false => Err(self.wrong(value, format!("{what} is a list, not {}", shown(value)))),
        }
    }

    fn number(&self, value: Raw<'t>, what: &str) -> Result<usize, ReadError> {
        value.get().parse().map_err(|_| {
            let message = format!("{what} is a whole number from 0 on, not {}", shown(value));
            self.wrong(value, message)
        })
    }

    /// A text that can be a part of a line.
    fn line(&self, value: Raw<'t>, what: &str) -> Result<String, ReadError> {
        if !value.get().starts_with('"') {
            return Err(self.wrong(value, format!("{what} is a text, not {}", shown(value))));
        }
        let name: String = serde_json::from_str(value.get())
            .map_err(|_| self.wrong(value, format!("{what} is no text: {}", shown(value))))?;
        if name.chars().any(char::is_control) {
            return Err(self.wrong(value, format!("{what} does not fit in a line: {name:?}")));
        }
        Ok(name)
    }

    /// What something is called: it is printed in statements.
    fn name(&self, value: Raw<'t>, what: &str) -> Result<String, ReadError> {
        let name = self.line(value, what)?;
        match name.trim().is_empty() {
            true => Err(self.wrong(value, format!("{what} is empty"))),
            false => Ok(name),
        }
    }

    /// The number of one of `count` vertices.
    fn vertex(&self, value: Raw<'t>, count: usize) -> Result<u32, ReadError> {
        let vertex = self.number(value, "a vertex")?;
        if vertex >= count {
            let message = match count {
                0 => format!("there is no vertex {vertex}: the graph has none"),
                _ => format!("there is no vertex {vertex}: the last one is {}", count - 1),
            };
            return Err(self.wrong(value, message));
        }
        Ok(vertex as u32)
    }

    /// Those of `count` vertices that are outputs: none of the inputs, and none twice.
    fn outputs(
        &self,
        value: Raw<'t>,
        (inputs, count): (usize, usize),
    ) -> Result<Vec<u32>, ReadError> {
        let mut outputs = Vec::new();
        let mut known = HashSet::new();
        for value in self.list(value, "\"outputs\"")? {
            let output = self.vertex(value, count)?;
            if (output as usize) < inputs {
                let message = format!("{output} is an input and cannot be an output");
                return Err(self.wrong(value, message));
            }
            if !known.insert(output) {
                let message = format!("vertex {output} stands twice among the outputs");
                return Err(self.wrong(value, message));
            }
            outputs.push(output);
        }
        Ok(outputs)
    }

    /// What the vertices are called.
    fn names(&self, value: Raw<'t>, count: usize) -> Result<Vec<String>, ReadError> {
        let list = self.list(value, "\"names\"")?;
        if list.len() != count {
            let message = format!("{} names for {count} vertices", list.len());
            return Err(self.wrong(value, message));
        }
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut names = Vec::with_capacity(count);
        for (vertex, value) in list.into_iter().enumerate() {
            let name = self.name(value, "the name of a vertex")?;
            if let Some(first) = known.insert(name.clone(), vertex) {
                let message = format!("the vertices {first} and {vertex} are both called {name:?}");
                return Err(self.wrong(value, message));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// The edges with their places in the text.
    fn edges(&self, value: Raw<'t>, count: usize) -> Result<Vec<(Edge, Raw<'t>)>, ReadError> {
        let edge = |value: Raw<'t>| {
            let items = self.list(value, "an edge")?;
            let (source, target, label) = match items[..] {
                [source, target] => (source, target, None),
                [source, target, label] => (source, target, Some(self.label(label)?)),
                _ => {
                    let message = format!(
                        "an edge is [source, target] or [source, target, partial], not {}",
                        shown(value)
                    );
                    return Err(self.wrong(value, message));
                }
            };
            let ends = (self.vertex(source, count)?, self.vertex(target, count)?);
            Ok((Edge { ends, label }, value))
        };
        self.list(value, "\"edges\"")?.into_iter().map(edge).collect()
    }

    fn label(&self, value: Raw<'t>) -> Result<Label, ReadError> {
        let text = value.get();
        if text.starts_with('"') {
            return Ok(Label::Name(self.name(value, "the name of a partial derivative")?));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Label::Constant(number)),
            _ => {
                let message = format!(
                    "a partial derivative is a finite number or a name, not {}",
                    shown(value)
                );
                Err(self.wrong(value, message))
            }
        }
    }
}

/// A value in a message: its beginning.
fn shown(value: Raw<'_>) -> String {
    const SHOWN: usize = 30;
    let text = value.get();
    let line: String = text.chars().take(SHOWN).take_while(|c| !c.is_control()).collect();
    if line.len() < text.len() { line + "…" } else { line }
}

/// An edge as it is written.
struct Edge {
    ends: (u32, u32),
    label: Option<Label>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Label {
    Constant(f64),
    Name(String),
}

/// A graph as it is written by us.
#[derive(Serialize)]
struct Written {
    name: String,
    inputs: usize,
    vertices: usize,
    outputs: Vec<usize>,
    edges: Vec<(usize, usize, Label)>,
    names: Vec<String>,
}

impl Graph {
    /// The graph that `text` says, and its name (empty if it has none).
    ///
    /// # Errors
    /// Text of another form; vertices that do not exist; what [`Draft::finish`] refuses.
    pub fn from_json(text: &str) -> Result<(String, Graph), ReadError> {
        let text = Text(text);
        let ([name, inputs, vertices, outputs, edges, names], whole) = text.members()?;
        let missing = |what: &str| text.wrong(whole, format!("the graph has no member \"{what}\""));
        let name = name.map(|name| text.line(name, "\"name\"")).transpose()?.unwrap_or_default();
        let (first, count) = (
            inputs.ok_or_else(|| missing("inputs"))?,
            vertices.ok_or_else(|| missing("vertices"))?,
        );
        let vertices = text.number(count, "\"vertices\"")?;
        if vertices > MOST_VERTICES {
            let message = format!("{vertices} vertices are more than {MOST_VERTICES}");
            return Err(text.wrong(count, message));
        }
        let inputs = text.number(first, "\"inputs\"")?;
        if inputs > vertices {
            return Err(text.wrong(first, format!("{inputs} inputs, but {vertices} vertices")));
        }
        let names = names.map(|names| text.names(names, vertices)).transpose()?;
        let mut draft = Draft::new();
        for v in 0..vertices {
            let role = if v < inputs { Role::Input } else { Role::Intermediate };
            let own = names.as_ref().and_then(|names| names.get(v)).cloned();
            draft.vertex(role, own.unwrap_or_else(|| v.to_string()));
        }
        for output in
            text.outputs(outputs.ok_or_else(|| missing("outputs"))?, (inputs, vertices))?
        {
            draft.set_role(output, Role::Output);
        }
        let edges = text.edges(edges.ok_or_else(|| missing("edges"))?, vertices)?;
        join(&mut draft, edges.iter().map(|(edge, _)| edge));
        let graph = draft.finish().map_err(|error| {
            let at = edges.get(error.edge()).map_or(whole, |(_, value)| value);
            text.wrong(at, error.to_string())
        })?;
        Ok((name, graph))
    }

    /// The graph as a line of text that [`Graph::from_json`] reads; vertices are numbered anew, inputs
    /// first, the others in topological order.
    pub fn to_json(&self, name: &str) -> String {
        let (inputs, others): (Vec<u32>, Vec<u32>) =
            self.order().iter().partition(|&&v| self.role(v) == Role::Input);
        let order: Vec<u32> = inputs.iter().chain(&others).copied().collect();
        let mut number = vec![0; self.len()];
        for (at, &v) in order.iter().enumerate() {
            number[v as usize] = at;
        }
        let is_output = |v: &u32| self.role(*v) == Role::Output;
        let edge = |(source, target, partial): (u32, u32, Partial)| {
            let label = match partial {
                Partial::Constant(c) => Label::Constant(c),
                Partial::Variable(v) => Label::Name(self.variable_name(v).to_owned()),
            };
            (number[source as usize], number[target as usize], label)
        };
        let written = Written {
            name: name.to_owned(),
            inputs: inputs.len(),
            vertices: order.len(),
            outputs: (0..).zip(&order).filter(|(_, v)| is_output(v)).map(|(at, _)| at).collect(),
            edges: self.edges().map(edge).collect(),
            names: order.iter().map(|&v| self.name(v).to_owned()).collect(),
        };
        // Numbers are finite, and keys are texts: there is nothing that JSON cannot say.
        serde_json::to_string(&written).unwrap_or_default()
    }
}

/// Makes the edges.
fn join<'e>(draft: &mut Draft, edges: impl Iterator<Item = &'e Edge> + Clone) {
    // A variable of an edge's own is none that another edge names.
    for edge in edges.clone() {
        if let Some(Label::Name(name)) = &edge.label {
            draft.variable(name);
        }
    }
    for Edge { ends: (source, target), label } in edges {
        let partial = match label {
            None => {
                draft.edge(*source, *target);
                continue;
            }
            Some(Label::Constant(c)) => Partial::Constant(*c),
            Some(Label::Name(name)) => draft.variable(name),
        };
        draft.edge_with(*source, *target, partial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_graph;

    #[test]
    fn what_is_written_is_read_again() {
        for seed in 0..30 {
            let graph = random_graph(seed, 4, 20, 3);
            let text = graph.to_json("g");
            let (name, read) = Graph::from_json(&text).expect("a graph");
            assert_eq!(name, "g");
            assert_eq!(read.to_json("g"), text);
            let sorted = |graph: &Graph| {
                let name = |v| graph.name(v).to_owned();
                let mut edges: Vec<_> = graph
                    .edges()
                    .map(|(s, t, partial)| {
                        let label = match partial {
                            Partial::Constant(c) => c.to_string(),
                            Partial::Variable(v) => graph.variable_name(v).to_owned(),
                        };
                        (name(s), name(t), label, graph.role(s) == Role::Input)
                    })
                    .collect();
                edges.sort();
                edges
            };
            assert_eq!(sorted(&graph), sorted(&read), "seed {seed}");
        }
    }

    /// The message for a text that is refused, with its place.
    fn refused(text: &str) -> String {
        let error = Graph::from_json(text).expect_err(text);
        format!("{}:{}: {}", error.line, error.column, error.message)
    }

    #[test]
    fn what_is_wrong_is_told_in_plain_words_with_its_place() {
        for (text, expected) in [
            ("", "1:1: the text ends before the graph does"),
            ("{ \"inputs\": 1,\n  \"vertices\": }", "2:15: expected value"),
            ("\n [1]", "2:2: a graph is an object {\"inputs\": …}, not [1]"),
            ("{\"inputs\":1}\nx", "2:1: trailing characters"),
            ("\n{\"inputs\":1}", "2:1: the graph has no member \"vertices\""),
        ] {
            assert_eq!(refused(text), expected, "{text}");
        }
    }

    /// A member of a graph that is right in all others.
    #[test]
    fn every_member_is_looked_at() {
        let right = [
            ("inputs", "1"),
            ("vertices", "3"),
            ("outputs", "[2]"),
            ("edges", "[[0,1],[1,2]]"),
            ("names", "[\"x\",\"v\",\"y\"]"),
        ];
        for (member, value, expected) in [
            ("inputs", "-1", "1: \"inputs\" is a whole number from 0 on, not -1"),
            ("inputs", "1.5", "1: \"inputs\" is a whole number from 0 on, not 1.5"),
            ("inputs", "4", "1: 4 inputs, but 3 vertices"),
            ("vertices", "99999999999", "1: 99999999999 vertices are more than 50000000"),
            ("outputs", "2", "1: \"outputs\" is a list, not 2"),
            ("outputs", "[3]", "2: there is no vertex 3: the last one is 2"),
            ("outputs", "[0]", "2: 0 is an input and cannot be an output"),
            ("outputs", "[2,2]", "4: vertex 2 stands twice among the outputs"),
            ("names", "[\"x\"]", "1: 1 names for 3 vertices"),
            ("names", "[\"x\",\"v\",\"x\"]", "10: the vertices 0 and 2 are both called \"x\""),
            ("names", "[\"x\",\"\",\"y\"]", "6: the name of a vertex is empty"),
            ("names", "[1,\"v\",\"y\"]", "2: the name of a vertex is a text, not 1"),
            (
                "edges",
                "[[0,1,\"a\\nb\"]]",
                "7: the name of a partial derivative does not fit in a line: \"a\\nb\"",
            ),
            ("edges", "[[0,1,\"\"]]", "7: the name of a partial derivative is empty"),
            (
                "edges",
                "[[0,1,true]]",
                "7: a partial derivative is a finite number or a name, not true",
            ),
            (
                "edges",
                "[[0,1,1e999]]",
                "7: a partial derivative is a finite number or a name, not 1e999",
            ),
            (
                "edges",
                "[[0,1],[0]]",
                "8: an edge is [source, target] or [source, target, partial], not [0]",
            ),
            ("edges", "[[0,1],[1,0]]", "8: an edge leads to the input x"),
            ("edges", "[[0,1],[1,1],[1,2]]", "8: v lies on a cycle"),
            ("name", "\"a\\tb\"", "1: \"name\" does not fit in a line: \"a\\tb\""),
            (
                "title",
                "3",
                "1: there is no member \"title\", but \"name\", \"inputs\", \"vertices\", \"outputs\", \"edges\", \"names\"",
            ),
        ] {
            let others = right.iter().filter(|(name, _)| *name != member);
            let mut text: String =
                others.map(|(name, value)| format!("\"{name}\":{value},\n")).collect();
            text = format!("{{{text}\"{member}\":\n{value}}}");
            let line = text.lines().count();
            assert_eq!(refused(&text), format!("{line}:{expected}"), "{text}");
        }
        let twice = "{\"inputs\":1,\"vertices\":1,\n\"inputs\":1,\"outputs\":[],\"edges\":[]}";
        assert_eq!(refused(twice), "2:10: the member \"inputs\" stands twice");
    }

    /// What lies behind a cycle lies on none.
    #[test]
    fn the_cycle_is_told_and_not_what_is_behind_it() {
        let text =
            "{\"inputs\":1,\"vertices\":4,\"outputs\":[1],\n\"edges\":[[0,3],[2,1],[3,2],[2,3]]}";
        let told = refused(text);
        assert!(["2:22: 2 lies on a cycle", "2:28: 3 lies on a cycle"].contains(&&*told), "{told}");
    }

    /// A variable of an edge's own is shared with nobody, whatever others call theirs.
    #[test]
    fn a_name_does_not_take_the_variable_of_another_edge() {
        let text = r#"{"inputs":1,"vertices":3,"outputs":[2],"edges":[[0,1],[1,2,"c_1_0"]]}"#;
        let (_, graph) = Graph::from_json(text).expect("a graph");
        assert_eq!(graph.variables(), 2);
    }
}
