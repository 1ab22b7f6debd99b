//! A lower bound for all techniques: no sequence of eliminations takes fewer multiplications.
//!
//! Let v be a vertex, k the largest number of paths from inputs to v, and l that of paths from v to
//! outputs, that share no vertex but v. Take one of the former and one of the latter: the path
//! through v that they make is covered, in face elimination, by exactly one product at v, of a factor that stands for an
//! end of the first with one that stands for a beginning of the second. Factors for two of the former
//! begin at different vertices, so they are different, and so are those for two of the latter: that
//! makes k·l products at v. Every product has one middle vertex, so the sum of k·l over all vertices is a
//! bound for face elimination, and vertex and edge elimination are sequences of face eliminations.
//!
//! This needs that every product of different factors is a multiplication of its own: partials that
//! are different variables (no constants, no variable twice). The exact search does not see that equal
//! products are computed once. For what it counts the same holds of the paths whose edges all carry variables:
//! what stands for a part of such a path is never a constant, so its products are never free.

use crate::graph::{Graph, Partial, Role};
use crate::search::dense::{Dense, Frame, members};

/// The bound for a graph; `None` where partials are not different variables, or the graph is too
/// large.
pub fn lower_bound(graph: &Graph) -> Option<u64> {
    let frame = Frame::new(graph)?;
    is_generic(graph).then(|| frame.dense(graph).bound(&frame))
}

/// Whether the partials of `graph` are different variables.
pub(crate) fn is_generic(graph: &Graph) -> bool {
    let mut seen = std::collections::HashSet::new();
    // Edges between the same vertices are added up first, which keeps sums different.
    graph.edges().all(|(_, _, partial)| match partial {
        Partial::Variable(variable) => seen.insert(variable),
        Partial::Constant(_) => false,
    })
}

impl Dense<'_> {
    /// The bound for what is left to do in this state, if equal products are computed as often as they occur.
    pub(crate) fn bound(&self, frame: &Frame) -> u64 {
        match self.by_variables() {
            Some(variables) => variables.bound_of_variables(frame),
            None => self.bound_of_variables(frame),
        }
    }

    fn bound_of_variables(&self, frame: &Frame) -> u64 {
        let mut flow = Flow::new(frame.len());
        let (mut total, n) = (0, frame.len() as u32);
        for v in (0..n).filter(|&v| frame.role(v) != Role::Input) {
            if self.succ(v).iter().all(|&word| word == 0) {
                continue;
            }
            let to = flow.paths(v, |x| self.pred(x), |x| frame.role(x) == Role::Input);
            let from = flow.paths(v, |x| self.succ(x), |x| frame.role(x) == Role::Output);
            total += to * from;
        }
        total
    }
}

/// Largest numbers of paths without common vertices, by augmenting paths (Ford and Fulkerson).
struct Flow {
    /// The vertex behind and before one on the path that uses it.
    next: Vec<Option<u32>>,
    previous: Vec<Option<u32>>,
    /// From where a vertex was reached, at its entrance and its exit.
    reached: [Vec<Option<Place>>; 2],
    queue: Vec<Place>,
}

/// A vertex, at its entrance (`false`) or its exit.
type Place = (u32, bool);

impl Flow {
    fn new(n: usize) -> Flow {
        Flow {
            next: vec![None; n],
            previous: vec![None; n],
            reached: [vec![None; n], vec![None; n]],
            queue: Vec::new(),
        }
    }

    /// How many paths lead from `v` to vertices that are `terminal` and share no vertex but `v`.
    fn paths<'s>(
        &mut self,
        v: u32,
        adjacent: impl Fn(u32) -> &'s [u64],
        terminal: impl Fn(u32) -> bool,
    ) -> u64 {
        self.next.fill(None);
        self.previous.fill(None);
        let mut count = 0;
        let mut firsts: Vec<u32> = Vec::new();
        while let Some(end) = self.augment(v, &firsts, &adjacent, &terminal) {
            // Back along the way: new links are made, those that are gone backwards are undone.
            let mut made = Vec::new();
            let mut place = end;
            while let Some(before) = self.reached[usize::from(place.1)][place.0 as usize] {
                match (before.1, place.1) {
                    (true, false) => made.push((before.0, place.0)),
                    // From the entrance of x back to the exit of the one before it.
                    (false, true) if before.0 != place.0 => {
                        self.next[place.0 as usize] = None;
                        self.previous[before.0 as usize] = None;
                    }
                    _ => {}
                }
                if before == (v, true) {
                    break;
                }
                place = before;
            }
            for (a, b) in made {
                if a == v {
                    firsts.push(b);
                } else {
                    self.next[a as usize] = Some(b);
                }
                self.previous[b as usize] = Some(a);
            }
            count += 1;
        }
        count
    }

    fn augment<'s>(
        &mut self,
        v: u32,
        firsts: &[u32],
        adjacent: &impl Fn(u32) -> &'s [u64],
        terminal: &impl Fn(u32) -> bool,
    ) -> Option<Place> {
        self.reached.iter_mut().for_each(|side| side.fill(None));
        self.queue.clear();
        self.queue.push((v, true));
        let mut at = 0;
        while let Some(&place) = self.queue.get(at) {
            at += 1;
            let (x, exit) = place;
            let used = self.previous[x as usize];
            if exit {
                for y in members(adjacent(x)) {
                    let taken = match x == v {
                        true => firsts.contains(&y),
                        false => self.next[x as usize] == Some(y),
                    };
                    if !taken {
                        self.reach((y, false), place);
                    }
                }
                if x != v && used.is_some() {
                    self.reach((x, false), place);
                }
            } else if let Some(before) = used {
                if before != v {
                    self.reach((before, true), place);
                }
            } else if terminal(x) {
                return Some(place);
            } else {
                self.reach((x, true), place);
            }
        }
        None
    }

    fn reach(&mut self, place: Place, from: Place) {
        let known = &mut self.reached[usize::from(place.1)][place.0 as usize];
        if known.is_none() {
            *known = Some(from);
            self.queue.push(place);
        }
    }
}
