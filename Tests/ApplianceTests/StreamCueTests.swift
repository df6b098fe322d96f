import BoxModel
import MediaSources
import MediaTime
import Metadata
import Testing

@testable import Appliance
@testable import Playback

@Suite("What clients are told of date ranges and timed metadata")
struct StreamCueTests {
    private static func range(_ attributes: [(String, String)]) -> StreamCue.DateRange? {
        let group = DateRangeMetadataGroup(
            DateRangeMetadata(
                identifier: "break-7", classifyingLabel: "com.example.break", start: .seconds(30), end: .seconds(45),
                startDate: 5,
                endDate: 9, plannedDuration: .seconds(20), attributes: attributes.map { .init(name: $0.0, value: $0.1) }))
        guard case .began(let range) = StreamCue(.began(group)) else { return nil }
        return range
    }

    private static func cue(_ metadata: TimedMetadata) throws -> StreamCue.Metadata {
        var stream = StreamMetadata()
        stream.take([metadata])
        guard case .metadata(let cue) = StreamCue(.reached(try #require(stream.groups.first))) else {
            fatalError("it is metadata")
        }
        return cue
    }

    @Test("a date range has its attributes in their order, as they are written, without the secrets of an address")
    func dateRange() throws {
        let range = try #require(
            Self.range([
                ("SCTE35-OUT", "0xFC30"), ("X-SPONSOR", "Tide"), ("X-AD-URL", "https://me:secret@ads.example/a?token=abc"),
            ]))
        #expect(range.id == "break-7" && range.classID == "com.example.break")
        #expect(range.duration == .seconds(15) && range.plannedDuration == .seconds(20))
        #expect(range.attributes.map(\.name) == ["SCTE35-OUT", "X-SPONSOR", "X-AD-URL"])
        #expect(range.attributes.prefix(2).map(\.value) == ["0xFC30", "Tide"])
        #expect(!range.attributes[2].value.contains("secret") && range.attributes[2].value.contains("ads.example"))
    }

    @Test("the longest section of SCTE 35 has room; longer texts and too many are left out, and counted")
    func bounds() throws {
        let section = "0x" + String(repeating: "AB", count: 4096)
        let long = String(repeating: "x", count: 2049)
        let range = try #require(
            Self.range([("SCTE35-CMD", section), ("SCTE35-IN", section + "AB"), ("X-LONG", long), ("X-SHORT", "y")]))
        #expect(range.attributes.map(\.name) == ["SCTE35-CMD", "X-SHORT"] && range.omitted == 2)
        #expect(range.attributes[0].value == section)
        let many = try #require(Self.range((0..<100).map { ("X-\($0)", "\($0)") }))
        #expect(many.attributes.count == 64 && many.omitted == 36)
        let full = try #require(Self.range((0..<20).map { ("X-\($0)", String(repeating: "z", count: 2048)) }))
        #expect(full.attributes.count == 6 && full.omitted == 14)
    }

    @Test("SCTE 35 in an event message is told in hexadecimal, any other message by its length")
    func messages() throws {
        func message(_ scheme: String, _ data: [UInt8]) -> TimedMetadata {
            TimedMetadata(time: .seconds(4), duration: .zero, scheme: scheme, value: "1001", data: data)
        }
        let splice = try Self.cue(message("urn:scte:scte35:2013:bin", [0xFC, 0x30, 0x0A]))
        #expect(splice.scheme == "urn:scte:scte35:2013:bin" && splice.start == .seconds(4))
        #expect(splice.frames == [.init(key: "1001", info: nil, content: .splice("0xFC300A"))])
        let other = try Self.cue(message("urn:x", [1, 2, 3]))
        #expect(other.frames == [.init(key: "1001", info: nil, content: .data(byteCount: 3, type: nil))])
        let long = try Self.cue(message("urn:scte:scte35:2013:bin", [UInt8](repeating: 0xFC, count: 4097)))
        #expect(
            long.frames == [.init(key: "1001", info: nil, content: .data(byteCount: 4097, type: nil))], "no section is so long")
    }

    @Test("the frames of an ID3 tag are told in words, or by name and length")
    func tag() throws {
        func frame(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body }
        let frames =
            frame("TIT2", [3] + Array("Low Tide".utf8)) + frame("TXXX", [3] + Array("adId".utf8) + [0] + Array("spot-7".utf8))
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
        let cue = try Self.cue(TimedMetadata(time: .seconds(1), duration: nil, scheme: "org.id3", value: "", data: tag))
        #expect(cue.scheme == "org.id3")
        #expect(
            cue.frames == [
                .init(key: "TIT2", info: nil, content: .text("Low Tide")),
                .init(key: "TXXX", info: "adId", content: .text("spot-7")),
            ])
    }
}
