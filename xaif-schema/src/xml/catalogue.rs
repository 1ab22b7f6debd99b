//! The reader of catalogues of intrinsics: XAIF's `InlinableIntrinsicDefinitions` and
//! `NonInlinableIntrinsicDefinitions` (xaif_inlinable_intrinsics.xsd, xaif_noninlinable_intrinsics.xsd
//! of XAIF 1.0).
//!
//! It reads what the schemas say and checks the form: places of arguments, edges that lead to nodes.
//! What an entry means, and whether it makes sense, the booster's catalogue says.

use super::fault::{Read, fault, fault_with_help};
use super::input::Input;
use super::tag::{Ns, Tag};
use crate::diag::{Code, Diagnostics, Spot};

/// A catalogue of intrinsics as its author wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntrinsicCatalogue {
    /// Functions with a partial derivative for each argument.
    pub definitions: Vec<IntrinsicDefinition>,
    /// Functions that act on derivatives as they act on values.
    pub actions: Vec<DirectAction>,
    /// Procedures whose Jacobian another procedure computes.
    pub jacobians: Vec<ExplicitJacobian>,
}

/// `InlinableIntrinsic`
#[derive(Clone, Debug, PartialEq)]
pub struct IntrinsicDefinition {
    /// XAIF's name of the function.
    pub name: String,
    /// How many arguments it has.
    pub arguments: u16,
    /// Whether it is no smooth function.
    pub non_smooth: bool,
    /// Whether its value has another shape than its arguments.
    pub changes_shape: bool,
    /// The partial derivatives, in the order of the text.
    pub partials: Vec<IntrinsicPartial>,
    /// Where it stands.
    pub spot: Spot,
}

/// `Partial` of an inlinable intrinsic.
#[derive(Clone, Debug, PartialEq)]
pub struct IntrinsicPartial {
    /// The argument, counted from 1.
    pub argument: u16,
    /// What sort of partial it is.
    pub kind: PartialKind,
    /// Whether the function does not look at the argument's value.
    pub inquires: bool,
    /// The nodes of the expression; operands of a node are indices into them.
    pub nodes: Vec<CatalogueNode>,
    /// The node that is the value; `None` where there is no expression.
    pub root: Option<usize>,
    /// Where it stands.
    pub spot: Spot,
}

/// `partial_type`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartialKind {
    /// No derivative flows through the argument.
    Passive,
    /// 1
    LinearOne,
    /// -1
    LinearMinusOne,
    /// Independent of the arguments.
    Linear,
    /// Anything.
    Nonlinear,
}

/// A node of the expression of a partial derivative.
#[derive(Clone, Debug, PartialEq)]
pub enum CatalogueNode {
    /// The argument with this number, from 1; 0 is the value of the function.
    Argument(u16),
    /// A literal with its text.
    Constant(String),
    /// A function by its XAIF name, with the nodes of its arguments.
    Function(String, Vec<usize>),
}

/// `DirectAction`
#[derive(Clone, Debug, PartialEq)]
pub struct DirectAction {
    /// XAIF's name of the function.
    pub name: String,
    /// The function that makes the derivative of its value from that of its argument.
    pub action: String,
    /// Where it stands.
    pub spot: Spot,
}

/// `ExplicitJacobian`; its partials are not kept.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplicitJacobian {
    /// The procedure.
    pub name: String,
    /// The procedure that computes its Jacobian.
    pub jacobian: String,
    /// Where it stands.
    pub spot: Spot,
}

/// Reads a catalogue of intrinsics from the bytes of `file`.
///
/// # Errors
/// What is no XML, or does not follow the schemas, with its place.
pub fn read_catalogue(bytes: &[u8], file: &str) -> Result<IntrinsicCatalogue, Diagnostics> {
    let text = std::str::from_utf8(bytes).map_err(|error| -> Diagnostics {
        [crate::cli::not_utf8(file, bytes, error.valid_up_to())].into_iter().collect()
    })?;
    let mut reader = Reader { input: Input::new(text), text, file };
    reader.document().map_err(|fault| [fault.diagnostic(text, file)].into_iter().collect())
}

struct Reader<'a> {
    input: Input<'a>,
    text: &'a str,
    file: &'a str,
}

impl<'a> Reader<'a> {
    fn spot(&self, tag: &Tag<'a>) -> Spot {
        let (line, column) = super::fault::line_and_column(self.text, tag.offset);
        Spot::new(self.file, line, column)
    }

    fn document(&mut self) -> Read<IntrinsicCatalogue> {
        let Some(mut root) = self.input.child()? else {
            return fault(Code::MISSING_ELEMENT, 0, "there is no catalogue: the text is empty");
        };
        root.keep_namespaces()?;
        let mut catalogue = IntrinsicCatalogue::default();
        match (root.ns, root.name) {
            (Ns::Inlinable, "InlinableIntrinsicDefinitions") => {
                root.text("language")?;
                root.finish()?;
                while let Some(tag) = self.input.child()? {
                    match (tag.ns, tag.name) {
                        (Ns::Inlinable, "InlinableIntrinsic") => {
                            let definition = self.definition(tag)?;
                            catalogue.definitions.push(definition);
                        }
                        _ => return tag.unexpected("InlinableIntrinsicDefinitions"),
                    }
                }
            }
            (Ns::NonInlinable, "NonInlinableIntrinsicDefinitions") => {
                root.finish()?;
                self.non_inlinable(&mut catalogue)?;
            }
            _ => {
                return fault_with_help(
                    Code::UNKNOWN_ELEMENT,
                    root.offset,
                    format!("`{}` is no catalogue of intrinsics", root.name),
                    "the root is `InlinableIntrinsicDefinitions` of the namespace \
                     `http://www.mcs.anl.gov/XAIFInlinableIntrinsics`",
                );
            }
        }
        self.input.end()?;
        Ok(catalogue)
    }

    fn definition(&mut self, mut tag: Tag<'a>) -> Read<IntrinsicDefinition> {
        let spot = self.spot(&tag);
        let name = tag.text("name")?.into_owned();
        let arguments: u16 = tag.number_required("nr_arguments")?;
        tag.text_opt("return_type")?;
        let non_smooth = tag.flag_or_false("nonSmooth")?;
        let changes_shape = match tag.text_opt("shapeChange")?.as_deref() {
            None | Some("no_change") => false,
            Some("scalar" | "rank") => true,
            Some(other) => return tag.bad(format!("`shapeChange` cannot be `{other}`")),
        };
        tag.finish()?;
        let mut partials: Vec<IntrinsicPartial> = Vec::new();
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                // How to compute the value: the language knows.
                (Ns::Inlinable, "Function") => self.input.skip()?,
                (Ns::Inlinable, "Partial") => {
                    let offset = child.offset;
                    let partial = self.partial(child, arguments)?;
                    if partials.iter().any(|other| other.argument == partial.argument) {
                        let message = format!("a second partial by argument {}", partial.argument);
                        return fault(Code::BAD_VALUE, offset, message);
                    }
                    partials.push(partial);
                }
                _ => return child.unexpected("InlinableIntrinsic"),
            }
        }
        if let Some(missing) =
            (1..=arguments).find(|&n| partials.iter().all(|partial| partial.argument != n))
        {
            let message = format!("`{name}` has no partial by argument {missing}");
            return fault(Code::MISSING_ELEMENT, tag.offset, message);
        }
        Ok(IntrinsicDefinition { name, arguments, non_smooth, changes_shape, partials, spot })
    }

    fn partial(&mut self, mut tag: Tag<'a>, arguments: u16) -> Read<IntrinsicPartial> {
        let spot = self.spot(&tag);
        let argument: u16 = tag.number_required("partial_id")?;
        if argument == 0 || argument > arguments {
            return tag.bad(format!("there is no argument {argument}"));
        }
        let kind = match tag.text_opt("partial_type")?.as_deref() {
            Some("passive") => PartialKind::Passive,
            Some("linear_one") => PartialKind::LinearOne,
            Some("linear_minus_one") => PartialKind::LinearMinusOne,
            Some("linear") => PartialKind::Linear,
            None | Some("nonlinear") => PartialKind::Nonlinear,
            Some(other) => return tag.bad(format!("`partial_type` cannot be `{other}`")),
        };
        let inquires = tag.flag_or_false("nonValueInquiry")?;
        tag.finish()?;
        let offset = tag.offset;
        let (nodes, root) = self.expression(arguments, offset)?;
        let needed = matches!(kind, PartialKind::Linear | PartialKind::Nonlinear);
        if root.is_none() && needed && !inquires {
            return fault(Code::MISSING_ELEMENT, offset, "this partial has no expression");
        }
        Ok(IntrinsicPartial { argument, kind, inquires, nodes, root, spot })
    }

    /// Nodes and edges; the root is the node that no edge leaves.
    fn expression(
        &mut self,
        arguments: u16,
        offset: usize,
    ) -> Read<(Vec<CatalogueNode>, Option<usize>)> {
        let mut nodes: Vec<CatalogueNode> = Vec::new();
        let mut ids: Vec<String> = Vec::new();
        let mut edges: Vec<(String, String, u16, usize)> = Vec::new();
        while let Some(mut tag) = self.input.child()? {
            let at = tag.offset;
            let node = match (tag.ns, tag.name) {
                (Ns::Inlinable, "ArgumentReference") => {
                    let argument: u16 = tag.number_required("argument")?;
                    if argument > arguments {
                        return tag.bad(format!("there is no argument {argument}"));
                    }
                    CatalogueNode::Argument(argument)
                }
                (Ns::Xaif, "Constant") => {
                    tag.text_opt("type")?;
                    tag.text_opt("feType")?;
                    CatalogueNode::Constant(tag.text("value")?.into_owned())
                }
                (Ns::Xaif, "Intrinsic") => {
                    tag.text_opt("type")?;
                    tag.text_opt("rType")?;
                    CatalogueNode::Function(tag.text("name")?.into_owned(), Vec::new())
                }
                (Ns::Xaif, "ExpressionEdge") => {
                    tag.text_opt("edge_id")?;
                    let source = tag.text("source")?.into_owned();
                    let target = tag.text("target")?.into_owned();
                    let position: u16 = tag.number("position")?.unwrap_or(1);
                    tag.text_opt("annotation")?;
                    tag.finish()?;
                    self.input.leaf("ExpressionEdge")?;
                    edges.push((source, target, position, at));
                    continue;
                }
                _ => return tag.unexpected("Partial"),
            };
            // A single node needs no id.
            ids.push(tag.text_opt("vertex_id")?.map(Into::into).unwrap_or_default());
            tag.text_opt("annotation")?;
            tag.finish()?;
            let name = tag.name;
            self.input.leaf(name)?;
            nodes.push(node);
        }
        let root = connect(&mut nodes, &ids, edges, offset)?;
        Ok((nodes, root))
    }

    fn non_inlinable(&mut self, catalogue: &mut IntrinsicCatalogue) -> Read<()> {
        while let Some(mut tag) = self.input.child()? {
            let spot = self.spot(&tag);
            match (tag.ns, tag.name) {
                (Ns::NonInlinable, "DirectAction") => {
                    let name = tag.text("name")?.into_owned();
                    let action = tag.text("derivAction")?.into_owned();
                    tag.flag_or_false("nonSmooth")?;
                    tag.finish()?;
                    self.input.leaf("DirectAction")?;
                    catalogue.actions.push(DirectAction { name, action, spot });
                }
                (Ns::NonInlinable, "ExplicitJacobian") => {
                    let name = tag.text("name")?.into_owned();
                    let jacobian = tag.text("jacobian")?.into_owned();
                    self.input.skip()?;
                    catalogue.jacobians.push(ExplicitJacobian { name, jacobian, spot });
                }
                _ => return tag.unexpected("NonInlinableIntrinsicDefinitions"),
            }
        }
        Ok(())
    }
}

/// Gives each function its arguments; the result is the root.
fn connect(
    nodes: &mut [CatalogueNode],
    ids: &[String],
    mut edges: Vec<(String, String, u16, usize)>,
    offset: usize,
) -> Read<Option<usize>> {
    edges.sort_by_key(|edge| edge.2);
    let mut used = vec![false; nodes.len()];
    let find = |id: &str, at: usize| match ids.iter().position(|known| known == id) {
        Some(index) => Ok(index),
        None => fault(Code::UNKNOWN_REFERENCE, at, format!("there is no node `{id}`")),
    };
    for (source, target, position, at) in edges {
        let (source, target) = (find(&source, at)?, find(&target, at)?);
        if let Some(used) = used.get_mut(source) {
            *used = true;
        }
        match nodes.get_mut(target) {
            Some(CatalogueNode::Function(name, args)) => {
                if usize::from(position) != args.len() + 1 {
                    let message = format!("argument {} of `{name}` is missing", args.len() + 1);
                    return fault(Code::BAD_VALUE, at, message);
                }
                args.push(source);
            }
            Some(CatalogueNode::Argument(_) | CatalogueNode::Constant(_)) | None => {
                return fault(Code::BAD_VALUE, at, "an edge leads to a node without arguments");
            }
        }
    }
    let mut roots = (0..nodes.len()).filter(|&index| used.get(index) == Some(&false));
    let root = roots.next();
    match (root, roots.next()) {
        (None, _) if !nodes.is_empty() => {
            fault(Code::BAD_VALUE, offset, "this expression is a circle")
        }
        (_, Some(_)) => fault(Code::BAD_VALUE, offset, "this expression has more than one root"),
        _ => Ok(root),
    }
}
