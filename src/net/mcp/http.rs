//! Many clients over streamable HTTP, each with a session of its own, on this machine alone.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{Offer, Server, Versions, runtime, stopped};

/// The longest request that is read, in bytes.
pub const LARGEST_REQUEST: usize = 1 << 20;
/// Sessions that nothing is heard of for so long are ended; agents may think for a while.
pub const IDLE: Duration = Duration::from_secs(30 * 60);
/// Connections at a time. Others wait.
const CONNECTIONS: usize = 256;
/// A connection that does not say what it wants for so long is closed.
const HEADERS: Duration = Duration::from_secs(30);

/// Serves on a port of the loopback interface, 0 for any free one, until a signal comes. All runs have
/// then ended. `at` is told where.
///
/// # Errors
/// When the port cannot be had.
pub fn run(offer: &Arc<Offer>, port: u16, at: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = runtime()?;
    let done = runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        at(listener.local_addr()?);
        let stop = CancellationToken::new();
        tokio::select! {
            done = serve(offer.clone(), listener, IDLE, stop.clone()) => done,
            signal = stopped() => signal,
        }
    });
    offer.stop();
    runtime.shutdown_background();
    done
}

/// Serves whoever connects until `stop` is cancelled.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(
    offer: Arc<Offer>,
    listener: TcpListener,
    idle: Duration,
    stop: CancellationToken,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(idle);
    // A page in a browser may reach this port under a name of its own, or from a place of its own; both
    // are refused (DNS rebinding). Programs send no Origin.
    let names = ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}"));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(names.iter().map(|name| format!("http://{name}")))
        .with_allowed_hosts(names)
        .with_max_request_body_bytes(LARGEST_REQUEST)
        .with_cancellation_token(stop.clone());
    let server = move || Ok(Server::new(offer.clone(), Versions::WithSessions));
    let service = StreamableHttpService::new(server, Arc::new(sessions), config);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = connections.clone().acquire_owned().await else { return Ok(()) };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => return Ok(()),
        };
        let Ok((stream, _)) = accepted else {
            // Too many files are open, or the like: it passes.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = service.clone();
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let service = service.clone();
                async move { Ok::<_, Infallible>(service.handle(request).await) }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
            // A client that goes away in the middle is no matter of ours.
            let _ = http.serve_connection(TokioIo::new(stream), answer).await;
            drop(permit);
        });
    }
}
