import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Composition

/// What a composition should be: each track is a list of frames, and each frame is nothing or a stretch of a source.
private struct FrameModel {
    struct Cell: Equatable {
        var source: Int?
        var start = MediaTime.zero
        var span = MediaTime.zero
    }
    var tracks: [[Cell]]

    static func cells(_ source: Int, _ first: Int, _ count: Int) -> [Cell] {
        (first..<first + count).map { Cell(source: source, start: frame($0), span: frame(1)) }
    }

    static func empty(_ count: Int) -> [Cell] { Array(repeating: Cell(), count: count) }

    mutating func insert(_ cells: [Cell], _ track: Int, at place: Int) {
        if place > tracks[track].count { tracks[track] += Self.empty(place - tracks[track].count) }
        tracks[track].insert(contentsOf: cells, at: place)
    }

    private func clamped(_ range: Range<Int>, _ track: Int) -> Range<Int> { range.clamped(to: 0..<tracks[track].count) }

    mutating func remove(_ range: Range<Int>, _ track: Int) { tracks[track].removeSubrange(clamped(range, track)) }

    /// - Returns: false if a frame would be too slow.
    mutating func slow(_ range: Range<Int>, by factor: Int, _ track: Int) -> Bool {
        let range = clamped(range, track)
        let cells = tracks[track][range].flatMap { cell in
            (0..<factor).map { Cell(source: cell.source, start: cell.start + cell.span * $0 / factor, span: cell.span / factor) }
        }
        guard cells.allSatisfy({ $0.source == nil || $0.span >= frame(1) / 16 }) else { return false }
        tracks[track].replaceSubrange(range, with: cells)
        return true
    }

    /// Whether pairs of frames in a range can become one frame each without an edge inside a frame.
    func canHalve(_ range: Range<Int>, _ track: Int) -> Bool {
        let cells = Array(tracks[track][clamped(range, track)])
        guard cells.count == range.count, range.count.isMultiple(of: 2) else { return false }
        return stride(from: 0, to: cells.count, by: 2).allSatisfy { index in
            let (one, two) = (cells[index], cells[index + 1])
            guard one.source == two.source else { return false }
            return one.source == nil || one.span == two.span && one.start + one.span == two.start && one.span <= frame(8)
        }
    }

    mutating func halve(_ range: Range<Int>, _ track: Int) {
        let cells = Array(tracks[track][range])
        let pairs = stride(from: 0, to: cells.count, by: 2).map { index in
            Cell(source: cells[index].source, start: cells[index].start, span: cells[index].span * 2)
        }
        tracks[track].replaceSubrange(range, with: pairs)
    }
}

/// A composition and its model, edited together.
private struct Pair {
    static let sources = (0..<3).map { SourceReference(url: "file:///source\($0).mp4", track: TrackID($0), codec: "h264") }
    var model = FrameModel(tracks: [[], []])
    var composition = MutableComposition()
    var chance: SeededGenerator
    let ids = [TrackID(1), TrackID(2)]

    init(seed: UInt64) throws {
        chance = SeededGenerator(seed: seed)
        try composition.addTrack(.video)
        try composition.addTrack(.video)
    }

    private func source(_ number: Int) -> SourceTrack {
        SourceTrack(Self.sources[number], type: .video, timeRange: frames(0, 1000))
    }

    mutating func edit() throws {
        let track = chance.number(0...1)
        let length = model.tracks[track].count
        let place = chance.number(0...length + 3)
        let count = chance.number(1...20)
        let range = place..<place + count
        switch length > 80 ? 3 : chance.number(0...9) {
        case 0, 1, 2:
            let (number, first) = (chance.number(0...2), chance.number(0...40))
            try composition.insert(frames(first, count), of: source(number), into: ids[track], at: frame(place))
            model.insert(FrameModel.cells(number, first, count), track, at: place)
        case 3, 4:
            try composition.remove(frames(place, count), from: ids[track])
            model.remove(range, track)
        case 5:
            try composition.insertEmpty(frames(place, count), into: ids[track])
            model.insert(FrameModel.empty(count), track, at: place)
        case 6: try slow(range, by: chance.number(2...3), track)
        case 7:
            guard model.canHalve(range, track) else { return }
            try composition.scale(frames(place, count), to: frame(count / 2), in: ids[track])
            model.halve(range, track)
        case 8:
            try composition.remove(frames(place, count))
            for track in 0...1 { model.remove(range, track) }
        default:
            let parts = [(chance.number(0...2), chance.number(0...40)), (chance.number(0...2), chance.number(0...40))]
            try composition.insert(frames(parts[0].1, count), ofAll: [source(parts[0].0)], at: frame(place))
            model.insert(FrameModel.cells(parts[0].0, parts[0].1, count), 0, at: place)
            if place < model.tracks[1].count { model.insert(FrameModel.empty(count), 1, at: place) }
        }
    }

    private mutating func slow(_ range: Range<Int>, by factor: Int, _ track: Int) throws {
        let frames = frames(range.lowerBound, range.count)
        if model.slow(range, by: factor, track) {
            try composition.scale(frames, to: frames.duration * factor, in: ids[track])
        } else {
            let before = composition.composition
            #expect(throws: CompositionError.badRate) {
                try composition.scale(frames, to: frames.duration * factor, in: ids[track])
            }
            #expect(composition.composition == before)
        }
    }

    /// The first frame that differs; nil if none does.
    func difference(offset: MediaTime) -> String? {
        let edited = composition.composition
        for (number, cells) in model.tracks.enumerated() {
            let track = edited.tracks[number]
            if track.duration != frame(cells.count) {
                return "track \(number) lasts \(track.duration), not \(cells.count) frames"
            }
            for (index, cell) in cells.enumerated() {
                let found = track.source(at: frame(index) + offset)
                let place = cell.start + cell.span.scaled(by: Ratio(offset, over: frame(1))!)
                let wanted = cell.source.map { (Self.sources[$0], place) }
                if found?.0 != wanted?.0 || found?.1 != wanted?.1 {
                    return "track \(number) frame \(index) is \(String(describing: found)), not \(String(describing: wanted))"
                }
            }
        }
        return nil
    }
}

@Suite("Editing a composition")
struct EditTests {
    @Test("10,000 random edits do to a composition what they do to lists of numbered frames", arguments: 0..<50)
    func randomEdits(_ seed: Int) throws {
        var pair = try Pair(seed: UInt64(seed))
        for number in 0..<200 {
            try pair.edit()
            let difference = pair.difference(offset: .zero)
            try #require(difference == nil, "edit \(number)")
            if number % 20 == 0 {
                try #require(pair.difference(offset: frame(1) / 3) == nil)
                let composition = pair.composition.composition
                #expect(composition.validate().isEmpty)
                let document = CompositionDocument(composition)
                let read = CompositionReader.read(Array(document.json.text.utf8), baseURL: "/compositions/a.json")
                #expect(read.document == document && read.findings.isEmpty)
                #expect(try MutableComposition(composition).composition == composition)
            }
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
