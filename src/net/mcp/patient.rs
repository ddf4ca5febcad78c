//! A transport for clients that begin with something else than they should.

use std::future::Future;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;

/// Drops notifications and responses that come before the first request of a session. The SDK gives the
/// connection up over them.
#[derive(Debug)]
pub struct Patient<T> {
    inner: T,
    begun: bool,
}

impl<T> Patient<T> {
    /// Around a transport of which nothing was read.
    pub fn new(inner: T) -> Patient<T> {
        Patient { inner, begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            if let ClientJsonRpcMessage::Request(request) = &message {
                // These two are answered before there is a session.
                self.begun |=
                    !matches!(request.request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_));
                return Some(message);
            }
            if self.begun {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
