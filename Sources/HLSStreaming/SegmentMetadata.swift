import MediaSources
import MediaTime
import WireFormats

/// Timed metadata found in a segment: an ID3 tag, or an event message of fragmented MP4.
struct SegmentMetadata: Sendable, Hashable {
    /// The content.
    enum Content: Sendable, Hashable {
        /// An ID3v2 tag.
        case id3([UInt8])
        /// An `emsg` box (ISO/IEC 23009-1, 5.10.3.3).
        case event(EventMessage)
    }

    /// Asset time, according to the playlist while the timestamp is not mapped yet.
    var time: MediaTime
    /// Stream time, if it has one.
    var stamp: MediaTime?
    /// The discontinuity sequence of the timestamp.
    var sequence: Int64
    var content: Content
}

/// An event message of fragmented MP4.
struct EventMessage: Sendable, Hashable {
    /// The type of the data, as a URI, e.g. `https://aomedia.org/emsg/ID3`.
    var scheme: String
    var value: String
    /// Its duration; nil if unknown.
    var duration: MediaTime?
    var id: UInt32
    var data: [UInt8]

    init(scheme: String, value: String, duration: MediaTime?, id: UInt32, data: [UInt8]) {
        (self.scheme, self.value, self.duration, self.id, self.data) = (scheme, value, duration, id, data)
    }

    /// A section of SCTE 35 of a transport stream, as it would be in a message (SCTE 214-3). It is of the moment at which it was sent.
    init(splice section: [UInt8]) {
        self.init(scheme: "urn:scte:scte35:2013:bin", value: "", duration: .zero, id: 0, data: section)
    }

    /// A second of a programme has a few messages. Of more than these, or of more bytes, the first count.
    static let most = 256
    static let mostBytes = 1 << 20

    /// The messages before the fragments of a segment.
    static func messages(in bytes: [UInt8], of piece: Piece) -> [SegmentMetadata] {
        var found: [SegmentMetadata] = []
        var bytesLeft = mostBytes
        var rest = bytes[...]
        while found.count < most, let header = MP4Box.Header(rest) {
            guard let size = Int(exactly: header.size ?? Int64(rest.count)), size <= rest.count else { break }
            let box = rest.prefix(size)
            rest = rest.dropFirst(size)
            guard header.type == "emsg" else { continue }
            bytesLeft -= size
            guard bytesLeft >= 0 else { break }
            if let message = message(box.dropFirst(header.length), piece) { found.append(message) }
        }
        return found
    }

    /// Whether some messages before the fragments of a segment may still be missing.
    static func isIncomplete(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let header = MP4Box.Header(rest) {
            guard ["styp", "prft", "sidx", "emsg"].contains(header.type), let size = header.size else { return false }
            guard size <= rest.count else { return true }
            rest = rest.dropFirst(Int(size))
        }
        return rest.count < MP4Box.Header.longest
    }

    private static func message(_ body: ArraySlice<UInt8>, _ piece: Piece) -> SegmentMetadata? {
        var cursor = ByteCursor(body)
        guard let version = cursor.byte(), cursor.take(3) != nil else { return nil }
        let scale: UInt64
        let time: MediaTime
        var stamp: MediaTime?
        let duration: UInt64
        let id: UInt64
        let scheme: String
        let value: String
        if version == 1 {
            guard let timescale = cursor.big(4), timescale > 0, timescale <= Int32.max, let ticks = cursor.big(8),
                ticks < 1 << 62,
                let length = cursor.big(4), let number = cursor.big(4), let first = cursor.terminatedText(),
                let second = cursor.terminatedText()
            else { return nil }
            (scale, duration, id, scheme, value) = (timescale, length, number, first, second)
            stamp = MediaTime(Int64(ticks), Int32(timescale))
            time = piece.start
        } else {
            guard let first = cursor.terminatedText(), let second = cursor.terminatedText(), let timescale = cursor.big(4),
                timescale > 0, timescale <= Int32.max, let delta = cursor.big(4), let length = cursor.big(4),
                let number = cursor.big(4)
            else { return nil }
            (scale, duration, id, scheme, value) = (timescale, length, number, first, second)
            time = piece.start + MediaTime(Int64(delta), Int32(timescale))
        }
        let message = EventMessage(
            scheme: scheme, value: value, duration: duration == 0xFFFF_FFFF ? nil : MediaTime(Int64(duration), Int32(scale)),
            id: UInt32(id), data: Array(cursor.rest))
        return SegmentMetadata(time: time, stamp: stamp, sequence: piece.sequence, content: .event(message))
    }
}

extension TimedMetadata {
    /// Maps the metadata of a segment to asset time. The timestamp is more exact than the playlist, once the mapping of its
    /// discontinuity sequence is known.
    @MainActor
    init(_ found: SegmentMetadata, on timeline: StreamTimeline) {
        let time = found.stamp.flatMap { stamp in timeline.knownOffset(of: found.sequence).map { $0 + stamp } } ?? found.time
        switch found.content {
        case .id3(let bytes): self.init(time: time, duration: nil, scheme: "org.id3", value: "", data: bytes)
        case .event(let event):
            self.init(time: time, duration: event.duration, scheme: event.scheme, value: event.value, data: event.data)
        }
    }
}
