import HLSPlaylist
import LinuxSupport

/// How much of a segment's body has come, over any number of attempts. A value.
struct SegmentBody {
    /// The bytes of the resource that belong to it; nil for all.
    private let range: ByteRange?
    private(set) var received: Int64 = 0
    /// How many bytes of a response that restarted at the beginning were already received.
    private var toSkip: Int64 = 0
    /// Whether the server may be asked for the rest only.
    private var mayResume = true

    init(_ range: ByteRange?) { self.range = range }

    /// How many bytes of the range are still to come; nil without a range.
    private var rest: Int64? { range.map { $0.length - received } }

    /// Whether the range is there, whatever else the server would have sent.
    var isRangeComplete: Bool { received > 0 && rest == 0 }

    /// Whether a response may end here.
    var mayEnd: Bool { toSkip == 0 && (rest ?? 0) <= 0 }

    /// The bytes to request; nil for all.
    mutating func nextRange() -> Range<Int64>? {
        let whole = range.map { $0.offset..<$0.end }
        guard received > 0 else { return whole }
        if mayResume { return (range?.offset ?? 0) + received..<(range?.end ?? .max) }
        toSkip = received
        return whole
    }

    /// - Returns: what of the next bytes of a response is new and belongs to the body.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if toSkip > 0 {
            let count = min(Int(toSkip), bytes.count)
            toSkip -= Int64(count)
            bytes.removeFirst(count)
        }
        // A server may send more than the range; only the range belongs to the segment.
        if let rest, Int64(bytes.count) > rest { bytes.removeLast(bytes.count - Int(rest)) }
        received += Int64(bytes.count)
        return bytes
    }

    /// The server does not serve the rest: all is requested, and what is there is skipped.
    ///
    /// - Returns: false if that changes nothing.
    mutating func startOver() -> Bool {
        guard received > 0, mayResume else { return false }
        mayResume = false
        return true
    }

    /// Nothing of what has come is used.
    mutating func forget() { (received, toSkip) = (0, 0) }
}

/// How long a transfer was held, which says nothing about the network.
struct TransferPauses {
    /// Since when it is held; nil while it is not.
    private var since: HostTime?
    /// The length of those that have ended.
    private(set) var total = Duration.zero

    var isHeld: Bool { since != nil }

    /// - Returns: false if it is held already.
    mutating func begin(at now: HostTime) -> Bool {
        guard since == nil else { return false }
        since = now
        return true
    }

    /// - Returns: false if it is not held.
    mutating func end(at now: HostTime) -> Bool {
        guard let since else { return false }
        self.since = nil
        total += now - since
        return true
    }

    /// The transfer has ended.
    mutating func drop() { since = nil }
}
