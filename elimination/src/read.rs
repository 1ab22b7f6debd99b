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
//! are called, one after the other; else they are called by their numbers. Other members are not looked at.

use serde::{Deserialize, Serialize};

use crate::graph::{Draft, Graph, GraphError, Partial, Role};

#[derive(Deserialize, Serialize)]
struct Written {
    #[serde(default)]
    name: String,
    inputs: usize,
    vertices: usize,
    outputs: Vec<usize>,
    edges: Vec<Edge>,
    #[serde(default)]
    names: Option<Vec<String>>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Edge {
    Plain(usize, usize),
    Labelled(usize, usize, Label),
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Label {
    Constant(f64),
    Name(String),
}

/// More vertices than that are a slip of the pen.
const MOST_VERTICES: usize = 50_000_000;

impl Graph {
    /// The graph that `text` says, and its name (empty if it has none).
    ///
    /// # Errors
    /// Text of another form; vertices that do not exist; what [`Draft::finish`] refuses.
    pub fn from_json(text: &str) -> Result<(String, Graph), GraphError> {
        let written: Written = serde_json::from_str(text).map_err(|error| GraphError::Json {
            message: error.to_string(),
            line: error.line(),
            column: error.column(),
        })?;
        let Written { name, inputs, vertices, outputs, edges, names } = written;
        let wrong = |message: String| GraphError::Json { message, line: 0, column: 0 };
        if inputs > vertices {
            return Err(wrong(format!("{inputs} inputs, but {vertices} vertices")));
        }
        if vertices > MOST_VERTICES {
            return Err(wrong(format!("{vertices} vertices are more than {MOST_VERTICES}")));
        }
        if let Some(names) = &names
            && names.len() != vertices
        {
            return Err(wrong(format!("{} names for {vertices} vertices", names.len())));
        }
        let called = |v: usize| match &names {
            Some(names) => names[v].clone(),
            None => v.to_string(),
        };
        let mut draft = Draft::new();
        for v in 0..vertices {
            let role = if v < inputs { Role::Input } else { Role::Intermediate };
            draft.vertex(role, called(v));
        }
        let known = |vertex: usize| match vertex < vertices {
            true => Ok(vertex as u32),
            false => Err(GraphError::NoSuchVertex { vertex, count: vertices }),
        };
        for output in outputs {
            if output < inputs {
                return Err(GraphError::InputAsOutput(output.to_string()));
            }
            draft.set_role(known(output)?, Role::Output);
        }
        for edge in edges {
            match edge {
                Edge::Plain(source, target) => draft.edge(known(source)?, known(target)?),
                Edge::Labelled(source, target, label) => {
                    let partial = match label {
                        Label::Constant(c) => Partial::Constant(c),
                        Label::Name(name) => draft.variable(&name),
                    };
                    draft.edge_with(known(source)?, known(target)?, partial);
                }
            }
        }
        Ok((name, draft.finish()?))
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
            Edge::Labelled(number[source as usize], number[target as usize], label)
        };
        let written = Written {
            name: name.to_owned(),
            inputs: inputs.len(),
            vertices: order.len(),
            outputs: (0..).zip(&order).filter(|(_, v)| is_output(v)).map(|(at, _)| at).collect(),
            edges: self.edges().map(edge).collect(),
            names: Some(order.iter().map(|&v| self.name(v).to_owned()).collect()),
        };
        // Numbers are finite, and keys are texts: there is nothing that JSON cannot say.
        serde_json::to_string(&written).unwrap_or_default()
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
}
