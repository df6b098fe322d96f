import MediaTime

/// What a run of reading that only wants key pictures delivers: what scanning forward and back shows.
package struct KeyFrameReading: Sendable, Hashable {
    /// Which way the pictures follow one another.
    package enum Direction: Sendable, Hashable {
        /// Each lies later than the one before.
        case forward
        /// Each lies earlier than the one before.
        case backward
    }

    /// Asset time at which reading begins: the first picture is the last key picture at or before it, where there is none the first of all.
    package var start: MediaTime
    /// Which way it goes on from there.
    package var direction: Direction
    /// At least so much asset time lies from one picture to the next: what would pass unseen at a high rate is not even loaded.
    package var step: MediaTime

    /// Says what is wanted.
    package init(start: MediaTime, direction: Direction, step: MediaTime) {
        self.start = start
        self.direction = direction
        self.step = step
    }

    /// How many key pictures wait in the buffer at most: a scan that is stopped has not loaded much for nothing.
    package static let samplesAhead = 4
}

extension MediaSource {
    /// The answer of a source that has nothing better than ordinary reading: whoever scans seeks from key picture to key picture.
    package func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? { nil }
}
