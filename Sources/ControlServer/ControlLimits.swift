/// What the server allows, in one place: nothing that a client does makes it hold more than this.
struct ControlLimits: Sendable {
    /// Bytes of a request's body. The longest sensible command is an `open` with a long id.
    var bodyBytes = 4096
    /// Bytes of a body that is refused for its length but still read, so that the client gets to see the answer; a longer one ends the connection.
    var discardedBytes = 65_536
    /// Connections that wait to be read from or written to; the one that has waited longest makes room for another.
    var connections = 64
    /// Requests being answered at once.
    var requests = 64
    /// Requests among these that wait for the next picture.
    var watchers = 16
    /// Lines of the log in one answer.
    var logLines = 1000
    /// Seconds after which FlyingFox gives up on an answer; longer than `longPoll`.
    var answerTime = 30.0
    /// How long a request for the next picture waits when nothing changes.
    var longPoll = Duration.seconds(10)
    /// The least time between two looks at the screen: at most 12.5 pictures a second.
    var pictureInterval = Duration.milliseconds(80)
    /// How long a display may take over one picture before it is asked again.
    var readPatience = Duration.seconds(2)
    /// How long a key stays down without a word from the page that holds it: a page that was closed cannot let go.
    var keyPatience = Duration.seconds(2)
    /// The pause before listening again after the socket has failed.
    var restartPause = Duration.seconds(1)
}
