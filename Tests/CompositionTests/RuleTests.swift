import LinuxSupport
import MediaModel
import MediaTime
import Testing
import WireFormats

@testable import Composition

@Suite("The rules of compositions")
struct CompositionRuleTests {
    @Test("segments from zero on without gap and overlap are good, at other speeds and empty ones too")
    func good() {
        let segments = [
            segment("a.mp4", frames(10, 5), at: .zero), CompositionTrackSegment(.empty, target: frames(5, 2)),
            CompositionTrackSegment(.media(SourceReference(url: "b.mp4"), frames(0, 20)), target: frames(7, 10)),
        ]
        let composition = video(segments)
        #expect(composition.validate().isEmpty)
        #expect(composition.duration == frame(17))
        #expect(composition.tracks[0].source(at: frame(4))?.1 == frame(14))
        #expect(composition.tracks[0].source(at: frame(5)) == nil)
        #expect(composition.tracks[0].source(at: frame(9))?.1 == frame(4))
        #expect(composition.tracks[0].source(at: frame(17)) == nil)
        #expect(composition.tracks[0].source(at: frame(-1)) == nil)
        #expect(segments[2].timeMapping?.targetTime(atSource: frame(4)) == frame(9))
    }

    private static let tooLong = TimeRange(start: .zero, duration: CompositionLimits.time)
    private static let prime = MediaTime(1, 2_147_483_629)

    static let broken: [(String, [CompositionTrackSegment], [String])] = [
        ("gap", [segment("a", frames(0, 5), at: frame(1))], ["gap /tracks/0/segments/0/target"]),
        (
            "gap in the middle", [segment("a", frames(0, 5), at: .zero), segment("a", frames(0, 5), at: frame(6))],
            ["gap /tracks/0/segments/1/target"]
        ),
        (
            "overlap", [segment("a", frames(0, 5), at: .zero), segment("a", frames(0, 5), at: frame(4))],
            ["overlap /tracks/0/segments/1/target"]
        ),
        ("negative source", [segment("a", frames(-1, 5), at: .zero)], ["negative /tracks/0/segments/0/source/start"]),
        ("negative target", [segment("a", frames(0, 5), at: frame(-1))], ["negative /tracks/0/segments/0/target/start"]),
        (
            "nothing follows an impossible range",
            [segment("a", frames(0, 5), at: frame(-1)), segment("a", frames(0, 5), at: frame(4))],
            ["negative /tracks/0/segments/0/target/start"]
        ),
        ("no length", [CompositionTrackSegment(.empty, target: frames(0, 0))], ["empty /tracks/0/segments/0/target/duration"]),
        (
            "no source length", [CompositionTrackSegment(.media(SourceReference(url: "a"), frames(3, 0)), target: frames(0, 5))],
            ["empty /tracks/0/segments/0/source/duration"]
        ),
        (
            "too fast", [CompositionTrackSegment(.media(SourceReference(url: "a"), frames(0, 33)), target: frames(0, 2))],
            ["rate /tracks/0/segments/0"]
        ),
        (
            "too slow", [CompositionTrackSegment(.media(SourceReference(url: "a"), frames(0, 2)), target: frames(0, 33))],
            ["rate /tracks/0/segments/0"]
        ),
        ("too long", [CompositionTrackSegment(.empty, target: tooLong)], ["limit /tracks/0/segments/0/target"]),
        (
            "not exact", [segment("a", TimeRange(start: prime, duration: MediaTime(1, .max)), at: .zero)],
            ["inexact /tracks/0/segments/0/source"]
        ),
        ("no address", [segment("", frames(0, 5), at: .zero)], ["url /tracks/0/segments/0/url"]),
        ("an address of another kind", [segment("gopher://a/b", frames(0, 5), at: .zero)], ["url /tracks/0/segments/0/url"]),
        ("no host", [segment("https:///b", frames(0, 5), at: .zero)], ["url /tracks/0/segments/0/url"]),
        (
            "a long address", [segment(String(repeating: "a", count: 4097), frames(0, 5), at: .zero)],
            ["url /tracks/0/segments/0/url"]
        ),
        (
            "another codec",
            [segment("a", frames(0, 5), at: .zero, codec: "h264"), segment("b", frames(0, 5), at: frame(5), codec: "hevc")],
            ["codec /tracks/0/segments/1/codec"]
        ),
    ]

    @Test("each fault has its reason and place", arguments: broken)
    func faults(_ name: String, _ segments: [CompositionTrackSegment], _ wanted: [String]) {
        #expect(places(video(segments).validate()) == wanted)
    }

    @Test("numbers and types of tracks are checked")
    func tracks() {
        let composition = Composition(tracks: [
            CompositionTrack(id: TrackID(1), type: .video), CompositionTrack(id: TrackID(1), type: .audio),
            CompositionTrack(id: TrackID(0), type: .text),
        ])
        #expect(places(composition.validate()) == ["track /tracks/1/id", "track /tracks/2/id", "track /tracks/2/type"])
        let many = Composition(tracks: (1...17).map { CompositionTrack(id: TrackID($0), type: .video) })
        #expect(places(many.validate()) == ["limit /tracks"])
        let full = video((0...CompositionLimits.segments).map { segment("a", frames(0, 1), at: frame($0)) })
        #expect(places(full.validate()) == ["limit /tracks"])
    }

    @Test("a composition of faults gives a bounded report that is still an error")
    func flood() {
        let warnings = (0..<1500).map { segment("a", frames($0 * 2, 1), at: frame($0), codec: $0 == 0 ? "h264" : "hevc") }
        let last = segment("a", frames(0, 1), at: frame(2000))
        let findings = Composition(tracks: [
            CompositionTrack(id: TrackID(1), type: .video, segments: warnings),
            CompositionTrack(id: TrackID(2), type: .video, segments: [last]),
        ]).validate()
        #expect(findings.count == 1001)
        #expect(findings.prefix(1000).allSatisfy { $0.severity == .warning })
        #expect(findings.last?.severity == .error && findings.last?.reason == .limit)
    }

    @Test("any segments can be checked and looked at")
    func extremes() {
        var chance = SeededGenerator(seed: 5)
        var bad = 0
        for _ in 0..<2000 {
            let segments = (0..<chance.number(0...4)).map { _ in
                CompositionTrackSegment(
                    chance.number(0...3) == 0 ? .empty : .media(SourceReference(url: "a"), chance.wildRange()),
                    target: chance.wildRange())
            }
            let composition = video(segments)
            bad += composition.validate().isEmpty ? 0 : 1
            let time = chance.wildTime()
            _ = composition.tracks[0].source(at: time)
            _ = segments.first?.timeMapping?.targetTime(atSource: time)
            let document = CompositionDocument(composition)
            #expect(!CompositionReport(document).text.isEmpty)
            _ = CompositionReader.read(Array(document.json.text.utf8), baseURL: "/a.json")
        }
        #expect(bad > 1000)
    }

    @Test("segments are compared with what their sources have")
    func sources() {
        let film = SourceFacts(
            tracks: [
                SourceFacts.Track(id: TrackID(0), type: .video, codec: "h264"),
                SourceFacts.Track(id: TrackID(1), type: .audio, codec: "aac"),
            ], duration: .seconds(10))
        let sound = SourceFacts(
            tracks: [SourceFacts.Track(id: TrackID(0), type: .audio, codec: "mp3")], duration: nil)
        let results: [String: SourceResult] = [
            "film": .found(film), "sound": .found(sound), "stream": .unusable(.playlist), "gone": .failed("There is no gone."),
        ]
        func faults(_ pieces: [(url: String, track: Int?, codec: String?, start: Int, count: Int)], _ type: MediaType = .video)
            -> [String]
        {
            var place = 0
            let segments = pieces.map { piece in
                defer { place += piece.count }
                return CompositionTrackSegment(
                    SourceReference(url: piece.url, track: piece.track.map { TrackID($0) }, codec: piece.codec),
                    frames(piece.start, piece.count), at: frame(place))
            }
            let composition = Composition(tracks: [CompositionTrack(id: TrackID(1), type: type, segments: segments)])
            return composition.validate(against: results).map { "\($0.severity.rawValue) \($0.reason.rawValue) \($0.pointer)" }
        }
        let place = "/tracks/0/segments"
        #expect(faults([("film", 0, "h264", 0, 250), ("film", nil, nil, 240, 11), ("other", 9, nil, 0, 5)]).isEmpty)
        #expect(faults([("film", 0, nil, 240, 12)]) == ["warning source \(place)/0/source"])
        #expect(faults([("film", 0, nil, 250, 1)]) == ["error source \(place)/0/source"])
        #expect(
            faults([("film", 2, nil, 0, 5), ("film", 1, nil, 0, 5)]) == [
                "error track \(place)/0/track", "error track \(place)/1/track",
            ])
        #expect(faults([("sound", nil, nil, 9000, 5)]) == ["error track \(place)/0/url"])
        #expect(faults([("gone", nil, nil, 0, 5), ("gone", nil, nil, 9, 5)]) == ["error source \(place)/0/url"])
        #expect(faults([("stream", nil, nil, 0, 5)]) == ["error source \(place)/0/url"])
        #expect(faults([("film", nil, nil, 0, 5), ("sound", nil, nil, 0, 5)], .audio) == ["warning codec \(place)/1/url"])
        #expect(faults([("film", nil, "hevc", 0, 5)]) == ["warning codec \(place)/0/codec"])
        // The words of playback.
        let finding = video([segment("stream", frames(0, 5), at: .zero)]).validate(against: results).first
        #expect(finding.map { "\($0.message) \($0.remedy)" } == "it is an HLS playlist Use a file.")
    }

    @Test("what is valid and cannot be played is refused, each at its place")
    func playing() {
        let (one, hole) = (segment("a", frames(0, 5), at: .zero), CompositionTrackSegment(.empty, target: frames(0, 5)))
        let late = CompositionTrackSegment(.empty, target: frames(5, 5))
        let whole = VideoComposition(
            renderSize: RenderSize(width: 16, height: 16), frameDuration: frame(1),
            instructions: [VideoCompositionInstruction(frames(0, 5), layers: [])])
        func faults(
            _ tracks: [(MediaType, [CompositionTrackSegment])], _ composition: VideoComposition? = nil
        ) -> [String] {
            let tracks = tracks.enumerated().map { CompositionTrack(id: TrackID($0 + 1), type: $1.0, segments: $1.1) }
            let document = CompositionDocument(Composition(tracks: tracks), videoComposition: composition)
            #expect(document.validate().isEmpty)
            #expect(document.obstacleToPlaying == document.validateForPlaying().first)
            return places(document.validateForPlaying())
        }
        #expect(faults([(.video, [one]), (.audio, [one]), (.audio, [hole])]) == [])
        #expect(faults([]) == ["empty /tracks"])
        #expect(faults([(.video, [])]) == ["empty /tracks"])
        #expect(faults([(.audio, [hole]), (.video, [hole])]) == ["empty /tracks"])
        // A background alone can be shown.
        #expect(faults([(.video, [hole])], whole) == [])
        #expect(faults([(.audio, [hole])], whole) == ["empty /tracks"])
        #expect(faults([(.audio, [one]), (.video, [one]), (.video, [one])]) == ["track /tracks/2"])
        #expect(faults([(.video, [one]), (.video, [one])], whole) == [])
        #expect(
            faults([(.audio, [one]), (.video, [one, late]), (.video, [hole])]) == [
                "empty /tracks/1/segments/1", "track /tracks/2", "empty /tracks/2/segments/0",
            ])
        // What is not valid comes first.
        let broken = CompositionDocument(video([segment("a", frames(0, 5), at: frame(1)), late]))
        #expect(broken.obstacleToPlaying?.reason == .gap)
    }
}
