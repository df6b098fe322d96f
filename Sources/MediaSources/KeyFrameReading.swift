import MediaTime

/// A reading run of key pictures only, for scanning forward and backward.
package struct KeyFrameReading: Sendable, Hashable {
    /// The order of the pictures.
    package enum Direction: Sendable, Hashable {
        /// Each is later than the one before.
        case forward
        /// Each is earlier than the one before.
        case backward
    }

    /// Asset time of the start: the first picture is the last key picture at or before it, or the first of all if there is none.
    package var start: MediaTime
    package var direction: Direction
    /// The least asset time between two pictures: pictures that would not be visible at a high rate are not loaded.
    package var step: MediaTime

    package init(start: MediaTime, direction: Direction, step: MediaTime) {
        self.start = start
        self.direction = direction
        self.step = step
    }

    /// The most key pictures in the buffer: a scan that stops has loaded little in vain.
    package static let samplesAhead = 4
}
