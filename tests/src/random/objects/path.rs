//! Where an object lies, and whether two of them share storage.

/// The variable of which something is a part.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Root {
    /// A variable of the procedure, or a dummy argument, which aliases no other one.
    Own(String),
    /// A variable of the module: other procedures see it, too.
    Module(String),
    /// A variable that pointers may point to.
    Target(String),
    /// What a pointer points to: one of the targets.
    Pointee,
}

/// A step from a whole to a part.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Component(String),
    /// An element, by its subscript.
    Element(String),
}

/// A part of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path {
    root: Root,
    steps: Vec<Step>,
}

impl Path {
    pub(super) fn new(root: Root) -> Self {
        Path { root, steps: Vec::new() }
    }

    /// That of a variable of the procedure.
    pub(super) fn own(name: &str) -> Self {
        Path::new(Root::Own(name.into()))
    }

    pub(super) fn component(&self, name: &str) -> Self {
        self.then(Step::Component(name.into()))
    }

    pub(super) fn element(&self, subscript: &str) -> Self {
        self.then(Step::Element(subscript.into()))
    }

    fn then(&self, step: Step) -> Self {
        let mut path = self.clone();
        path.steps.push(step);
        path
    }

    /// Whether it is part of a variable of the module.
    pub(super) fn in_module(&self) -> bool {
        matches!(self.root, Root::Module(_))
    }

    /// Whether pointers may point to it.
    pub(super) fn in_target(&self) -> bool {
        matches!(self.root, Root::Target(_) | Root::Pointee)
    }

    /// The name of the variable that it is part of; that is not known of what a pointer points to.
    pub(super) fn variable(&self) -> Option<&str> {
        match &self.root {
            Root::Own(name) | Root::Module(name) | Root::Target(name) => Some(name),
            Root::Pointee => None,
        }
    }

    /// Whether both may be parts of one variable.
    pub(super) fn same_variable(&self, other: &Path) -> bool {
        self.root == other.root
            || self.in_target()
                && other.in_target()
                && (self.root == Root::Pointee || other.root == Root::Pointee)
    }

    /// Whether they share no storage, whatever the values of subscripts are.
    pub(super) fn is_apart(&self, other: &Path) -> bool {
        if !self.same_variable(other) {
            return true;
        }
        if self.root == Root::Pointee || other.root == Root::Pointee {
            return false;
        }
        self.steps.iter().zip(&other.steps).any(|pair| match pair {
            (Step::Component(a), Step::Component(b)) => a != b,
            (Step::Element(a), Step::Element(b)) => {
                a != b && a.parse::<u32>().is_ok() && b.parse::<u32>().is_ok()
            }
            (Step::Component(_), Step::Element(_)) | (Step::Element(_), Step::Component(_)) => {
                false
            }
        })
    }
}
