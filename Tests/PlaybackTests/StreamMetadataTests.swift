import MediaSources
import MediaTime
import Metadata
import Testing

@testable import Playback

@Suite("Metadata inside segments and of date ranges")
struct StreamMetadataTests {
    /// A whole ID3v2.4 tag with a title.
    private static func tag(_ title: String) -> [UInt8] {
        let text = [UInt8(3)] + Array(title.utf8)
        let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }

    private func id3(_ title: String, at second: Int64, scheme: String = "org.id3", lasting: MediaTime? = nil) -> TimedMetadata {
        TimedMetadata(time: seconds(second), duration: lasting, scheme: scheme, value: "", data: Self.tag(title))
    }

    private func titles(_ metadata: StreamMetadata, at time: MediaTime) -> [String] {
        metadata.items(at: time).compactMap(\.stringValue)
    }

    @Test("a tag applies until the next one, and the same tag read again is one")
    func tags() {
        var metadata = StreamMetadata()
        metadata.take([id3("one", at: 2), id3("two", at: 6)])
        metadata.take([id3("one", at: 2)])
        #expect(metadata.groups.count == 2)
        #expect(titles(metadata, at: seconds(1)).isEmpty)
        #expect(titles(metadata, at: seconds(2)) == ["one"] && titles(metadata, at: seconds(5, 999)) == ["one"])
        #expect(titles(metadata, at: seconds(6)) == ["two"] && titles(metadata, at: seconds(3600)) == ["two"])
        #expect(metadata.edges.prefix(2) == [seconds(2), seconds(6)])
    }

    @Test("a tag that becomes known after a later one, as when the viewer goes back, applies until that one")
    func lateTag() {
        var metadata = StreamMetadata()
        metadata.take([id3("two", at: 6), id3("three", at: 8)])
        metadata.take([id3("one", at: 2)])
        #expect(titles(metadata, at: seconds(5)) == ["one"])
        #expect(titles(metadata, at: seconds(6)) == ["two"] && titles(metadata, at: seconds(9)) == ["three"])
        metadata.take([id3("between", at: 7)])
        #expect(titles(metadata, at: seconds(6, 999)) == ["two"] && titles(metadata, at: seconds(7)) == ["between"])
        #expect(titles(metadata, at: seconds(8)) == ["three"])
        // A tag in a later message with a duration does not depend on the others.
        metadata.take([id3("inside", at: 3, scheme: "https://aomedia.org/emsg/ID3", lasting: .seconds(4))])
        #expect(titles(metadata, at: seconds(4)) == ["one", "inside"])
    }

    @Test("ID3 inside an event message is read as a tag; any other message keeps its bytes and has its duration")
    func messages() throws {
        var metadata = StreamMetadata()
        metadata.take([
            id3("inside", at: 1, scheme: "https://aomedia.org/emsg/ID3", lasting: .seconds(2)),
            TimedMetadata(time: seconds(4), duration: .seconds(1), scheme: "urn:x", value: "7", data: [1, 2]),
            TimedMetadata(time: seconds(8), duration: .zero, scheme: "urn:x", value: "8", data: [3]),
        ])
        #expect(titles(metadata, at: seconds(2)) == ["inside"] && titles(metadata, at: seconds(3)).isEmpty)
        let message = try #require(metadata.items(at: seconds(4)).first)
        #expect(message.identifier == MetadataIdentifier(MetadataKeySpace(rawValue: "urn:x"), "7"))
        #expect(message.value == .data([1, 2]))
        #expect(metadata.items(at: seconds(5)).isEmpty)
        #expect(metadata.items(at: seconds(8)).map(\.value) == [.data([3])], "an instant applies at its time")
        #expect(metadata.items(at: seconds(8, 1)).isEmpty)
    }

    @Test("messages of different kinds do not end each other, and the oldest of too many groups are dropped")
    func kinds() {
        var metadata = StreamMetadata()
        metadata.take([id3("song", at: 1)])
        metadata.take([TimedMetadata(time: seconds(2), duration: nil, scheme: "urn:x", value: "", data: [1])])
        #expect(metadata.items(at: seconds(3)).count == 2)
        metadata.take((0..<Int64(StreamMetadata.most)).map { id3("\($0)", at: 10 + $0) })
        #expect(metadata.groups.count == StreamMetadata.most)
        #expect(metadata.groups.first?.timeRange.start == seconds(10))
    }

    @Test("of a batch of any size the newest are kept, by number and by bytes, and it is bounded before it is taken")
    func batches() {
        var metadata = StreamMetadata()
        metadata.take([id3("first", at: 0)])
        // Each of these, taken one after the other against all before it, would be a thousand million comparisons.
        let many = (0..<40_000).map { id3("\($0)", at: 1 + Int64($0)) }
        metadata.take(many)
        #expect(metadata.groups.map(\.timeRange.start) == many.suffix(StreamMetadata.most).map(\.time))
        let large = (0..<20).map {
            TimedMetadata(
                time: seconds(50_000 + $0), duration: nil, scheme: "urn:x", value: "",
                data: [UInt8](repeating: UInt8($0), count: 1 << 20))
        }
        metadata.take(large)
        #expect(metadata.groups.map(\.timeRange.start) == large.suffix(StreamMetadata.mostBytes >> 20).map(\.time))
        metadata.take([id3("small", at: 60_000)])
        #expect(metadata.groups.count == StreamMetadata.mostBytes >> 20, "the oldest makes room")
    }

    @Test("a date range applies from its start to before its end; instructions for players are not presented")
    func ranges() {
        func range(_ id: String, _ start: Int64, _ end: Int64?, label: String? = nil) -> DateRangeMetadataGroup {
            DateRangeMetadataGroup(
                DateRangeMetadata(
                    identifier: id, classifyingLabel: label, start: seconds(start), end: end.map { seconds($0) }, startDate: 0,
                    endDate: nil, attributes: [.init(name: "X-A", value: id)]))
        }
        var metadata = StreamMetadata()
        metadata.dateRanges = [range("a", 1, 3), range("b", 2, nil), range("c", 0, 9, label: "com.apple.hls.interstitial")]
        #expect(titles(metadata, at: .zero).isEmpty)
        #expect(titles(metadata, at: seconds(1)) == ["a"] && titles(metadata, at: seconds(2)) == ["a", "b"])
        #expect(titles(metadata, at: seconds(3)) == ["b"])
        #expect(metadata.edges == [.zero, seconds(1), seconds(2), seconds(3), seconds(9)], "a program is told of interstitials")
    }

    @Test("crowded date ranges are presented up to a bound, and told of at most twenty times a second")
    func crowded() {
        var metadata = StreamMetadata()
        metadata.dateRanges = (0..<10_000).map {
            DateRangeMetadataGroup(
                DateRangeMetadata(
                    identifier: "\($0)", classifyingLabel: nil, start: .milliseconds($0), end: .milliseconds(20_000 + $0),
                    startDate: 0, endDate: nil, attributes: [.init(name: "X-A", value: "\($0)")]))
        }
        let edges = metadata.edges
        #expect(edges.first == .milliseconds(49) && edges.last == .milliseconds(29_999) && edges.count == 400)
        #expect(zip(edges, edges.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(50) })
        #expect(metadata.items(at: seconds(15)).count == StreamMetadata.mostPresented)
        #expect(titles(metadata, at: .milliseconds(99)) == (0...99).map { "\($0)" })
    }

    @Test("entries of session data have their common meaning; a chapter has its titles and its picture")
    func descriptions() {
        let title = MetadataItem(SessionDatum(identifier: "com.apple.hls.title", value: "Film", languageTag: "en"))
        #expect(title.commonIdentifier == .commonTitle && title.extendedLanguageTag == "en" && title.stringValue == "Film")
        #expect(MetadataItem(SessionDatum(identifier: "com.example.x", value: "1")).commonIdentifier == nil)
        let chapter = TimedMetadataGroup(
            StreamChapter(start: seconds(2), duration: nil, titles: [.init(languageTag: "en", text: "One")], image: "one.jpg"),
            end: seconds(5))
        #expect(chapter.timeRange == TimeRange(start: seconds(2), end: seconds(5)))
        #expect(chapter.items.map(\.stringValue) == ["One", "one.jpg"])
        let open = TimedMetadataGroup(StreamChapter(start: seconds(2), duration: nil, titles: []), end: nil)
        #expect(open.timeRange.isEmpty)
    }
}
