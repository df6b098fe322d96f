import MediaModel
import MediaTime

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

    /// The messages before the fragments of a segment.
    static func messages(in bytes: [UInt8], of piece: Piece) -> [SegmentMetadata] {
        var found: [SegmentMetadata] = []
        var position = 0
        while position + 8 <= bytes.count {
            let size = Int(number(bytes, position, 4))
            guard size >= 8, position + size <= bytes.count else { break }
            if bytes[position + 4..<position + 8].elementsEqual("emsg".utf8),
                let message = message(Array(bytes[position + 8..<position + size]), piece)
            {
                found.append(message)
            }
            position += size
        }
        return found
    }

    private static func message(_ body: [UInt8], _ piece: Piece) -> SegmentMetadata? {
        guard body.count > 20 else { return nil }
        var position = 4
        func text() -> String? {
            guard let end = body[position...].firstIndex(of: 0) else { return nil }
            defer { position = end + 1 }
            return String(decoding: body[position..<end], as: UTF8.self)
        }
        func next(_ length: Int) -> UInt64? {
            guard position + length <= body.count else { return nil }
            defer { position += length }
            return number(body, position, length)
        }
        let scale: UInt64
        let time: MediaTime
        var stamp: MediaTime?
        let duration: UInt64
        let id: UInt64
        let scheme: String
        let value: String
        if body[0] == 1 {
            guard let timescale = next(4), timescale > 0, timescale <= Int32.max, let ticks = next(8), ticks < 1 << 62,
                let length = next(4), let number = next(4), let first = text(), let second = text()
            else { return nil }
            (scale, duration, id, scheme, value) = (timescale, length, number, first, second)
            stamp = MediaTime(Int64(ticks), Int32(timescale))
            time = piece.start
        } else {
            guard let first = text(), let second = text(), let timescale = next(4), timescale > 0, timescale <= Int32.max,
                let delta = next(4), let length = next(4), let number = next(4)
            else { return nil }
            (scale, duration, id, scheme, value) = (timescale, length, number, first, second)
            time = piece.start + MediaTime(Int64(delta), Int32(timescale))
        }
        let message = EventMessage(
            scheme: scheme, value: value, duration: duration == 0xFFFF_FFFF ? nil : MediaTime(Int64(duration), Int32(scale)),
            id: UInt32(id), data: Array(body[position...]))
        return SegmentMetadata(time: time, stamp: stamp, sequence: piece.sequence, content: .event(message))
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ length: Int) -> UInt64 {
        bytes[start..<start + length].reduce(0) { $0 << 8 | UInt64($1) }
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
