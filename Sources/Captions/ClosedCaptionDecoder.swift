import MediaTime

/// Extracts closed captions from picture user data (ATSC A/53 `cc_data`): the four channels of CEA-608 and the services of
/// CEA-708.
///
/// Input is in presentation order. The captions on a channel's screen are reported as cues with an open end, which the next
/// change sets. Pure; one thread at a time.
package struct ClosedCaptionDecoder: Sendable {
    /// A change on a channel.
    package struct Change: Sendable, Hashable {
        /// `CC1` to `CC4`, `SERVICE1` to `SERVICE63`.
        package var channel: String
        /// When the change applies.
        package var time: MediaTime
        /// The captions on the screen from then on; empty: none. Their end is far in the future.
        package var cues: [CaptionCue]
    }

    private var lines =
        [LineCaptionDecoder(channel: 1), LineCaptionDecoder(channel: 2)] + [
            LineCaptionDecoder(channel: 1), LineCaptionDecoder(channel: 2),
        ]
    private var services: [Int: ServiceCaptionDecoder] = [:]
    private var packet: [UInt8] = []
    private var packetLength = 0
    /// The longest time a caption is shown if no further data arrives (CEA-608 requires sixteen seconds).
    private static let longest = MediaTime.seconds(16)

    /// Starts with empty screens.
    package init() {}

    /// Decodes the data of one picture.
    ///
    /// - Parameter data: `cc_data_pkt`s, three bytes each.
    package mutating func take(_ data: [UInt8], at time: MediaTime) -> [Change] {
        var changes: [Change] = []
        for place in stride(from: 0, to: data.count - 2, by: 3) {
            let (head, one, two) = (data[place], data[place + 1], data[place + 2])
            let isValid = head & 4 != 0
            switch head & 3 {
            case 0 where isValid, 1 where isValid:
                let field = Int(head & 3)
                for channel in 0..<2 {
                    if let screen = lines[field * 2 + channel].take(one, two, at: time) {
                        changes.append(change("CC\(field * 2 + channel + 1)", screen.rows, time))
                    }
                }
            case 3:
                changes += finishPacket(at: time)
                guard isValid else { continue }
                let size = Int(one & 63)
                packetLength = size == 0 ? 128 : size * 2
                packet = [one, two]
            case 2 where isValid && !packet.isEmpty: packet += [one, two]
            default: break
            }
            if !packet.isEmpty, packet.count >= packetLength { changes += finishPacket(at: time) }
        }
        return changes
    }

    /// Resets after a discontinuity.
    package mutating func reset() { self = ClosedCaptionDecoder() }

    private func change(_ channel: String, _ cues: [CaptionCue], _ time: MediaTime) -> Change {
        Change(
            channel: channel, time: time,
            cues: cues.map { cue in
                var cue = cue
                cue.start = time
                cue.end = time + Self.longest
                return cue
            })
    }

    // MARK: CEA-708

    private mutating func finishPacket(at time: MediaTime) -> [Change] {
        defer { packet = [] }
        guard packet.count > 1 else { return [] }
        var changes: [Change] = []
        let bytes = packet[1..<min(packet.count, packetLength)]
        var place = bytes.startIndex
        while place < bytes.endIndex {
            var number = Int(bytes[place] >> 5)
            let size = Int(bytes[place] & 31)
            place += 1
            if number == 7, size > 0 {
                guard place < bytes.endIndex else { break }
                number = Int(bytes[place] & 63)
                place += 1
            }
            guard number > 0, size > 0 else { break }
            let end = min(place + size, bytes.endIndex)
            if let cues = services[number, default: ServiceCaptionDecoder()].take(bytes[place..<end]) {
                changes.append(change("SERVICE\(number)", cues, time))
            }
            place = end
        }
        return changes
    }
}
