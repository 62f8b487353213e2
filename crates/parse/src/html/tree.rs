//! The tree of a page: all nodes in one vector, linked by number.
//!
//! Built by html5ever through [`TreeSink`]. Dropping it drops a vector; nothing recurses, however
//! deep the page nests (HTM-01).

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::num::NonZeroU32;

use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName};

/// Names a node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(NonZeroU32);

impl NodeId {
    /// The document. Numbers begin at one so that an absent neighbour costs no room.
    const ROOT: Self = Self(NonZeroU32::MIN);

    /// Returns its place among the nodes of its tree.
    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A finished tree.
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// A node and its neighbours.
pub(super) struct Node {
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    pub(super) data: Data,
}

/// What a node is.
pub(super) enum Data {
    /// The document, or the inside of a template.
    Root,
    /// An element.
    Element(Element),
    /// A run of text.
    Text(StrTendril),
    /// Comments, declarations, instructions: kept for their place only.
    Nothing,
}

/// An element with the attributes that the guard let pass.
pub(super) struct Element {
    pub(super) name: QualName,
    attributes: Vec<Attribute>,
    /// The inside of a template, which is not part of the page.
    template: Option<NodeId>,
    is_integration_point: bool,
}

impl Element {
    /// Returns all attributes, in the order of the tag.
    pub(super) fn raw_attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &LocalName) -> Option<&str> {
        let found = self.attributes.iter().find(|attribute| attribute.name.local == *name);
        found.map(|attribute| &*attribute.value)
    }

    /// Returns all attributes by name.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&LocalName, &str)> {
        self.attributes.iter().map(|attribute| (&attribute.name.local, &*attribute.value))
    }
}

impl Tree {
    pub(super) fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    pub(super) fn data(&self, node: NodeId) -> &Data {
        &self.nodes[node.index()].data
    }

    pub(super) fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child
    }

    pub(super) fn next(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].next
    }

    /// Returns the inside of a template.
    pub(super) fn template(&self, node: NodeId) -> Option<NodeId> {
        match self.data(node) {
            Data::Element(element) => element.template,
            _ => None,
        }
    }

    /// Returns how many nodes there are, those cut off again included.
    pub(super) fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent
    }

    pub(super) fn previous(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].previous
    }

    /// Returns all elements, also those that the parser has taken out again, in no order.
    pub(super) fn elements(&self) -> impl Iterator<Item = (NodeId, &Element)> {
        (1..).zip(&self.nodes).filter_map(|(number, node)| match &node.data {
            Data::Element(element) => Some((NodeId(NonZeroU32::new(number)?), element)),
            _ => None,
        })
    }

    /// Returns the text directly inside an element, as of `<title>`.
    pub(super) fn text_of(&self, node: NodeId) -> String {
        let mut text = String::new();
        let mut child = self.first_child(node);
        while let Some(node) = child {
            if let Data::Text(piece) = self.data(node) {
                text.push_str(piece);
            }
            child = self.next(node);
        }
        text
    }
}

/// Text for each node, in bytes.
const BYTES_PER_NODE: usize = 24;
/// Most nodes that room is made for before they come.
const MOST_ROOM: usize = 1 << 16;

/// Builds a [`Tree`]. html5ever calls it through shared references, hence the cells.
pub(super) struct Builder {
    nodes: RefCell<Vec<Node>>,
    /// Attributes of all elements.
    num_attributes: Cell<usize>,
    steps: Cell<u64>,
}

impl Builder {
    /// Begins a tree of a text of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        // Room for what pages with much mark-up have, so that it seldom grows.
        let nodes = Vec::with_capacity((bytes / BYTES_PER_NODE).min(MOST_ROOM) + 8);
        let nodes = RefCell::new(nodes);
        let builder = Self { nodes, num_attributes: Cell::new(0), steps: Cell::new(0) };
        builder.make(Data::Root);
        builder
    }

    /// Returns how much the tree holds: its nodes and their attributes, which are copied with
    /// each formatting element that is re-opened.
    pub(super) fn size(&self) -> usize {
        self.nodes.borrow().len() + self.num_attributes.get()
    }

    /// Returns how often the tree builder has asked for a name, compared or moved a node.
    ///
    /// All its searches do so at each element that they pass, so this is what it has done, in a
    /// unit that is the same on every machine.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    pub(super) fn finish(self) -> Tree {
        Tree { nodes: self.nodes.into_inner() }
    }

    /// Returns whether a node is an element whose name passes.
    pub(super) fn is_named(&self, node: NodeId, passes: impl Fn(&LocalName) -> bool) -> bool {
        self.step();
        match &self.nodes.borrow()[node.index()].data {
            Data::Element(element) => passes(&element.name.local),
            _ => false,
        }
    }

    /// Counts what the tree builder does without asking.
    pub(super) fn add_steps(&self, steps: u64) {
        self.steps.set(self.steps.get() + steps);
    }

    fn step(&self) {
        self.add_steps(1);
    }

    fn make(&self, data: Data) -> NodeId {
        let nodes = &mut *self.nodes.borrow_mut();
        nodes.push(Node {
            parent: None,
            previous: None,
            next: None,
            first_child: None,
            last_child: None,
            data,
        });
        let number = u32::try_from(nodes.len()).ok().and_then(NonZeroU32::new);
        NodeId(number.expect("the guard stops feeding long before 2^32 nodes"))
    }

    /// Appends text to the text node there is, or makes one.
    fn child(&self, neighbour: Option<NodeId>, child: NodeOrText<NodeId>) -> Option<NodeId> {
        match child {
            NodeOrText::AppendNode(node) => Some(node),
            NodeOrText::AppendText(text) => {
                if let Some(neighbour) = neighbour
                    && let Data::Text(before) = &mut self.nodes.borrow_mut()[neighbour.index()].data
                {
                    before.push_tendril(&text);
                    return None;
                }
                Some(self.make(Data::Text(text)))
            }
        }
    }

    fn detach(&self, node: NodeId) {
        self.step();
        let nodes = &mut *self.nodes.borrow_mut();
        let here = &mut nodes[node.index()];
        let (parent, previous, next) = (here.parent.take(), here.previous.take(), here.next.take());
        if let Some(next) = next {
            nodes[next.index()].previous = previous;
        } else if let Some(parent) = parent {
            nodes[parent.index()].last_child = previous;
        }
        if let Some(previous) = previous {
            nodes[previous.index()].next = next;
        } else if let Some(parent) = parent {
            nodes[parent.index()].first_child = next;
        }
    }

    fn append_node(&self, parent: NodeId, child: NodeId) {
        self.detach(child);
        let nodes = &mut *self.nodes.borrow_mut();
        let last = nodes[parent.index()].last_child.replace(child);
        match last {
            Some(last) => nodes[last.index()].next = Some(child),
            None => nodes[parent.index()].first_child = Some(child),
        }
        let here = &mut nodes[child.index()];
        (here.parent, here.previous) = (Some(parent), last);
    }

    fn insert_before(&self, sibling: NodeId, node: NodeId) {
        self.detach(node);
        let nodes = &mut *self.nodes.borrow_mut();
        let parent = nodes[sibling.index()].parent;
        let previous = nodes[sibling.index()].previous.replace(node);
        match (previous, parent) {
            (Some(previous), _) => nodes[previous.index()].next = Some(node),
            (None, Some(parent)) => nodes[parent.index()].first_child = Some(node),
            (None, None) => {}
        }
        let here = &mut nodes[node.index()];
        (here.parent, here.previous, here.next) = (parent, previous, Some(sibling));
    }

    fn previous(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.borrow()[node.index()].previous
    }
}

impl TreeSink for Builder {
    type Handle = NodeId;
    type Output = Self;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        NodeId::ROOT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        self.step();
        Ref::map(self.nodes.borrow(), |nodes| match &nodes[target.index()].data {
            Data::Element(element) => &element.name,
            _ => unreachable!("the tree builder asks only elements for their names"),
        })
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        self.num_attributes.set(self.num_attributes.get() + attributes.len());
        let template = flags.template.then(|| self.make(Data::Root));
        let is_integration_point = flags.mathml_annotation_xml_integration_point;
        self.make(Data::Element(Element { name, attributes, template, is_integration_point }))
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.make(Data::Nothing)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.make(Data::Nothing)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        let last = self.nodes.borrow()[parent.index()].last_child;
        if let Some(child) = self.child(last, child) {
            self.append_node(*parent, child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        before: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        if self.nodes.borrow()[element.index()].parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        match &self.nodes.borrow()[target.index()].data {
            Data::Element(Element { template: Some(contents), .. }) => *contents,
            _ => unreachable!("the tree builder asks only templates for their contents"),
        }
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        self.step();
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let previous = self.previous(*sibling);
        if let Some(child) = self.child(previous, child) {
            self.insert_before(*sibling, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        if let Data::Element(element) = &mut self.nodes.borrow_mut()[target.index()].data {
            // The guard passes a few dozen names only, so this list stays short.
            for attribute in attributes {
                if element.attribute(&attribute.name.local).is_none() {
                    element.attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        loop {
            let child = self.nodes.borrow()[node.index()].first_child;
            let Some(child) = child else { break };
            self.append_node(*new_parent, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &NodeId) -> bool {
        match &self.nodes.borrow()[handle.index()].data {
            Data::Element(element) => element.is_integration_point,
            _ => false,
        }
    }

    fn allow_declarative_shadow_roots(&self, _: &NodeId) -> bool {
        false
    }
}
