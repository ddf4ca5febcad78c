//! A place to play at: the pump house, and a folder for logs.
#![allow(dead_code)]

use std::sync::Arc;

use refract::tui::play::{Out, Plan, Play};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::world::{Input, Library, SourceFile, ToolsetId, World};

pub const DOMAIN: &str = include_str!("../fixtures/pump/domain/pump-house.json");
pub const PROBLEM: &str = include_str!("../fixtures/pump/problems/ph-1.json");

pub fn world(domain: &str, problem: &str) -> Arc<World> {
    let inputs = [("domain.json", domain), ("problem.json", problem)];
    let inputs = inputs.map(|(name, text)| Input::Text(SourceFile::new(name, text)));
    let library = Library::load(inputs.into(), None);
    library.worlds.values().next().unwrap_or_else(|| panic!("{:#?}", library.diagnostics)).clone()
}

pub fn pump() -> Arc<World> {
    world(DOMAIN, PROBLEM)
}

pub struct Table {
    pub folder: tempfile::TempDir,
    pub world: Arc<World>,
}

impl Table {
    pub fn new() -> Table {
        Table { folder: tempfile::tempdir().unwrap(), world: pump() }
    }

    pub fn plan(&self, role: &str) -> Plan {
        Plan {
            role: Some(self.world.domain.role_id(role).unwrap()),
            toolset: Some(ToolsetId(0)),
            open: false,
            out: Some(Out::Folder(self.folder.path().to_owned())),
            start: None,
        }
    }

    pub fn sit(&self, plan: Plan, width: u16, height: u16) -> Harness {
        let shelf = Arc::new(Shelf::of(vec![self.folder.path().to_owned()], None));
        Harness::new(Play::new(&shelf, &self.world, plan), width, height)
    }

    pub fn play(&self, role: &str, keys: &str) -> Harness {
        let mut harness = self.sit(self.plan(role), 120, 36);
        harness.keys(keys);
        harness
    }

    pub fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{name}.jsonl"))).unwrap()
    }

    pub fn logs(&self) -> usize {
        std::fs::read_dir(self.folder.path()).unwrap().count()
    }

    /// The log without its header: what the player did.
    pub fn events(&self, name: &str) -> Vec<String> {
        self.log(name).lines().skip(1).map(str::to_owned).collect()
    }
}
