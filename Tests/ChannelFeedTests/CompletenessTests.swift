import Testing

@testable import ChannelFeed

/// One report has everything: repairing what it names brings up nothing new.
@Suite("A report is complete")
struct CompletenessTests {
    private let now = FeedOptions(clock: .trusted(FeedDate("2026-11-20T12:00:00Z")!))

    /// The codes with the last part of their places.
    private func codes(_ text: String) -> [String] {
        read(text, options: now).findings.map { "\($0.code.rawValue) \($0.pointer)" }
    }

    @Test(
        "what else is wrong in an object that is dropped is reported too",
        arguments: [
            (
                #""streams": [{"codecs": 5, "maxHeight": 0, "sha256": "x", "audio": [{"kind": 7}]}]"#,
                [
                    "streams/0/url", "streams/0/codecs", "streams/0/maxHeight", "streams/0/sha256", "streams/0/audio/0/kind",
                    "streams/0/audio/0/language",
                ]
            ),
            (#""rating": {"system": "MPAA"}"#, ["rating/value", "rating/system"]),
            (#""subtitles": [{"url": "a.vtt", "kind": "sdhh"}]"#, ["subtitles/0/language", "subtitles/0/kind"]),
            (
                #""window": {"from": "2026-03-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}"#,
                ["window/to", "window/to"]
            ),
            (#""interstitials": [{"duration": 0}]"#, ["interstitials/0/start", "interstitials/0/duration"]),
            (#""markers": [{"start": 30, "end": 20}]"#, ["markers/0/kind", "markers/0/end"]),
            (
                #""duration": 100, "markers": [{"kind": "chapter", "start": 120}, {"kind": "chapter", "start": 110}]"#,
                ["markers/0", "markers/1", "markers/1"]
            ),
        ])
    func item(parts: String, places: [String]) {
        let streams = parts.contains("\"streams\"") ? "" : #""streams": [{"url": "a.mp4"}], "#
        let text =
            #"{"feedVersion": 1, "items": [{"id": "m1", \#(streams)\#(parts)}, {"id": "m2", "streams": [{"url": "b.mp4"}]}]}"#
        let found = read(text, options: now).findings.map { String("\($0.pointer)".dropFirst("/items/0/".count)) }
        #expect(found.sorted() == places.sorted())
        #expect(read(text, options: now).feed?.items.map(\.id) == ["m2"] || parts.contains("rating"))
    }

    @Test("the streams of a channel of an unknown kind, and the guide without an address, are checked")
    func channel() {
        let text = """
            {"feedVersion": 1, "channels": [{"id": "c", "title": "C", "kind": "lives", "guide": {"id": 5}, "streams": [{"url": "ftp://a/b"}]}],
             "items": [{"id": "m", "streams": [{"url": "m.mp4"}]}]}
            """
        #expect(
            Set(codes(text)) == [
                "FEED-003 /channels/0/kind", "FEED-003 /channels/0/guide/xmltv", "FEED-003 /channels/0/guide/id",
                "FEED-061 /channels/0/streams/0/url",
            ])
    }

    @Test("proposals of items that are dropped are checked: a loop through them, and what needs the PIN")
    func proposals() {
        let text = """
            {"feedVersion": 1, "policy": {"parentalMax": {"MPA": "PG"}}, "items": [
              {"id": "a", "tags": 3, "streams": [{"url": "a.mp4"}], "rating": {"system": "MPA", "value": "R"}, "proposal": {"next": "b"}},
              {"id": "b", "streams": [{"url": "b.mp4"}], "rating": {"system": "MPA", "value": "G"}, "proposal": {"next": "a"}}]}
            """
        #expect(
            codes(text) == ["FEED-003 /items/0/tags", "FEED-043 /items/0/proposal/next", "FEED-044 /items/1/proposal/next"])
        #expect(read(text, options: now).feed?.items.map(\.id) == ["b"])
    }
}
