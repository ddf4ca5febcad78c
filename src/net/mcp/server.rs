//! The protocol mapped to a run: no transport, no clock.

use std::borrow::Cow;
use std::io;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, InitializeRequestParams,
    InitializeResult, JsonObject, ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    Prompt, PromptMessage, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, Role, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::offer::lock;
use super::{Offer, Reply, Run, TASK_URI};
use crate::exec::Json;

/// The name of the prompt and of the resource that hold the task.
const TASK: &str = "task";
const TASK_DOC: &str = "Whom you serve, what is asked, what there is, and how many calls you may make.";
const INSTRUCTIONS: &str = "Your task is the prompt 'task', which is the resource refract://task too. \
                            Act through the tools. When you are done, call finish.";
/// Longer names of clients are cut: they stand in every header.
const LONGEST_NAME: usize = 100;

/// The versions of the protocol that are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    /// All: where the connection is the session.
    All,
    /// Those with sessions. Over HTTP later ones have none, and an episode is one.
    WithSessions,
}

/// What answers one client.
#[derive(Debug)]
pub struct Server {
    offer: Arc<Offer>,
    versions: Versions,
    run: Mutex<Option<Arc<Run>>>,
}

impl Server {
    /// For a client that has not said anything yet.
    pub fn new(offer: Arc<Offer>, versions: Versions) -> Server {
        Server { offer, versions, run: Mutex::default() }
    }

    /// The client's run, begun if need be.
    fn run(&self, client: Option<&Implementation>) -> Result<Arc<Run>, ErrorData> {
        let mut run = lock(&self.run);
        if let Some(run) = &*run {
            return Ok(run.clone());
        }
        let name = match client {
            Some(Implementation { name, version, .. }) => {
                format!("{name}/{version}").chars().take(LONGEST_NAME).collect()
            }
            None => "mcp".to_owned(),
        };
        Ok(run.insert(self.offer.begin(&name).map_err(broken)?).clone())
    }

    fn call(&self, tool: Json, args: Json, context: &RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
        let Reply { text, refused } = self.run(context.client_info().as_ref())?.call(&tool, &args).map_err(broken)?;
        let content = vec![ContentBlock::text(text)];
        Ok(if refused { CallToolResult::error(content) } else { CallToolResult::success(content) })
    }

    fn told(&self, way: &str, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.run(context.client_info().as_ref())?.told(way).map_err(broken)
    }

    fn tools(&self) -> Vec<Tool> {
        let tool = |tool: &crate::agent::Function| {
            let schema = tool.parameters.as_object().cloned().unwrap_or_default();
            Tool::new(tool.name.clone(), tool.description.clone(), Arc::new(schema))
        };
        self.offer.prompt.tools.iter().map(tool).collect()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("refract", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(match self.versions {
            Versions::All => ProtocolVersion::KNOWN_VERSIONS,
            Versions::WithSessions => ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25),
        })
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        self.run(Some(&request.client_info))?;
        context.peer.set_peer_info(request);
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let args = Value::Object(request.arguments.unwrap_or_default());
        self.call(Json::string(&request.name), Json::new(&args.to_string()), &context).map(Into::into)
    }

    /// What the protocol does not know. A call whose name is no string or whose arguments are no object is
    /// among it; it is a bad call of the agent, and stands in the log as it was sent.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "tools/call" {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        }
        let sent = |key: &str, absent: Value| {
            let value = request.params.as_ref().and_then(|params| params.get(key)).cloned();
            Json::new(&value.unwrap_or(absent).to_string())
        };
        let none = Value::Object(JsonObject::new());
        let mut result = self.call(sent("name", Value::Null), sent("arguments", none), &context)?;
        if context.protocol_version().is_some_and(|version| version < ProtocolVersion::V_2026_07_28) {
            result.result_type = None;
        }
        serde_json::to_value(result).map(CustomResult).map_err(|error| broken(error.into()))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new(TASK, Some(TASK_DOC), None)]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != TASK {
            return Err(ErrorData::invalid_params(format!("there is no prompt '{}'", request.name), None));
        }
        self.told("prompt", &context)?;
        let texts = [&self.offer.prompt.system, &self.offer.prompt.user];
        let messages = texts.map(|text| PromptMessage::new_text(Role::User, text)).into();
        Ok(GetPromptResult::new(messages).with_description(TASK_DOC).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let task = Resource::new(TASK_URI, TASK).with_description(TASK_DOC).with_mime_type("text/plain");
        Ok(ListResourcesResult::with_all_items(vec![task]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != TASK_URI {
            return Err(ErrorData::resource_not_found(format!("there is no resource '{}'", request.uri), None));
        }
        self.told("resource", &context)?;
        Ok(ReadResourceResult::new(vec![ResourceContents::text(self.offer.task(), TASK_URI)]).into())
    }
}

/// The server cannot do its part: no fault of the agent, and no step of the run.
fn broken(error: io::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
