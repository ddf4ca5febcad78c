//! Requests to an endpoint, made again after faults that may pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use ureq::http::{HeaderMap, StatusCode, header};

use super::key::Key;
use super::wait::{self, LOOK};
use crate::agent::Broken;
use crate::exec::Json;
use crate::text::visible;

/// The largest answer, in bytes.
const LARGEST: u64 = 16 << 20;
/// The longest wait between two tries, whoever asks for it.
const LONGEST: Duration = Duration::from_secs(120);
/// How much of what a server says about a fault is passed on, in characters.
const SAID: usize = 300;

/// Where requests go.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// What makes them; it keeps connections.
    http: ureq::Agent,
    /// The address.
    url: String,
    /// The header that carries the key, and what stands before it.
    pub(super) carries: (&'static str, &'static str),
    /// Headers that are always sent.
    pub(super) headers: &'static [(&'static str, &'static str)],
    key: Option<Key>,
    retries: u32,
    back_off: Duration,
}

/// Why there is no answer.
struct Fault {
    why: String,
    status: Option<u16>,
    /// Whether it may pass.
    passes: bool,
    /// How long the server asks to wait.
    wait: Option<Duration>,
}

impl Fault {
    fn passing(why: impl Into<String>) -> Fault {
        Fault { why: why.into(), status: None, passes: true, wait: None }
    }
}

impl Endpoint {
    /// Where `url` is, which the caller has looked at.
    pub(super) fn new(url: String, key: Option<Key>, timeout: Duration, retries: u32, back_off: Duration) -> Endpoint {
        let mut config = ureq::Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // A request with a key in it goes where it was sent to, and nowhere else.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(256)
            .max_idle_connections_per_host(256)
            .user_agent(concat!("refract/", env!("CARGO_PKG_VERSION")));
        if is_here(&url) {
            config = config.proxy(None);
        }
        Endpoint {
            http: config.build().new_agent(),
            url,
            carries: ("authorization", "Bearer "),
            headers: &[],
            key,
            retries,
            back_off,
        }
    }

    /// What `read` makes of the answer to a request; a fault that may pass, an answer that it cannot read
    /// among them, is waited for. Each wait is added to `notes`.
    pub(super) fn ask<T>(
        self: &Arc<Self>,
        body: &Arc<str>,
        stop: &AtomicBool,
        notes: &mut Vec<(&'static str, Json)>,
        mut read: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, Broken> {
        let mut tries = 0;
        loop {
            let fault = match self.answer(body, stop) {
                Ok(answer) => match read(&answer) {
                    Ok(read) => return Ok(read),
                    Err(why) => Fault::passing(why),
                },
                Err(fault) => fault,
            };
            let why = visible(&shortened(&self.hidden(&fault.why))).into_owned();
            let broken = |why| Broken { why, notes: Vec::new() };
            if stop.load(Ordering::Relaxed) {
                return Err(broken(wait::STOPPED.to_owned()));
            }
            if !fault.passes || tries == self.retries {
                let after = if tries == 0 { String::new() } else { format!(" (after {} tries)", tries + 1) };
                return Err(broken(format!("{}: {why}{after}", self.url)));
            }
            let pause = fault.wait.unwrap_or_else(|| wait::back_off(self.back_off, tries)).min(LONGEST);
            let data = json!({ "status": fault.status, "why": why, "wait": pause.as_secs_f64() });
            notes.push(("retry", Json::new(&data.to_string())));
            tries += 1;
            if !wait::pause(pause, stop) {
                return Err(broken(wait::STOPPED.to_owned()));
            }
        }
    }

    /// One request. It is made on a thread of its own, so that a stop need not wait for its answer.
    fn answer(self: &Arc<Self>, body: &Arc<str>, stop: &AtomicBool) -> Result<String, Fault> {
        let (sender, answer) = mpsc::sync_channel(1);
        let (endpoint, body) = (Arc::clone(self), Arc::clone(body));
        let request = move || drop(sender.send(endpoint.request(&body)));
        let request = thread::Builder::new().stack_size(256 << 10).spawn(request);
        request.map_err(|error| Fault::passing(format!("no thread for the request: {error}")))?;
        loop {
            match answer.recv_timeout(LOOK) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
                Err(RecvTimeoutError::Timeout) => return Err(Fault::passing(wait::STOPPED)),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::passing("the request broke off")),
            }
        }
    }

    fn request(&self, body: &str) -> Result<String, Fault> {
        let mut request = self.http.post(&self.url).header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = &self.key {
            request = request.header(self.carries.0, format!("{}{}", self.carries.1, key.expose()));
        }
        for (name, value) in self.headers {
            request = request.header(*name, *value);
        }
        let mut response = request.send(body).map_err(|error| failed(&error))?;
        let status = response.status();
        let read = response.body_mut().with_config().limit(LARGEST).lossy_utf8(true).read_to_string();
        if !status.is_success() {
            let wait = retry_after(response.headers());
            return Err(refused(status, wait, response.headers(), &read.unwrap_or_default()));
        }
        let answer = read.map_err(|error| failed(&error))?;
        match response.body().mime_type() {
            Some(kind) if !kind.contains("json") => Err(Fault::passing(format!("it answered {kind}, not JSON"))),
            _ => Ok(match &self.key {
                Some(key) => key.out_of_answer(&answer).into_owned(),
                None => answer,
            }),
        }
    }

    fn hidden(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.out_of(text).into_owned())
    }
}

/// Whether an address is on this machine, where no proxy leads.
fn is_here(url: &str) -> bool {
    let host = url.parse::<ureq::http::Uri>().ok().and_then(|url| url.host().map(str::to_owned));
    host.is_some_and(|host| host == "localhost" || host == "[::1]" || host.starts_with("127."))
}

/// A status that says no.
fn refused(status: StatusCode, wait: Option<Duration>, headers: &HeaderMap, body: &str) -> Fault {
    let passes = status.is_server_error() || matches!(status.as_u16(), 408 | 429);
    let said = match (status.is_redirection(), headers.get(header::LOCATION)) {
        (true, Some(to)) => format!("it lives at {} now", String::from_utf8_lossy(to.as_bytes())),
        _ => said(body),
    };
    let colon = if said.is_empty() { "" } else { ": " };
    let why = format!("{status}{colon}{said}");
    Fault { why, status: Some(status.as_u16()), passes, wait }
}

/// What a server says about a fault, wherever it says it.
fn said(body: &str) -> String {
    let Ok(json) = serde_json::from_str::<Value>(body) else { return body.trim().to_owned() };
    let places = ["/error/message", "/error", "/message", "/detail"];
    let text = places.iter().find_map(|place| json.pointer(place)?.as_str());
    text.map_or_else(|| json.to_string(), str::to_owned)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SAID) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A request that came to nothing.
fn failed(error: &ureq::Error) -> Fault {
    let why = match error {
        ureq::Error::Timeout(_) => "no answer in time".to_owned(),
        ureq::Error::BodyExceedsLimit(_) => format!("its answer is larger than {} MB", LARGEST >> 20),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        ureq::Error::Io(error) => match error.kind() {
            std::io::ErrorKind::ConnectionRefused => "nothing listens there (connection refused)".to_owned(),
            std::io::ErrorKind::UnexpectedEof => "the connection was cut".to_owned(),
            _ => crate::file::why(error),
        },
        other => other.to_string(),
    };
    Fault::passing(why)
}

/// How long a server asks to wait: seconds, or until a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Duration::try_from(until.duration_since(Timestamp::now())).unwrap_or(Duration::ZERO))
}
