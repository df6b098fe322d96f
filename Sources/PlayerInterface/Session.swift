import MediaModel
import MediaTime

/// What was on when the player stopped, so that one that is started again goes on there. A value, written as lines of text.
package struct Session: Sendable, Hashable {
    /// What was played: id of an item or a channel.
    package var id: String
    /// The playlist channel that it was played in, and its index there.
    package var queue: Queue?
    /// Where it was, with the interstitial that is owed; nil: live, or not begun.
    package var place: SavedPlace?
    /// Whether the viewer had paused it.
    package var isPaused: Bool
    /// The kernel's name of the boot: after a power cut the box begins as the operator wants, after a crash where the viewer was.
    package var boot: String

    /// A place in a queue.
    package struct Queue: Sendable, Hashable {
        /// The channel.
        package var channel: String
        /// The index in its items.
        package var index: Int

        package init(channel: String, index: Int) {
            self.channel = channel
            self.index = index
        }
    }

    package init(id: String, queue: Queue? = nil, place: SavedPlace? = nil, isPaused: Bool = false, boot: String) {
        self.id = id
        self.queue = queue
        self.place = place
        self.isPaused = isPaused
        self.boot = boot
    }

    /// Reads what was written; nil when that is no whole session.
    package init?(_ text: String) {
        var fields: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 { fields[words[0]] = words[1] }
        }
        guard let id = fields["id"], let boot = fields["boot"], fields["end"] == "session" else { return nil }
        self.init(id: String(id), isPaused: fields["paused"] == "yes", boot: String(boot))
        if let words = fields["queue"]?.split(separator: " ", maxSplits: 1), words.count == 2, let index = Int(words[0]) {
            queue = Queue(channel: String(words[1]), index: index)
        }
        if let words = fields["place"]?.split(separator: "/"), words.count == 2, let value = Int64(words[0]),
            let timescale = Int32(words[1]), timescale > 0
        {
            place = SavedPlace(time: MediaTime(value, timescale), owedInterstitial: fields["debt"].map(String.init))
        }
    }

    /// As it is written. `debt` is the owed interstitial.
    package var text: String {
        var lines = ["id \(id)", "boot \(boot)", "paused \(isPaused ? "yes" : "no")"]
        if let queue { lines.append("queue \(queue.index) \(queue.channel)") }
        if let place {
            lines.append("place \(place.time.value)/\(place.time.timescale)")
            if let owed = place.owedInterstitial { lines.append("debt \(owed)") }
        }
        return (lines + ["end session"]).joined(separator: "\n") + "\n"
    }
}
