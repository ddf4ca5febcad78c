//! Where files are looked for, and how arguments become entries, roles and tool sets.

use std::path::PathBuf;

use super::CliError;
use crate::world::{RoleId, ToolsetId, World};

/// What all commands share.
#[derive(Debug)]
pub struct Context {
    root: Option<PathBuf>,
}

impl Context {
    /// With `--root`, if it was given.
    pub fn new(root: Option<PathBuf>) -> Self {
        Context { root }
    }

    /// The entry of this id or path.
    ///
    /// # Errors
    /// When there is none, or it does not load.
    pub fn world(&self, problem: &str) -> Result<std::sync::Arc<World>, CliError> {
        Err(CliError::new(format!("there is no entry '{problem}'")))
    }

    /// `--root`.
    pub fn root(&self) -> Option<&PathBuf> {
        self.root.as_ref()
    }
}

/// The role of this name.
///
/// # Errors
/// Names the roles that there are.
pub fn role(world: &World, name: &str) -> Result<RoleId, CliError> {
    world.domain.role_id(name).ok_or_else(|| {
        let roles: Vec<&str> = world.domain.roles.keys().map(String::as_str).collect();
        CliError::new(format!("there is no role '{name}'")).hint(format!("the roles are {}", roles.join(", ")))
    })
}

/// The tool set of this name; without a name the first.
///
/// # Errors
/// Names the tool sets that there are.
pub fn toolset(world: &World, name: Option<&str>) -> Result<ToolsetId, CliError> {
    let Some(name) = name else { return Ok(ToolsetId(0)) };
    world.problem.toolsets.get_index_of(name).map(ToolsetId::from).ok_or_else(|| {
        let names: Vec<&str> = world.problem.toolsets.keys().map(String::as_str).collect();
        CliError::new(format!("there is no tool set '{name}'")).hint(format!("the tool sets are {}", names.join(", ")))
    })
}
