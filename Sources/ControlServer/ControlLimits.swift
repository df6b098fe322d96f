/// All limits of the server: no client can make it hold more than this.
struct ControlLimits: Sendable {
    /// Bytes of a request's head: its target, and the names and values of its lines. Browsers send about one KiB.
    var headBytes = 8192
    /// Lines of a request's head. Browsers send about twenty.
    var headFields = 100
    /// Bytes of a request's body. The longest sensible command is an `open` with a long id.
    var bodyBytes = 4096
    /// Bytes of a connection that are read and given to the parser at once.
    var partBytes = 1024
    /// Received bytes that wait in the kernel's buffer of one connection. The kernel adds as many for its own use.
    var unreadBytes = 16_384
    /// Bytes of a refused request that are still read, so that the client sees the answer; a longer one ends the connection.
    var discardedBytes = 65_536
    /// Open connections; `ConnectionTable` says which one makes room for another.
    var connections = 64
    /// Of these, connections of strangers: the rest is kept for this machine and for those who have sent a token.
    var strangers = 48
    /// How often strangers may begin TLS.
    var handshakes = StrangerAllowance.Rates(
        machine: .init(burst: 32, perSecond: 8), everyone: .init(burst: 64, perSecond: 16))
    /// How often strangers are answered; further requests wait.
    var strangerRequests = StrangerAllowance.Rates(
        machine: .init(burst: 64, perSecond: 16), everyone: .init(burst: 128, perSecond: 32))
    /// How often a request that waits for that is looked at.
    var queuePause = Duration.milliseconds(50)
    /// Bytes of answers that the kernel keeps for a client that does not take them. It adds as many for its own use.
    var unsentBytes = 131_072
    /// How long a request may take from its first byte to its last, and how long a stranger may send none.
    var requestTime = Duration.seconds(10)
    /// How long a known connection may send no request.
    var idleTime = Duration.seconds(60)
    /// How long a client may take to receive an answer. A picture takes a moment on any network that shows the page.
    var sendTime = Duration.seconds(30)
    /// How often connections that take too long are looked for.
    var sweepInterval = Duration.seconds(1)
    /// Requests being answered at the same time.
    var requests = 64
    /// Of these, requests that wait for the next picture.
    var watchers = 16
    /// Lines of the log in one answer.
    var logLines = 1000
    /// Plays in one answer.
    var plays = 500
    /// Entries of the library in one answer.
    var libraryEntries = 200
    /// Entries of each row of Home in one answer.
    var rowEntries = 200
    /// Characters of a text to search for. More cannot be typed on the screen.
    var searchedCharacters = 40
    /// Pictures of programmes that are loaded and encoded at the same time; the others wait.
    var artworks = 4
    /// Requests that may wait for pictures of programmes.
    var artworkRequests = 32
    /// How long loading such a picture may take.
    var artworkTime = Duration.seconds(20)
    /// The size of a picture of a programme, in pixels: that of a poster on the page on a display with two pixels for each of its units.
    var artworkSize = (width: 440, height: 248)
    /// How long a browser may keep a picture of a programme, in seconds.
    var artworkAge = 3600
    /// Errors of playbacks in one answer.
    var lastErrors = 200
    /// Clients that wait for events at the same time; each has a connection.
    var eventStreams = 16
    /// Events that a client may miss and still receive.
    var events = 1024
    /// Metric events in a support bundle.
    var metricEvents = 2000
    /// How long reading the facts of `marquee doctor` may take for a support bundle.
    var doctorTime = Duration.seconds(10)
    /// The pause in which changes are one event.
    var eventPause = Duration.milliseconds(200)
    /// How often a client without events is told that the connection lives.
    var heartbeat = Duration.seconds(15)
    /// When a client of events connects again.
    var eventRetry = Duration.seconds(3)
    /// How long the main loop may take to answer whether the box is healthy.
    var healthTime = Duration.seconds(2)
    /// How long a reading of the machine's sensors is used.
    var machineInterval = Duration.seconds(1)
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
