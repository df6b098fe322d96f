import MediaTime

/// What a composition should be: each track is a list of frames of 1/25 s, and each frame is nothing or a stretch of a source.
package struct EditedFrames: Sendable, Equatable {
    /// One frame of a track.
    package struct Cell: Sendable, Equatable {
        /// The number of its source; nil for no picture.
        package var source: Int?
        /// Where its stretch of the source begins.
        package var start = MediaTime.zero
        /// How long that stretch is.
        package var span = MediaTime.zero

        /// The number of the source's picture that is shown at its start.
        package var picture: Int { Int(start.wholeSteps(of: EditedFrames.length)) }
    }
    package internal(set) var tracks: [[Cell]]

    /// How long a frame lasts.
    package static let length = MediaTime(1, 25)

    package init(trackCount: Int) { tracks = Array(repeating: [], count: trackCount) }

    /// When a frame begins.
    package static func time(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    /// The time of `count` frames.
    package static func range(_ first: Int, _ count: Int) -> TimeRange {
        TimeRange(start: time(first), duration: time(count))
    }

    static func cells(_ source: Int, _ first: Int, _ count: Int) -> [Cell] {
        (first..<first + count).map { Cell(source: source, start: time($0), span: length) }
    }

    static func empty(_ count: Int) -> [Cell] { Array(repeating: Cell(), count: count) }

    /// The frames of the longest track.
    package var count: Int { tracks.map(\.count).max() ?? 0 }

    /// What is seen if the tracks lie one over another, the first one in front: the picture of a source; nil where none has one.
    package func seen(at number: Int) -> (source: Int, picture: Int)? {
        for track in tracks where track.indices.contains(number) {
            if let source = track[number].source { return (source, track[number].picture) }
        }
        return nil
    }

    /// A picture of a source, and when a track presents it.
    package struct Presented: Sendable, Equatable {
        package let picture: Int
        /// In the time of the composition. A picture that is cut by the edge of a piece is presented for the rest of its time.
        package let range: TimeRange
    }

    /// The pictures that a track presents, one after another. In a frame of a fast piece there are several, and a slow one has the same picture in several
    /// frames. Frames that continue each other are of one piece.
    package func pictures(of track: Int) -> [Presented] {
        var pictures: [Presented] = []
        var before: Cell?
        for (number, cell) in tracks[track].enumerated() {
            let isContinued =
                before.map { $0.source == cell.source && $0.span == cell.span && $0.start + $0.span == cell.start } ?? false
            before = cell
            guard cell.source != nil else { continue }
            let slowness = Ratio(Self.length, over: cell.span)!
            var place = cell.start
            while place < cell.start + cell.span {
                let picture = Int(place.wholeSteps(of: Self.length))
                let end = min(Self.time(picture + 1), cell.start + cell.span)
                var range = TimeRange(
                    start: Self.time(number) + (place - cell.start).scaled(by: slowness),
                    duration: (end - place).scaled(by: slowness))
                if isContinued, place == cell.start, let last = pictures.last, last.picture == picture {
                    range = TimeRange(start: last.range.start, duration: last.range.duration + range.duration)
                    pictures.removeLast()
                }
                pictures.append(Presented(picture: picture, range: range))
                place = end
            }
        }
        return pictures
    }

    /// A picture on a screen.
    package struct Shown: Sendable, Equatable {
        /// The blank from which on it is there, in the time of the composition.
        package let blank: MediaTime
        package let picture: Presented

        package init(_ picture: Int, _ range: TimeRange, at blank: MediaTime) {
            self.blank = blank
            self.picture = Presented(picture: picture, range: range)
        }
    }

    /// What a screen shows when a track without empty frames is played. Its first picture is there when the clock starts, at a blank; the player is asked for
    /// the second blank first. At each blank it is the picture in the middle of the time until the next one, or that begins exactly there.
    package func shown(of track: Int, refresh: Ratio) -> [Shown] {
        let pictures = pictures(of: track)
        var shown: [Shown] = []
        var (next, blank) = (0, 0)
        // The last picture is not passed over, however short it is.
        while next < pictures.count {
            let middle = refresh.period * blank + refresh.period / 2
            var due = blank == 0 ? 0 : next - 1
            while due + 1 < pictures.count, blank > 0, pictures[due + 1].range.start <= middle { due += 1 }
            if due >= next {
                shown.append(Shown(pictures[due].picture, pictures[due].range, at: refresh.period * blank))
                next = due + 1
            }
            blank += 1
        }
        return shown
    }

    /// The source that a track presents at a time, with the time in it.
    func source(of track: Int, at time: MediaTime) -> (source: Int, time: MediaTime)? {
        let number = Int(time.wholeSteps(of: Self.length))
        guard tracks[track].indices.contains(number), let source = tracks[track][number].source else { return nil }
        let cell = tracks[track][number]
        return (source, cell.start + cell.span.scaled(by: Ratio(time - Self.time(number), over: Self.length)!))
    }

    // MARK: Edits

    mutating func insert(_ cells: [Cell], _ track: Int, at place: Int) {
        if place > tracks[track].count { tracks[track] += Self.empty(place - tracks[track].count) }
        tracks[track].insert(contentsOf: cells, at: place)
    }

    private func clamped(_ range: Range<Int>, _ track: Int) -> Range<Int> { range.clamped(to: 0..<tracks[track].count) }

    mutating func remove(_ range: Range<Int>, _ track: Int) { tracks[track].removeSubrange(clamped(range, track)) }

    /// Whether no frame of a range would be slower than 1/16 of its speed.
    func canSlow(_ range: Range<Int>, by factor: Int, _ track: Int, least: MediaTime = length / 16) -> Bool {
        tracks[track][clamped(range, track)].allSatisfy { $0.source == nil || $0.span / factor >= least }
    }

    mutating func slow(_ range: Range<Int>, by factor: Int, _ track: Int) {
        let range = clamped(range, track)
        let cells = tracks[track][range].flatMap { cell in
            (0..<factor).map { Cell(source: cell.source, start: cell.start + cell.span * $0 / factor, span: cell.span / factor) }
        }
        tracks[track].replaceSubrange(range, with: cells)
    }

    /// Whether pairs of frames in a range can become one frame each without an edge inside a frame.
    func canHalve(_ range: Range<Int>, _ track: Int) -> Bool {
        let cells = Array(tracks[track][clamped(range, track)])
        guard cells.count == range.count, range.count.isMultiple(of: 2) else { return false }
        return stride(from: 0, to: cells.count, by: 2).allSatisfy { index in
            let (one, two) = (cells[index], cells[index + 1])
            guard one.source == two.source else { return false }
            return one.source == nil || one.span == two.span && one.start + one.span == two.start && one.span <= Self.time(8)
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
