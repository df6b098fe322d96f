import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Composition

@Suite("Editing a composition")
struct EditTests {
    private static let sources = (0..<3).map { number in
        EditedComposition.Source(
            SourceReference(url: "file:///source\(number).mp4", track: TrackID(number), codec: "h264"), frames: 0..<61)
    }

    @Test("10,000 random edits do to a composition what they do to lists of numbered frames", arguments: 0..<50)
    func randomEdits(_ seed: Int) throws {
        var edited = try EditedComposition(EditedComposition.Rules(Self.sources), seed: UInt64(seed))
        for number in 0..<200 {
            try edited.edit()
            let difference = edited.difference(at: .frames)
            try #require(difference == nil, "edit \(number)")
            guard number % 20 == 0 else { continue }
            for walk in EditedComposition.Walk.allCases {
                let difference = edited.difference(at: walk)
                try #require(difference == nil, "edit \(number), \(walk)")
            }
            let composition = edited.composition.composition
            #expect(composition.validate().isEmpty)
            let document = CompositionDocument(composition)
            let read = CompositionReader.read(Array(document.json.text.utf8), baseURL: "/compositions/a.json")
            #expect(read.document == document && read.findings.isEmpty)
            #expect(try MutableComposition(composition).composition == composition)
        }
    }

    @Test("an edit that is undone leaves no edge")
    func undo() throws {
        var composition = MutableComposition()
        let id = try composition.addTrack(.video)
        let source = SourceTrack(SourceReference(url: "a.mp4"), type: .video)
        let other = SourceTrack(SourceReference(url: "b.mp4"), type: .video)
        try composition.insert(frames(100, 50), of: source, into: id, at: .zero)
        let before = composition.composition
        try composition.insert(frames(0, 7), of: other, into: id, at: frame(20))
        #expect(composition.composition.segmentCount == 3)
        try composition.remove(frames(20, 7), from: id)
        #expect(composition.composition == before)
        try composition.scale(frames(10, 10), to: frame(20), in: id)
        #expect(composition.composition.segmentCount == 3)
        try composition.scale(frames(10, 20), to: frame(10), in: id)
        #expect(composition.composition == before)
    }

    @Test("extreme times are edited exactly or refused, and change nothing when refused")
    func extremes() throws {
        var chance = SeededGenerator(seed: 99)
        var accepted = 0
        for _ in 0..<300 {
            var composition = MutableComposition()
            let id = try composition.addTrack(.audio)
            for _ in 0..<12 {
                let before = composition.composition
                let range = chance.wildRange()
                do throws(CompositionError) {
                    switch chance.number(0...4) {
                    case 0, 1:
                        let source = SourceTrack(
                            SourceReference(url: "a.mp4"), type: .audio,
                            timeRange: chance.number(0...1) == 0 ? nil : chance.wildRange())
                        try composition.insert(range, of: source, into: id, at: chance.wildTime())
                    case 2: try composition.insertEmpty(range)
                    case 3: try composition.remove(range)
                    default: try composition.scale(range, to: chance.wildTime())
                    }
                    accepted += 1
                } catch {
                    #expect(composition.composition == before)
                    #expect(error.description.hasSuffix("."))
                }
                let after = composition.composition
                #expect(after.validate().allSatisfy { $0.severity == .warning }, "\(after)")
                _ = after.tracks[0].source(at: chance.wildTime())
            }
        }
        #expect(accepted > 100)
    }

    @Test("the number of segments is bounded, for all tracks together")
    func bound() throws {
        let segments = (0..<CompositionLimits.segments - 1).map { segment("a.mp4", frames($0 * 2, 1), at: frame($0)) }
        var composition = try MutableComposition(video(segments))
        try composition.remove(frames(100, 1), from: TrackID(1))
        try composition.insertEmpty(frames(10, 1), into: TrackID(1))
        #expect(composition.composition.segmentCount == CompositionLimits.segments - 1)
        try composition.addTrack(.audio)
        try composition.insertEmpty(frames(0, 1), into: TrackID(2))
        #expect(throws: CompositionError.tooManySegments) { try composition.insertEmpty(frames(20, 1), into: TrackID(1)) }
        for _ in 2..<CompositionLimits.tracks { try composition.addTrack(.audio) }
        #expect(throws: CompositionError.tooManyTracks) { try composition.addTrack(.audio) }
    }

    @Test("a range of all tracks of a source goes into compatible tracks, and everything after it stays together")
    func allTracks() throws {
        let film = [
            SourceTrack(SourceReference(url: "a.mp4", track: TrackID(0), codec: "h264"), type: .video, timeRange: frames(0, 500)),
            SourceTrack(
                SourceReference(url: "a.mp4", track: TrackID(1), codec: "aac"), type: .audio, languageTag: "de",
                timeRange: frames(2, 500)),
            SourceTrack(
                SourceReference(url: "a.mp4", track: TrackID(2), codec: "aac"), type: .audio, languageTag: "en",
                timeRange: frames(0, 500)),
        ]
        let advert = [
            SourceTrack(SourceReference(url: "b.mp4", track: TrackID(1), codec: "aac"), type: .audio, languageTag: "en"),
            SourceTrack(SourceReference(url: "b.mp4", track: TrackID(0), codec: "hevc"), type: .video),
        ]
        var composition = MutableComposition()
        try composition.insert(frames(0, 100), ofAll: film, at: .zero)
        try composition.insert(frames(50, 10), ofAll: advert, at: frame(40))
        let tracks = composition.composition.tracks
        #expect(tracks.map { "\($0.type) \($0.languageTag ?? "-")" } == ["video -", "audio de", "audio en", "video -"])
        // The German sound begins two frames later than the pictures.
        #expect(tracks[1].segments.first == CompositionTrackSegment(.empty, target: frames(0, 2)))
        #expect(tracks[0].segments.map(\.isEmpty) == [false, true, false])
        #expect(tracks[1].segments.map(\.isEmpty) == [true, false, true, false])
        #expect(tracks[2].segments.map { $0.source?.url } == ["a.mp4", "b.mp4", "a.mp4"])
        #expect(tracks[3].segments.map(\.target) == [frames(0, 40), frames(40, 10)])
        for track in tracks.prefix(3) { #expect(track.source(at: frame(60))?.1 == frame(50)) }
        #expect(composition.track(compatibleWith: advert[1]) == TrackID(4))
        #expect(composition.track(compatibleWith: film[0]) == TrackID(1))
        let text = SourceTrack(SourceReference(url: "c.vtt"), type: .text)
        #expect(composition.track(compatibleWith: text) == nil)
        #expect(throws: CompositionError.unsupportedType(.text)) {
            try composition.insert(frames(0, 1), ofAll: [text], at: .zero)
        }
        #expect(composition.composition.tracks == tracks)
    }

    @Test("what cannot be inserted is refused")
    func refusals() throws {
        var composition = MutableComposition()
        let id = try composition.addTrack(.video, id: TrackID(7))
        let source = SourceTrack(SourceReference(url: "a.mp4"), type: .video, timeRange: frames(0, 10))
        let sound = SourceTrack(SourceReference(url: "a.mp4"), type: .audio)
        func error(_ edit: (inout MutableComposition) throws -> Void) -> CompositionError? {
            #expect(throws: CompositionError.self) { try edit(&composition) }
        }
        #expect(
            error { try $0.insert(frames(5, 6), of: source, into: id, at: .zero) }
                == .beyondSource(frames(5, 6), source.reference))
        #expect(error { try $0.insert(frames(5, 0), of: source, into: id, at: .zero) } == .badRange(frames(5, 0)))
        #expect(error { try $0.insert(frames(-1, 5), of: source, into: id, at: .zero) } == .badRange(frames(-1, 5)))
        #expect(error { try $0.insert(frames(0, 5), of: source, into: id, at: frame(-1)) } == .negativeTime(frame(-1)))
        #expect(error { try $0.insert(frames(0, 5), of: sound, into: id, at: .zero) } == .otherType(.audio, into: .video))
        #expect(error { try $0.insert(frames(0, 5), of: source, into: TrackID(8), at: .zero) } == .noTrack(TrackID(8)))
        #expect(error { try $0.insert(frames(0, 5), of: source, into: id, at: CompositionLimits.time) } == .tooLong)
        #expect(error { try $0.addTrack(.video, id: id) } == .badTrackID(id))
        #expect(error { try $0.addTrack(.video, id: TrackID(0)) } == .badTrackID(TrackID(0)))
        #expect(error { try $0.scale(frames(0, 1), to: .zero, in: id) } == .badDuration(.zero))
        #expect(error { try $0.removeTrack(TrackID(9)) } == .noTrack(TrackID(9)))
        let gap = video([segment("a.mp4", frames(0, 5), at: frame(3))])
        #expect(throws: CompositionError.invalid(gap.validate()[0])) { try MutableComposition(gap) }
        try composition.removeTrack(id)
        #expect(composition.composition.tracks.isEmpty)
    }
}
