/// All limits of the server: no client can make it hold more than this.
struct ControlLimits: Sendable {
    /// Bytes of a request's body. The longest sensible command is an `open` with a long id.
    var bodyBytes = 4096
    /// Bytes of a refused body that are still read, so that the client sees the answer; a longer one ends the connection.
    var discardedBytes = 65_536
    /// Connections that wait to be read from or written to; at the limit the one that has waited longest is closed.
    var connections = 64
    /// Requests being answered at the same time.
    var requests = 64
    /// Of these, requests that wait for the next picture.
    var watchers = 16
    /// Lines of the log in one answer.
    var logLines = 1000
    /// Seconds after which FlyingFox abandons an answer; longer than `longPoll`.
    var answerTime = 30.0
    /// How long a request for the next picture waits for a change.
    var longPoll = Duration.seconds(10)
    /// The least time between two reads of the screen: at most 12.5 pictures per second.
    var pictureInterval = Duration.milliseconds(80)
    /// How long to wait for a picture from the display before asking again.
    var readTimeout = Duration.seconds(2)
    /// How long a key stays down without a message from the page: a page that was closed cannot release it.
    var keyTimeout = Duration.seconds(2)
    /// The pause before listening again after the socket has failed.
    var restartPause = Duration.seconds(1)
}
