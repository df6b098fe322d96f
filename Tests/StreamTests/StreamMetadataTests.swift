import MediaSources
import MediaTime
import Metadata
import TestSupport
import Testing

@testable import Playback

/// Metadata in streams, as typed items at their times.
@Suite("Metadata of streams", .serialized)
@MainActor
struct StreamMetadataTests {
    private static func range(_ id: String, at second: Double, _ attributes: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"radio\",START-DATE=\"\(LiveOrigin.date(second))\",\(attributes)\n"
    }

    @Test("date ranges become groups with their attributes, each reported at its time, to within a frame")
    func dateRanges() throws {
        let rig = try StreamRig()
        rig.put(
            "main", seconds: 16,
            header: Self.range("a", at: 2, "DURATION=3,X-TITLE=\"One\",X-ARTIST=\"Ann\"")
                + Self.range("b", at: 5, "END-ON-NEXT=YES,X-TITLE=\"Two\"")
                + Self.range("c", at: 9, "DURATION=4,X-TITLE=\"Three\""),
            isDated: true)
        defer { rig.close() }
        let item = rig.play()
        #expect(rig.run { rig.hasEnded })
        let groups = item.metadata.dateRanges
        #expect(groups.map(\.uniqueID) == ["a", "b", "c"] && groups.map(\.start) == [.seconds(2), .seconds(5), .seconds(9)])
        #expect(groups.map(\.end) == [.seconds(5), .seconds(9), .seconds(13)])
        #expect(groups.allSatisfy { $0.classifyingLabel == "radio" })
        #expect(groups[0].startDate == 1_772_366_402_000_000_000)
        #expect(groups[0].items.compactMap(\.commonIdentifier) == [.commonTitle, .commonArtist])
        let told = rig.presentedMetadata
        #expect(told.map(\.items) == [["X-TITLE=One", "X-ARTIST=Ann"], ["X-TITLE=Two"], ["X-TITLE=Three"], []])
        for (moment, place) in zip(told, [2, 5, 9, 13] as [Int64]) {
            #expect(moment.at >= .seconds(place) && moment.at - .seconds(place) <= .milliseconds(50))
        }
    }

    @Test(
        "a program is told of each date range when playback comes into it and leaves it, also without X- attributes; of what an interstitial replaces, it is told of what begins with it"
    )
    func passages() throws {
        let rig = try StreamRig()
        rig.put("ad", seconds: 4)
        rig.put(
            "main", seconds: 16,
            header: Self.range("a", at: 2, "PLANNED-DURATION=3,DURATION=3,SCTE35-OUT=0xFC30")
                + StreamRig.interstitial("x", at: 6, "DURATION=4,X-ASSET-URI=\"ad.m3u8\",SCTE35-CMD=0xFC31")
                + Self.range("out", at: 6, "DURATION=4,SCTE35-OUT=0xFC32")
                + Self.range("within", at: 7, "DURATION=2,SCTE35-CMD=0xFC33")
                + Self.range("b", at: 12, "DURATION=2"),
            isDated: true)
        defer { rig.close() }
        let item = rig.play()
        #expect(rig.run { rig.hasEnded })
        #expect(rig.interstitials == ["begin x 1/1", "end x completed"])
        #expect(
            rig.passages.map(\.line) == [
                "begin a", "end a", "begin out", "begin x", "end out", "end x", "begin b", "end b",
            ])
        for (moment, place) in zip(rig.passages, [2, 5, 6, 6, 10, 10, 12, 14] as [Int64]) {
            #expect(moment.at >= .seconds(place) && moment.at - .seconds(place) <= .milliseconds(50), "\(moment.line)")
        }
        #expect(item.metadata.dateRanges[0].plannedDuration == .seconds(3))
    }

    @Test("session data become items in their languages, and referenced chapters have all of their languages")
    func sessionData() throws {
        let rig = try StreamRig()
        rig.put("main", seconds: 8)
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="The Film",LANGUAGE="en"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="Der Film",LANGUAGE="de"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="meta/chapters.json"
            #EXT-X-SESSION-DATA:DATA-ID="com.example.missing",URI="meta/none.json"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2"
            main.m3u8
            """, at: "http://test/all.m3u8")
        rig.script.put(
            #"""
            [{"chapter":1,"start-time":0,"duration":3.5,"titles":[{"language":"en","title":"Start"},{"language":"de","title":"Anfang"}],
              "images":[{"image-category":"still","pixel-width":100,"pixel-height":50,"url":"s.jpg"},{"image-category":"still","pixel-width":900,"pixel-height":450,"url":"l.jpg"}]},
             {"chapter":2,"start-time":3.5,"titles":[{"language":"en","title":"End"}]}]
            """#, at: "http://test/meta/chapters.json")
        defer { rig.close() }
        let item = rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.hasEnded })
        let titles = item.metadata.items
        #expect(titles.map(\.commonIdentifier) == [.commonTitle, .commonTitle])
        #expect(titles.best(.commonTitle, for: ["de"])?.stringValue == "Der Film")
        let metadata = MediaMetadata(items: titles, chapters: item.metadata.chapters)
        let german = metadata.chapterGroups(bestMatching: ["de"], duration: item.duration?.time) { "Chapter \($0)" }
        #expect(german.map { $0.items.first?.stringValue } == ["Anfang", "End"])
        #expect(
            german.map(\.timeRange) == [
                TimeRange(start: .zero, end: .milliseconds(3500)), TimeRange(start: .milliseconds(3500), end: .seconds(8)),
            ])
        #expect(german[0].items.last?.stringValue == "http://test/meta/l.jpg")
    }

    @Test("ID3 tags become their frames and apply until the next tag; other messages keep scheme, value and bytes")
    func segments() throws {
        func tag(_ title: String) -> [UInt8] {
            let frame = [3] + Array(title.utf8)
            let body = Array("TIT2".utf8) + [0, 0, 0, UInt8(frame.count), 0, 0] + frame
            return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(body.count)] + body
        }
        var metadata = StreamMetadata()
        metadata.take([
            TimedMetadata(time: .seconds(2), duration: nil, scheme: "org.id3", value: "", data: tag("One")),
            TimedMetadata(time: .seconds(6), duration: nil, scheme: "https://aomedia.org/emsg/ID3", value: "", data: tag("Two")),
            TimedMetadata(time: .seconds(4), duration: .seconds(1), scheme: "urn:x", value: "v", data: [1, 2]),
        ])
        // The same segment again.
        metadata.take([TimedMetadata(time: .seconds(2), duration: nil, scheme: "org.id3", value: "", data: tag("One"))])
        #expect(metadata.groups.count == 3)
        #expect(metadata.items(at: .seconds(3)).map(\.stringValue) == ["One"])
        #expect(metadata.items(at: .seconds(7)).map(\.stringValue) == ["Two"])
        #expect(metadata.items(at: .seconds(7)).first?.commonIdentifier == .commonTitle)
        let message = try #require(metadata.items(at: .milliseconds(4500)).last)
        #expect(
            message.identifier == MetadataIdentifier(MetadataKeySpace(rawValue: "urn:x"), "v") && message.dataValue == [1, 2])
        #expect(metadata.items(at: .seconds(1)).isEmpty)
    }
}
