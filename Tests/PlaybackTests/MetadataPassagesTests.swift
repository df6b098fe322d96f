import LinuxSupport
import MediaSources
import MediaTime
import Metadata
import Testing

@testable import Playback

@Suite("What playback comes upon in a stream's metadata")
struct MetadataPassagesTests {
    private var passages = MetadataPassages()
    private var metadata = StreamMetadata()
    private var now = HostTime.zero

    private static func range(_ id: String, _ start: Int64, _ end: Int64?, label: String? = nil) -> DateRangeMetadataGroup {
        DateRangeMetadataGroup(
            DateRangeMetadata(
                identifier: id, classifyingLabel: label, start: .milliseconds(start), end: end.map { .milliseconds($0) },
                startDate: 0,
                endDate: nil, attributes: []))
    }

    private static func message(_ value: String, at time: Int64, lasting: Int64) -> TimedMetadata {
        TimedMetadata(
            time: .milliseconds(time), duration: .milliseconds(lasting), scheme: "urn:x", value: value, data: [1])
    }

    /// The passages of a step, in words.
    private mutating func move(to time: Int64, isJump: Bool = false) -> [String] {
        now = now + .milliseconds(10)
        return passages.move(to: .milliseconds(time), in: metadata, isJump: isJump, now: now).map {
            switch $0 {
            case .began(let range): "+\(range.uniqueID)"
            case .ended(let range): "-\(range.uniqueID)"
            case .reached(let group): group.items[0].identifier.key
            }
        }
    }

    @Test("a range begins and ends once, also where playback begins inside it, and without any attribute")
    mutating func once() {
        metadata.dateRanges = [Self.range("a", 1000, 3000), Self.range("b", 2000, nil)]
        #expect(move(to: 1500, isJump: true) == ["+a"])
        #expect(move(to: 1600) == [])
        #expect(move(to: 2000) == ["+b"])
        #expect(move(to: 3000) == ["-a"])
        #expect(move(to: 3600) == [])
    }

    @Test("a seek inside a range is nothing, one over it neither; a return begins it again")
    mutating func seeks() {
        metadata.dateRanges = [Self.range("a", 1000, 3000), Self.range("b", 4000, 5000)]
        metadata.take([Self.message("m", at: 4500, lasting: 0)])
        #expect(move(to: 1000, isJump: true) == ["+a"])
        #expect(move(to: 2900, isJump: true) == [] && move(to: 1100, isJump: true) == [])
        #expect(move(to: 6000, isJump: true) == ["-a"], "b and the message were passed over")
        #expect(move(to: 4500, isJump: true) == ["+b", "m"])
        #expect(move(to: 500, isJump: true) == ["-b"])
    }

    @Test("what is shorter than a picture is told where it is played over, its end with its beginning")
    mutating func instants() {
        metadata.dateRanges = [Self.range("a", 1000, 1000), Self.range("b", 1010, 1020)]
        metadata.take([Self.message("m", at: 1015, lasting: 0), Self.message("n", at: 1030, lasting: 1)])
        #expect(move(to: 990, isJump: true) == [])
        #expect(move(to: 1040) == ["+a", "-a", "+b", "-b", "m", "n"])
        #expect(move(to: 1080) == [])
    }

    @Test("a range may get its end while it applies, or vanish; its end is told all the same")
    mutating func openRanges() {
        metadata.dateRanges = [Self.range("a", 1000, nil), Self.range("b", 1000, nil)]
        #expect(move(to: 1000, isJump: true) == ["+a", "+b"])
        metadata.dateRanges = [Self.range("a", 1000, 2000)]
        #expect(move(to: 1500) == ["-b"])
        #expect(move(to: 2000) == ["-a"])
    }

    @Test(
        "the range of an interstitial begins when that is presented, wherever the position is, once, and ends with the next move")
    mutating func presented() {
        metadata.dateRanges = [Self.range("a", 1000, 3000), Self.range("x", 2000, 5000)]
        #expect(move(to: 1500, isJump: true) == ["+a"])
        #expect(passages.present("x", in: metadata, now: now) == .began(metadata.dateRanges[1]))
        #expect(passages.present("x", in: metadata, now: now) == nil && passages.present("none", in: metadata, now: now) == nil)
        #expect(move(to: 6000, isJump: true) == ["-a", "-x"])
    }

    @Test("interstitials are told; what only players need is not")
    mutating func forPlayers() {
        metadata.dateRanges = [
            Self.range("a", 0, 1000, label: "com.apple.hls.interstitial"),
            Self.range("p", 0, 1000, label: "com.apple.hls.preload"),
            Self.range("s", 0, 1000, label: "com.apple.hls.daterange-schedule"),
        ]
        #expect(move(to: 0, isJump: true) == ["+a"])
        #expect(metadata.edges == [.zero, .seconds(1)])
    }

    @Test("of a crowd as many are told in a second as there may be, and the ends of those alone")
    mutating func crowds() {
        let most = MetadataPassages.mostPerSecond
        metadata.dateRanges = (0..<500).map { Self.range("\($0)", 1000, 2000) }
        #expect(move(to: 1000, isJump: true) == (0..<most).map { "+\($0)" })
        #expect(move(to: 2000).count == most)
        metadata.dateRanges.append(Self.range("late", 3000, 4000))
        now = now + .seconds(1)
        #expect(move(to: 3000) == ["+late"])
    }
}
