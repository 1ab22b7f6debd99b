//! Graphs as JSON: the form of `xaif-preaccumulate --graph FILE`.
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

use serde::Deserialize;

use crate::graph::{Draft, Graph, GraphError, Partial, Role};

#[derive(Deserialize)]
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

#[derive(Deserialize)]
#[serde(untagged)]
enum Edge {
    Plain(usize, usize),
    Labelled(usize, usize, Label),
}

#[derive(Deserialize)]
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
}
