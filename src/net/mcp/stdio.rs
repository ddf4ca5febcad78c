//! One client at the other end of standard input and output, which belong to the protocol.

use std::io;
use std::sync::Arc;

use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use super::patient::Patient;
use super::{Offer, Server, Versions, runtime, stopped};

/// Serves the client until it goes away or a signal comes. Its run has then ended.
///
/// # Errors
/// When what comes is no such protocol.
pub fn run(offer: &Arc<Offer>) -> io::Result<()> {
    let runtime = runtime()?;
    let done = runtime.block_on(async {
        let (read, write) = stdio_pipes();
        tokio::select! {
            done = serve(offer.clone(), read, write) => done,
            signal = stopped() => signal,
        }
    });
    offer.stop();
    // A read of standard input may hang in a thread of its own; nothing is to wait for it.
    runtime.shutdown_background();
    done
}

/// Serves one client over any pair of streams until it goes away.
///
/// # Errors
/// When what comes is no such protocol.
pub async fn serve<R, W>(offer: Arc<Offer>, read: R, write: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = Patient::new(AsyncRwTransport::new_server(read, write));
    match serve_server(Server::new(offer, Versions::All), transport).await {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(io::Error::other),
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}
