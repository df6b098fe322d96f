import Display
import HLSStreaming
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Metadata
import NetworkConditions
import Playback
import Sound
import TestSupport
import Testing

/// Adds ID3 tags to a transport stream of ffmpeg, as "Timed Metadata for HTTP Live Streaming" describes: a stream of type 0x15 in the
/// programme map, and a PES packet with a timestamp for each tag.
private enum TaggedTransportStream {
    private static let size = 188
    private static let pid = 0x1F0
    private static let splicePID = 0x1F1
    /// splice_null() of SCTE 35, with its checksum.
    static let splice: [UInt8] = [
        0xFC, 0x30, 0x11, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, 0, 0, 0, 0, 0x7A, 0x4F, 0xBF, 0xFF,
    ]

    /// - Parameters:
    ///   - tags: titles with their times in the stream.
    ///   - splices: the times at which a section of SCTE 35 is sent.
    static func bytes(_ stream: [UInt8], tags: [(time: Double, title: String)], splices: [Double] = []) -> [UInt8] {
        let packets = stride(from: 0, to: stream.count - size + 1, by: size).map { Array(stream[$0..<$0 + size]) }
        let start = packets.lazy.compactMap { stamp(of: $0) }.first ?? 0
        var left = tags.map { (stamp: start + Int64($0.time * 90_000), title: $0.title) }
        var sections = splices.map { start + Int64($0 * 90_000) }
        var counter: UInt8 = 0
        var result: [UInt8] = []
        for packet in packets {
            if let stamp = stamp(of: packet) {
                while let tag = left.first, tag.stamp <= stamp {
                    result += self.packet(tag.title, stamp: tag.stamp, counter: counter)
                    counter = (counter + 1) & 0xF
                    left.removeFirst()
                }
                while let section = sections.first, section <= stamp {
                    result += splicePacket(counter: UInt8((splices.count - sections.count) & 0xF))
                    sections.removeFirst()
                }
            }
            result += number(of: packet) == 0x1000 ? map(adding: packet) : packet
        }
        return result
    }

    private static func number(of packet: [UInt8]) -> Int { Int(packet[1] & 0x1F) << 8 | Int(packet[2]) }

    /// The presentation timestamp of a picture that begins in this packet.
    private static func stamp(of packet: [UInt8]) -> Int64? {
        guard number(of: packet) == 0x100, packet[1] & 0x40 != 0 else { return nil }
        let start = 4 + (packet[3] & 0x20 != 0 ? 1 + Int(packet[4]) : 0)
        let bytes = packet[(start + 9)..<(start + 14)].map { Int64($0) }
        let high = (bytes[0] >> 1 & 7) << 30
        let middle = bytes[1] << 22 | (bytes[2] >> 1) << 15
        return high | middle | bytes[3] << 7 | bytes[4] >> 1
    }

    /// The programme map with one more stream (ISO/IEC 13818-1, 2.4.4.8; its metadata_descriptor is 2.6.60).
    private static func map(adding packet: [UInt8]) -> [UInt8] {
        let start = 5 + Int(packet[4])
        let length = Int(packet[start + 1] & 0x0F) << 8 | Int(packet[start + 2])
        var section = Array(packet[start..<start + 3 + length - 4])
        let format = Array("ID3 ".utf8)
        var descriptor: [UInt8] = [0x26, 13, 0xFF, 0xFF]
        descriptor += format
        descriptor.append(0xFF)
        descriptor += format
        descriptor += [0, 0x0F]
        section += [0x15, 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0xF0, UInt8(descriptor.count)]
        section += descriptor
        section += [0x86, 0xE0 | UInt8(splicePID >> 8), UInt8(splicePID & 0xFF), 0xF0, 0]
        // The registration of SCTE 35 (2.6.8) before all streams.
        let information = Int(section[10] & 0x0F) << 8 | Int(section[11])
        section[11] = UInt8(information + 6)
        section.insert(contentsOf: [0x05, 4] + Array("CUEI".utf8), at: 12)
        let newLength = section.count - 3 + 4
        section[1] = section[1] & 0xF0 | UInt8(newLength >> 8)
        section[2] = UInt8(newLength & 0xFF)
        let check = checksum(section)
        var whole = Array(packet[..<start]) + section
        for shift in [24, 16, 8, 0] as [UInt32] { whole.append(UInt8(check >> shift & 0xFF)) }
        return whole + [UInt8](repeating: 0xFF, count: size - whole.count)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 {
                let carries = sum & 0x8000_0000 != 0
                sum <<= 1
                if carries { sum ^= 0x04C1_1DB7 }
            }
        }
        return sum
    }

    /// A section in one transport packet.
    private static func splicePacket(counter: UInt8) -> [UInt8] {
        let packet = [0x47, 0x40 | UInt8(splicePID >> 8), UInt8(splicePID & 0xFF), 0x10 | counter, 0] + splice
        return packet + [UInt8](repeating: 0xFF, count: size - packet.count)
    }

    /// One PES packet of private_stream_1 in one transport packet.
    private static func packet(_ title: String, stamp: Int64, counter: UInt8) -> [UInt8] {
        let text: [UInt8] = [3] + Array(title.utf8)
        var tag = Array("ID3".utf8)
        tag += [4, 0, 0, 0, 0, 0, UInt8(10 + text.count)]
        tag += Array("TIT2".utf8)
        tag += [0, 0, 0, UInt8(text.count), 0, 0]
        tag += text
        var pes: [UInt8] = [0, 0, 1, 0xBD, 0, UInt8(8 + tag.count), 0x84, 0x80, 5]
        pes.append(0x21 | UInt8(stamp >> 30 & 7) << 1)
        pes.append(UInt8(stamp >> 22 & 0xFF))
        pes.append(1 | UInt8(stamp >> 15 & 0x7F) << 1)
        pes.append(UInt8(stamp >> 7 & 0xFF))
        pes.append(1 | UInt8(stamp & 0x7F) << 1)
        pes += tag
        let stuffing = size - 4 - pes.count
        var packet: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x30 | counter, UInt8(stuffing - 1), 0]
        packet += [UInt8](repeating: 0xFF, count: stuffing - 2)
        return packet + pes
    }
}

@Suite("ID3 in real transport streams", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct TransportStreamTagTests {
    /// A player of two segments of four seconds.
    private final class Rig {
        let loop: MainLoop
        let player: Player
        var failure: MediaError?

        /// - Parameters:
        ///   - tags: of each segment, in its time.
        ///   - splices: the same.
        @MainActor
        init(tags: [[(time: Double, title: String)]] = [[], []], splices: [[Double]] = [[], []]) throws {
            let script = OriginScript()
            let length = 4
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(length)\n"
            for number in 0..<2 {
                let clip = try FFmpegProgram.clip(
                    seconds: length, size: "64x36",
                    video: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "0"],
                    extra: ["-output_ts_offset", "\(number * length)", "-muxpreload", "0", "-muxdelay", "0"], suffix: "ts")
                script.put(TaggedTransportStream.bytes(clip, tags: tags[number], splices: splices[number]), at: "/\(number).ts")
                text += "#EXTINF:\(length),\n\(number).ts\n"
            }
            script.put(text + "#EXT-X-ENDLIST\n", at: "/main.m3u8")
            loop = try MainLoop(time: .simulated)
            let clock = loop.clock
            let origin = SimulatedOrigin(clock: clock, script: script)
            let codecs = FFmpegCodecs()
            let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: clock)
            player = try Player(
                services: PlaybackServices(
                    clock: clock, loader: origin, codecs: codecs, display: display, sink: NullSink(clock: clock)
                ) { _, playlist in
                    HLSSource(playlist: playlist, screen: (64, 36), loader: origin, codecs: codecs, clock: clock)
                }.repeatable)
        }

        /// Plays up to six seconds, and tells of each change of the metadata.
        @MainActor
        func play(_ told: @escaping @MainActor (MetadataChange) -> Void) -> (PlayerItem, Subscription) {
            let listening = player.events.listen { [weak self] event in
                switch event {
                case .metadata(let change): told(change)
                case .state(let state): if case .failed(let error) = state.itemStatus { self?.failure = error }
                default: break
                }
            }
            let item = PlayerItem(asset: Asset(url: "http://test/main.m3u8", services: player.services))
            player.replaceCurrentItem(with: item)
            player.play()
            #expect(run { player.currentTime >= .seconds(6) })
            return (item, listening)
        }

        @MainActor
        func run(until isDone: @MainActor () -> Bool) -> Bool {
            loop.run(within: .seconds(30)) { isDone() || failure != nil } && failure == nil
        }
    }

    @Test("each tag applies from its time to the next, to within a frame, and again after the viewer has gone back")
    func tags() throws {
        let rig = try Rig(tags: [[(1.0, "One"), (2.52, "Two")], [(0.6, "Three")]])
        let player = rig.player
        defer { player.close() }
        var told: [(at: MediaTime, titles: [String])] = []
        let (item, listening) = rig.play { change in
            guard case .presented(let items) = change else { return }
            told.append((player.currentTime, items.compactMap(\.stringValue)))
        }
        defer { listening.cancel() }
        #expect(told.map(\.titles) == [["One"], ["Two"], ["Three"]])
        for (moment, time) in zip(told, [1000, 2520, 4600] as [Int64]) {
            #expect((moment.at - .milliseconds(time)).magnitude <= .milliseconds(40), "\(moment)")
        }
        #expect(item.metadata.groups.count == 3)
        // The segment is read again, and its tags are the same ones.
        told = []
        player.seek(to: .milliseconds(1500), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { told.count >= 3 })
        #expect(told.map(\.titles) == [["One"], ["Two"], ["Three"]])
        #expect(item.metadata.groups.count == 3)
    }

    @Test("a section of SCTE 35 is told whole when playback reaches the place where it was sent")
    func splices() throws {
        let rig = try Rig(splices: [[1.0, 2.0], [1.0]])
        let player = rig.player
        defer { player.close() }
        var told: [(at: MediaTime, item: MetadataItem)] = []
        let (_, listening) = rig.play { change in
            guard case .passed(let passages) = change else { return }
            for case .reached(let group) in passages { told += group.items.map { (player.currentTime, $0) } }
        }
        defer { listening.cancel() }
        #expect(told.count == 3)
        for (moment, time) in zip(told, [1000, 2000, 5000] as [Int64]) {
            // It has the clock of its programme, which is sent some times a second.
            #expect((moment.at - .milliseconds(time)).magnitude <= .milliseconds(200), "\(moment.at)")
            #expect(moment.item.dataValue == TaggedTransportStream.splice)
            #expect(moment.item.identifier.keySpace.rawValue == "urn:scte:scte35:2013:bin")
        }
    }
}
