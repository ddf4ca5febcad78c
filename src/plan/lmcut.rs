//! An admissible estimate of the distance to the goal: landmark cuts (Helmert & Domshlak,
//! "Landmarks, Critical Paths and Abstractions: What's the Difference Anyway?", ICAPS 2009).
//!
//! Deletes are ignored; a literal that asks for falsehood is a proposition of its own, made true by a
//! delete. An action with conditional effects is one operator per effect, and all of them share the
//! action's cost: each cut then is a landmark over whole actions, so their sum stays admissible.

use super::task::{Condition, Task, ones};

/// The estimate, and memory that it uses again and again.
#[derive(Debug)]
pub(super) struct LmCut {
    operators: Vec<Operator>,
    /// Per proposition: the operators that ask for it.
    asking: Vec<Vec<u32>>,
    /// Per proposition: the operators that make it true.
    making: Vec<Vec<u32>>,
    actions: usize,
    facts: usize,
    goal: u32,
    /// Per action: what is left of its cost of 1.
    cost: Vec<bool>,
    value: Vec<u32>,
    unmet: Vec<u32>,
    supporter: Vec<u32>,
    zone: Vec<Zone>,
    now: Vec<u32>,
    later: Vec<u32>,
}

#[derive(Debug)]
struct Operator {
    /// `None` reaches the goal, at no cost.
    action: Option<u32>,
    precondition: Vec<u32>,
    effect: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    Unknown,
    /// Leads to the goal at no further cost.
    Goal,
    /// Is reached before the cut.
    Before,
}

const NEVER: u32 = u32::MAX;

impl LmCut {
    pub(super) fn new(task: &Task) -> LmCut {
        let facts = task.facts();
        // True and false of each fact, the goal, and what always holds.
        let (goal, always) = (2 * facts as u32, 2 * facts as u32 + 1);
        let propositions = |condition: &Condition| {
            let on = ones(&condition.on).map(|fact| 2 * fact as u32);
            on.chain(ones(&condition.off).map(|fact| 2 * fact as u32 + 1)).collect::<Vec<u32>>()
        };
        let changed = |add: &[u64], delete: &[u64]| {
            let add = ones(add).map(|fact| 2 * fact as u32);
            add.chain(ones(delete).map(|fact| 2 * fact as u32 + 1)).collect::<Vec<u32>>()
        };
        let mut operators = Vec::new();
        for (number, action) in (0..).zip(&task.actions) {
            let precondition = propositions(&action.precondition);
            for change in &action.conditional {
                let precondition = [&precondition[..], &propositions(&change.when)].concat();
                let effect = changed(&change.add, &change.delete);
                operators.push(Operator { action: Some(number), precondition, effect });
            }
            let effect = changed(&action.add, &action.delete);
            operators.push(Operator { action: Some(number), precondition, effect });
        }
        for condition in &task.goal {
            operators.push(Operator { action: None, precondition: propositions(condition), effect: vec![goal] });
        }
        let mut wanted = vec![false; always as usize + 1];
        wanted[goal as usize] = true;
        for operator in &mut operators {
            operator.precondition.sort_unstable();
            operator.precondition.dedup();
            operator.precondition.iter().for_each(|&proposition| wanted[proposition as usize] = true);
            if operator.precondition.is_empty() {
                operator.precondition.push(always);
            }
        }
        operators.iter_mut().for_each(|operator| operator.effect.retain(|&effect| wanted[effect as usize]));
        operators.retain(|operator| !operator.effect.is_empty());
        let mut asking = vec![Vec::new(); always as usize + 1];
        let mut making = asking.clone();
        for (number, operator) in (0u32..).zip(&operators) {
            operator.precondition.iter().for_each(|&proposition| asking[proposition as usize].push(number));
            operator.effect.iter().for_each(|&proposition| making[proposition as usize].push(number));
        }
        LmCut {
            cost: vec![true; task.actions.len()],
            value: vec![NEVER; asking.len()],
            unmet: vec![0; operators.len()],
            supporter: vec![NEVER; operators.len()],
            zone: vec![Zone::Unknown; asking.len()],
            now: Vec::new(),
            later: Vec::new(),
            actions: task.actions.len(),
            facts,
            goal,
            operators,
            asking,
            making,
        }
    }

    /// Calls that are needed at least from a state on; `None` when the goal cannot be reached.
    pub(super) fn estimate(&mut self, state: &[u64]) -> Option<u32> {
        self.cost.clear();
        self.cost.resize(self.actions, true);
        let mut estimate = 0;
        loop {
            match self.critical_path(state) {
                NEVER => return None,
                0 => return Some(estimate),
                _ if self.cut(state) => estimate += 1,
                _ => return Some(estimate),
            }
        }
    }

    fn true_at_start<'a>(&self, state: &'a [u64]) -> impl Iterator<Item = u32> + use<'a> {
        let always = self.goal + 1;
        let holds = |fact: usize| state[fact / 64] >> (fact % 64) & 1 == 1;
        (0..self.facts).map(move |fact| 2 * fact as u32 + u32::from(!holds(fact))).chain([always])
    }

    /// The cost of the dearest fact on the way to each proposition (h-max); gives the goal's.
    fn critical_path(&mut self, state: &[u64]) -> u32 {
        self.value.fill(NEVER);
        self.supporter.fill(NEVER);
        for (unmet, operator) in self.unmet.iter_mut().zip(&self.operators) {
            *unmet = operator.precondition.len() as u32;
        }
        self.now.clear();
        self.later.clear();
        for proposition in self.true_at_start(state) {
            self.value[proposition as usize] = 0;
            self.now.push(proposition);
        }
        let mut level = 0;
        loop {
            while let Some(proposition) = self.now.pop() {
                // It may stand here twice: at its first value, and at one that turned out lower.
                if self.value[proposition as usize] != level {
                    continue;
                }
                for &number in &self.asking[proposition as usize] {
                    let unmet = &mut self.unmet[number as usize];
                    *unmet -= 1;
                    if *unmet > 0 {
                        continue;
                    }
                    let operator = &self.operators[number as usize];
                    // The last condition to be met is the dearest.
                    self.supporter[number as usize] = proposition;
                    let costs = operator.action.is_some_and(|action| self.cost[action as usize]);
                    let reached = level + u32::from(costs);
                    for &effect in &operator.effect {
                        if reached < self.value[effect as usize] {
                            self.value[effect as usize] = reached;
                            if costs { &mut self.later } else { &mut self.now }.push(effect);
                        }
                    }
                }
            }
            if self.later.is_empty() {
                return self.value[self.goal as usize];
            }
            std::mem::swap(&mut self.now, &mut self.later);
            level += 1;
        }
    }

    /// Finds actions of which every plan needs one, and takes their cost away; says whether there are any.
    fn cut(&mut self, state: &[u64]) -> bool {
        let mut found = false;
        self.zone.fill(Zone::Unknown);
        self.zone[self.goal as usize] = Zone::Goal;
        self.now.push(self.goal);
        while let Some(proposition) = self.now.pop() {
            for &number in &self.making[proposition as usize] {
                let operator = &self.operators[number as usize];
                let supporter = self.supporter[number as usize];
                let free = operator.action.is_none_or(|action| !self.cost[action as usize]);
                if free && supporter != NEVER && self.zone[supporter as usize] == Zone::Unknown {
                    self.zone[supporter as usize] = Zone::Goal;
                    self.now.push(supporter);
                }
            }
        }
        for proposition in self.true_at_start(state) {
            self.zone[proposition as usize] = Zone::Before;
            self.now.push(proposition);
        }
        while let Some(proposition) = self.now.pop() {
            for &number in &self.asking[proposition as usize] {
                if self.supporter[number as usize] != proposition {
                    continue;
                }
                let operator = &self.operators[number as usize];
                if operator.effect.iter().any(|&effect| self.zone[effect as usize] == Zone::Goal) {
                    if let Some(action) = operator.action {
                        // Later operators of this very cut still see which zone they lead to.
                        self.cost[action as usize] = false;
                        found = true;
                    }
                    continue;
                }
                for &effect in &operator.effect {
                    if self.zone[effect as usize] == Zone::Unknown {
                        self.zone[effect as usize] = Zone::Before;
                        self.now.push(effect);
                    }
                }
            }
        }
        found
    }
}
