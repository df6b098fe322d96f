import BoxModel
import MediaTime

/// What was playing when the player stopped, so that a restarted one can resume it. A value, written as lines of text.
package struct Session: Sendable, Hashable {
    /// The id of an item or a channel.
    package var id: String
    /// The playlist channel to which it belongs, and its index there.
    package var queue: Queue?
    /// Its position, with the owed interstitial; nil if live, or not started.
    package var place: SavedPlace?
    /// Whether the viewer had paused it.
    package var isPaused: Bool
    /// The kernel's id of the boot: after a power cut the box starts with the operator's choice, after a crash with the session.
    package var boot: String

    /// A position in a queue.
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

    /// Parses the text of a session; nil if it is incomplete.
    package init?(_ text: String) {
        var fields: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 { fields[words[0]] = words[1] }
        }
        guard let id = fields["id"], let boot = fields["boot"], fields["end"] == "session" else { return nil }
        self.init(id: String(id), isPaused: fields["paused"] == "yes", boot: String(boot))
        if let words = fields["queue"]?.split(separator: " ", maxSplits: 1), words.count == 2, let index = Int(words[0]),
            index >= 0
        {
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
