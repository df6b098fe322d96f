import Composition
import LinuxSupport
import MediaModel
import MediaTime

/// A composition and the lists of frames that it should be, edited together at random.
package struct EditedComposition {
    /// A source of video with the frames of it that are inserted.
    package struct Source: Sendable {
        package let reference: SourceReference
        package let frames: Range<Int>

        package init(_ reference: SourceReference, frames: Range<Int>) {
            self.reference = reference
            self.frames = frames
        }
    }

    /// What is edited, and how.
    package struct Rules: Sendable {
        package let sources: [Source]
        /// How many video tracks there are.
        package var trackCount = 2
        /// Whether there are empty segments.
        package var hasHoles = true
        /// A track that is longer is made shorter.
        package var longest = 80
        /// The shortest stretch of a source for one frame. At 1/16 a composition refuses slower ones itself.
        package var leastSpan = EditedFrames.length / 16
        /// By what frames are made slower.
        package var slowness = [2, 3]

        package init(_ sources: [Source]) { self.sources = sources }
    }

    /// The times at which playback asks a composition what it presents.
    package enum Walk: CaseIterable, Sendable {
        /// The start of each frame.
        case frames
        /// A third of each frame.
        case thirds
        /// The blanks of a screen of 60 Hz at twice the speed.
        case twice
        /// The blanks of a screen of 50 Hz, backward.
        case backward
        /// The targets of steps: the frame behind, and a moment before the start of this one.
        case steps

        /// Places of single nanoseconds in a source of another speed have no exact number.
        fileprivate var rounding: MediaTime { self == .steps ? .nanoseconds(2) : .zero }
    }

    /// An edit that did not do what it should.
    package struct Wrong: Error, CustomStringConvertible {
        package let description: String
    }

    package private(set) var model: EditedFrames
    package private(set) var composition = MutableComposition()
    private let rules: Rules
    private let ids: [TrackID]
    private var chance: SeededGenerator

    /// Begins with empty tracks.
    package init(_ rules: Rules, seed: UInt64) throws {
        self.rules = rules
        chance = SeededGenerator(seed: seed)
        model = EditedFrames(trackCount: rules.trackCount)
        var ids: [TrackID] = []
        for _ in 0..<rules.trackCount { ids.append(try composition.addTrack(.video)) }
        self.ids = ids
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }

    // MARK: Edits

    /// Inserts, removes, empties or scales a range of one track or of all.
    ///
    /// - Throws: `Wrong` if what should be refused was done, or something was changed by it.
    package mutating func edit() throws {
        let track = number(0...rules.trackCount - 1)
        let length = model.tracks[track].count
        let place = number(0...(rules.hasHoles ? length + 3 : length))
        let count = number(1...20)
        let range = place..<place + count
        let time = EditedFrames.range(place, count)
        switch length > rules.longest ? 3 : number(0...11) {
        case 0, 1, 2: try insert(count, into: track, at: place)
        case 3, 4:
            try composition.remove(time, from: ids[track])
            model.remove(range, track)
        case 5:
            guard rules.hasHoles else { return }
            try composition.insertEmpty(time, into: ids[track])
            model.insert(EditedFrames.empty(count), track, at: place)
        case 6: try slow(range, [track])
        case 7:
            guard model.canHalve(range, track) else { return }
            try composition.scale(time, to: EditedFrames.time(count / 2), in: ids[track])
            model.halve(range, track)
        case 8:
            try composition.remove(time)
            for track in ids.indices { model.remove(range, track) }
        case 9:
            guard rules.hasHoles else { return }
            try composition.insertEmpty(time)
            for track in ids.indices { model.insert(EditedFrames.empty(count), track, at: place) }
        case 10: try slow(range, Array(ids.indices))
        default:
            guard rules.hasHoles else { return }
            try insertAll(count, at: place)
        }
    }

    /// Some frames of a source.
    private mutating func piece(_ count: Int) -> (source: Int, range: TimeRange, cells: [EditedFrames.Cell]) {
        let source = number(0...rules.sources.count - 1)
        let frames = rules.sources[source].frames
        let first = number(frames.lowerBound...frames.upperBound - count)
        return (source, EditedFrames.range(first, count), EditedFrames.cells(source, first, count))
    }

    private func track(_ source: Int) -> SourceTrack {
        SourceTrack(rules.sources[source].reference, type: .video, timeRange: EditedFrames.range(0, 1000))
    }

    private mutating func insert(_ count: Int, into track: Int, at place: Int) throws {
        let piece = piece(count)
        try composition.insert(piece.range, of: self.track(piece.source), into: ids[track], at: EditedFrames.time(place))
        model.insert(piece.cells, track, at: place)
    }

    /// The same range of one or of two tracks; the other tracks get an empty segment there.
    private mutating func insertAll(_ count: Int, at place: Int) throws {
        let piece = piece(count)
        let filled = number(1...min(2, ids.count))
        try composition.insert(
            piece.range, ofAll: Array(repeating: track(piece.source), count: filled), at: EditedFrames.time(place))
        for track in ids.indices {
            if track < filled {
                model.insert(piece.cells, track, at: place)
            } else if place < model.tracks[track].count {
                model.insert(EditedFrames.empty(count), track, at: place)
            }
        }
    }

    private mutating func slow(_ range: Range<Int>, _ tracks: [Int]) throws {
        let choice = number(0...rules.slowness.count - 1)
        let factor = rules.slowness[choice]
        guard tracks.allSatisfy({ model.canSlow(range, by: factor, $0, least: rules.leastSpan) }) else {
            if tracks.contains(where: { !model.canSlow(range, by: factor, $0) }) { try refuseToSlow(range, by: factor, tracks) }
            return
        }
        try scale(range, by: factor, tracks)
        for track in tracks { model.slow(range, by: factor, track) }
    }

    private mutating func scale(_ range: Range<Int>, by factor: Int, _ tracks: [Int]) throws {
        let time = EditedFrames.range(range.lowerBound, range.count)
        if tracks.count == 1 {
            try composition.scale(time, to: time.duration * factor, in: ids[tracks[0]])
        } else {
            try composition.scale(time, to: time.duration * factor)
        }
    }

    private mutating func refuseToSlow(_ range: Range<Int>, by factor: Int, _ tracks: [Int]) throws {
        let before = composition.composition
        do {
            try scale(range, by: factor, tracks)
        } catch CompositionError.badRate {
            guard composition.composition == before else { throw Wrong(description: "a refused edit has changed something") }
            return
        }
        throw Wrong(description: "frames became slower than 1/16")
    }

    // MARK: Comparison

    /// The first difference between the composition and the lists of frames; nil if there is none.
    package func difference(at walk: Walk) -> String? {
        let edited = composition.composition
        for (number, cells) in model.tracks.enumerated() {
            let track = edited.tracks[number]
            if track.duration != EditedFrames.time(cells.count) {
                return "track \(number) lasts \(track.duration), not \(cells.count) frames"
            }
            for time in times(of: walk, cells.count) {
                let found = track.source(at: time)
                let wanted = model.source(of: number, at: time)
                let isSource = found?.0 == wanted.map { rules.sources[$0.source].reference }
                let deviation = found.flatMap { found in wanted.map { (found.1 - $0.time).magnitude } } ?? .zero
                guard isSource, deviation <= walk.rounding else {
                    return "track \(number) at \(time) is \(String(describing: found)), not \(String(describing: wanted))"
                }
                // What is read of the source at that place is presented at the time.
                if walk != .frames, let wanted,
                    let back = track.segment(at: time)?.timeMapping?.targetTime(atSource: wanted.time),
                    (back - time).magnitude > walk.rounding * 16
                {
                    return "track \(number) presents \(wanted.time) of its source at \(back), not at \(time)"
                }
            }
        }
        return nil
    }

    private func times(of walk: Walk, _ count: Int) -> [MediaTime] {
        let end = EditedFrames.time(count)
        switch walk {
        case .frames: return (0...count).map { EditedFrames.time($0) }
        case .thirds: return (0..<count).map { EditedFrames.time($0) + EditedFrames.length / 3 }
        case .twice: return (0...count * 6 / 5 + 1).map { MediaTime(Int64($0), 30) }
        case .backward: return (0...count * 2 + 1).map { end - MediaTime(Int64($0), 50) }
        case .steps:
            return (0..<count).flatMap { [EditedFrames.time($0 + 1), EditedFrames.time($0) - .nanoseconds(1)] }
        }
    }
}
