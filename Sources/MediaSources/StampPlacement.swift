import MediaTime

/// How the time stamps of a stream map to asset time: one offset, or several where they jump within a discontinuity sequence. A value.
package struct StampPlacement: Sendable, Hashable {
    /// A part of the stream between two jumps.
    package struct Stretch: Sendable, Hashable {
        /// The asset time at which it begins. The first one of a placement also holds before it.
        package var start: MediaTime
        /// The asset time of time stamp zero in it.
        package var offset: MediaTime

        package init(start: MediaTime, offset: MediaTime) {
            self.start = start
            self.offset = offset
        }
    }

    /// Ordered by start, and never empty.
    package let stretches: [Stretch]

    /// A stream whose stamps do not jump.
    package init(offset: MediaTime) { stretches = [Stretch(start: .zero, offset: offset)] }

    /// - Parameter stretches: in any order; nil is returned for none.
    package init?(_ stretches: [Stretch]) {
        guard !stretches.isEmpty else { return nil }
        self.stretches = stretches.sorted { $0.start < $1.start }
    }

    /// What is added to the time stamps of a cue, or of a sample of captions.
    ///
    /// A segment may contain both sides of a jump, so that each cue is placed by itself: by the offset that brings it nearest to its segment and
    /// to the stretch of that offset, and there covers most of it. A cue may begin long before its segment, which then repeats it.
    ///
    /// - Parameters:
    ///   - start: the stamp at which the cue begins.
    ///   - end: the one at which it ends.
    ///   - segment: the segment's range by its playlist.
    ///   - wraps: whether stamps have 33 bits, and are moved by whole periods to the segment.
    package func offset(from start: MediaTime, to end: MediaTime, in segment: TimeRange, wraps: Bool) -> MediaTime {
        var best: (offset: MediaTime, distance: MediaTime, overlap: MediaTime)?
        for (index, stretch) in stretches.enumerated() {
            let shift = wraps ? StampPeriod.shift(of: start + stretch.offset, toward: segment.start) : .zero
            let offset = stretch.offset + shift
            let time = start + offset
            let last = max(start, end) + offset
            // A cue that only touches its segment is nearer to it elsewhere.
            let overlap = min(last, segment.end) - max(time, segment.start)
            var distance = max(-overlap, .zero)
            if index > 0 { distance += max(stretch.start - time, .zero) }
            if index + 1 < stretches.count { distance += max(time - stretches[index + 1].start, .zero) }
            if let best, (best.distance, -best.overlap) <= (distance, -overlap) { continue }
            best = (offset, distance, overlap)
        }
        return best?.offset ?? .zero
    }
}

/// Time stamps of 33 bits wrap every 26.5 hours.
package enum StampPeriod {
    /// 2^33 ticks of 90 kHz.
    package static let length = MediaTime(1 << 33, 90_000)

    /// The shift in whole periods that moves a time nearest to its expected value.
    package static func shift(of time: MediaTime, toward expected: MediaTime) -> MediaTime {
        let periods = (expected - time + length / 2).wholeSteps(of: length)
        return periods == 0 ? .zero : length * Int(periods)
    }
}
