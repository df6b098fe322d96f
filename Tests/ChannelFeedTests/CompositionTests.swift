import Testing
import WireFormats

@testable import ChannelFeed

@Suite("Compositions in a feed")
struct CompositionTests {
    private static let segment = #"{"url": "films/a.mp4", "source": {"start": 0, "duration": 2}}"#

    private func document(_ segments: String...) -> String {
        #"{"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": [\#(segments.joined(separator: ", "))]}]}"#
    }

    private func feed(_ stream: String, item: String = "") -> String {
        #"{"feedVersion": 1, "items": [{"id": "m1", "streams": [\#(stream)]\#(item)}, {"id": "m2", "streams": [{"url": "b"}]}]}"#
    }

    private func lines(_ verdict: FeedVerdict) -> [String] { verdict.findings.map(\.description) }

    @Test("a stream may be a composition, whose addresses are those of the feed")
    func parsed() throws {
        let other = #"{"url": "https://other.example/b.mp4", "source": {"start": 1.50, "duration": "1001/30000"}}"#
        let verdict = read(feed(#"{"composition": \#(document(Self.segment, other, Self.segment))}"#))
        #expect(lines(verdict) == [])
        let item = try #require(verdict.feed?.items.first)
        guard case .composition(let composition)? = item.streams.first?.location else {
            Issue.record("\(item.streams)")
            return
        }
        #expect(composition.name == "/items/0/streams/0/composition")
        #expect(composition.baseURL == "https://cdn.example/feed.json")
        #expect(composition.addresses == ["https://cdn.example/films/a.mp4", "https://other.example/b.mp4"])
        // Numbers are as they were written: the times of compositions are exact.
        #expect(
            String(decoding: composition.text, as: UTF8.self).contains(
                #"{"url":"https://other.example/b.mp4","source":{"start":1.50,"duration":"1001/30000"}}"#))
    }

    @Test("a composition and an address are alternatives in case of failure")
    func alternatives() throws {
        let verdict = read(feed(#"{"composition": \#(document(Self.segment))}, {"url": "whole.mp4"}"#))
        #expect(
            verdict.feed?.items.first?.streams.map(\.location.name) == [
                "/items/0/streams/0/composition", "https://cdn.example/whole.mp4",
            ])
    }

    @Test("what a stream cannot be is refused in words, and drops its item only")
    func refused() {
        let composition = #""composition": \#(document(Self.segment))"#
        let cases = [
            (#"{"url": "a.mp4", \#(composition)}"#, "/composition: the stream has both a URL and a composition"),
            (#"{"composition": "a.json"}"#, #"/composition: "a.json" has the wrong type"#),
            (#"{"composition": []}"#, "/composition: [] has the wrong type"),
            ("{}", "/url: missing"),
            (
                #"{"composition": \#(document(#"{"url": "http://cdn.example/a.mp4"}"#))}"#,
                #"/composition/tracks/0/segments/0/url: plain http to "cdn.example" is not allowed"#
            ),
            (
                #"{"composition": \#(document(Self.segment, #"{"url": "file:///etc/passwd"}"#))}"#,
                #"/composition/tracks/0/segments/1/url: "file:///etc/passwd" has the scheme "file""#
            ),
        ]
        for (stream, words) in cases {
            let verdict = read(feed(stream))
            #expect(
                lines(verdict).contains { $0.hasPrefix("error FEED-") && $0.contains("/items/0/streams/0" + words) },
                "\(lines(verdict))")
            #expect(verdict.feed?.items.map(\.id) == ["m2"])
        }
    }

    @Test("a live channel is not a composition")
    func live() {
        let channel = #"{"id": "c", "title": "C", "streams": [{"composition": \#(document(Self.segment))}]}"#
        let verdict = read(#"{"feedVersion": 1, "channels": [\#(channel)], "items": [{"id": "m1", "streams": [{"url": "b"}]}]}"#)
        #expect(
            lines(verdict).contains {
                $0.hasPrefix("error FEED-003 /channels/0/streams/0/composition: a composition is not a live stream.")
            })
        #expect(verdict.feed?.channels.isEmpty == true)
    }

    @Test("hints and a wish to store it have no effect on a composition, and are said to have none")
    func withoutEffect() throws {
        let stream = #"{"composition": \#(document(Self.segment)), "maxHeight": 720}"#
        let verdict = read(feed(stream, item: #", "offline": "required""#))
        #expect(
            lines(verdict) == [
                #"warning FEED-004 /items/0/streams/0/maxHeight: "maxHeight" is not a hint about a composition. Remove it."#,
                "warning FEED-004 /items/0/offline: the pieces of a composition are not stored. Remove it, or write a stream with the whole programme.",
            ])
        #expect(try #require(verdict.feed?.items.first).offline.priority == .none)
        let both = read(feed(#"\#(stream), {"url": "whole.mp4"}"#, item: #", "offline": "required""#))
        #expect(both.feed?.items.first?.offline.priority == .required)
    }

    @Test("a fault of a composition is reported where it is, or at the nearest value around it")
    func faults() throws {
        var options = FeedOptions()
        options.checkComposition = { text, baseURL in
            #expect(baseURL == "https://cdn.example/feed.json" && text.first == UInt8(ascii: "{"))
            let place = JSONPointer(["tracks", "0", "segments"])
            return [
                .init(isError: false, at: place.appending(1).appending("target").appending("start"), "late", "Begin earlier."),
                .init(isError: true, at: place.appending(7), "missing", "Write it."),
            ]
        }
        let text = feed(#"{"composition": \#(document(Self.segment, #"{"url": "a", "target": {"start": 1}}"#))}"#)
        let verdict = read(text, options: options)
        #expect(
            lines(verdict) == [
                "error FEED-068 /items/0/streams/0/composition/tracks/0/segments: missing. Write it.",
                "warning FEED-068 /items/0/streams/0/composition/tracks/0/segments/1/target/start: late. Begin earlier.",
            ])
        #expect(verdict.feed?.items.map(\.id) == ["m2"])
        let place = try #require(verdict.findings.last?.location)
        #expect(place.line == 1 && text.dropFirst(place.column - 1).hasPrefix("1}"))
    }
}
