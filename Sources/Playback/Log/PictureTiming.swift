import LinuxSupport
import MediaTime

/// When the pictures of a playback were shown: compared with the blank for which each was made, and with its sound. A value of constant size.
package struct PictureTiming: Sendable, Hashable {
    /// A picture that is on the screen this long after its blank is late: less than a blank of the fastest screens, more than a clock's error.
    private static let tolerance = Duration.milliseconds(4)
    /// The width of a class of the histogram, in milliseconds.
    private static let width: Int64 = 5
    /// The classes on each side of zero; the outermost also have everything beyond.
    private static let side = 40

    /// The pictures that were shown.
    package private(set) var shown = 0
    /// Those that came on the screen after the blank for which they were made, by the kernel's time.
    package private(set) var late = 0
    /// The pictures with sound, by how much later their sound is heard.
    private var histogram = [Int](repeating: 0, count: 2 * Self.side)
    /// The sum of these delays in nanoseconds, each within the histogram.
    private var sum: Int64 = 0
    private var timed = 0

    package init() {}

    /// A picture was shown for the first time.
    package mutating func add(_ record: FrameRecord) {
        shown += 1
        if record.flip - record.scheduled > Self.tolerance { late += 1 }
        guard let delay = record.soundDelay else { return }
        let limit = Self.width * Int64(Self.side) * 1_000_000
        let nanoseconds = max(-limit, min(limit - 1, delay.nanoseconds))
        // Rounded down, also below zero.
        let place = (nanoseconds + limit) / (Self.width * 1_000_000)
        histogram[Int(place)] += 1
        sum += nanoseconds
        timed += 1
    }

    /// How much later the sound is heard than its picture is shown, on average, in milliseconds; nil without pictures that ran.
    package var meanDelay: Int64? { timed == 0 ? nil : Int64((Double(sum) / Double(timed) / 1_000_000).rounded()) }

    /// The delays that all but one in a hundred pictures have at least and at most, to the class, in milliseconds; nil without pictures that ran.
    package var usualDelays: ClosedRange<Int64>? {
        guard timed > 0 else { return nil }
        let outside = timed / 200
        return Self.edge(first(histogram, beyond: outside))...(-Self.edge(first(histogram.reversed(), beyond: outside)))
    }

    /// The lower edge of a class.
    private static func edge(_ index: Int) -> Int64 { (Int64(index) - Int64(side)) * width }

    /// The first class up to which there are more pictures than a number.
    private func first(_ classes: [Int], beyond outside: Int) -> Int {
        var count = 0
        for (index, pictures) in classes.enumerated() {
            count += pictures
            if count > outside { return index }
        }
        return classes.count - 1
    }

    /// One line for the log; nil if nothing was shown.
    package var words: String? {
        guard shown > 0 else { return nil }
        let pictures = "\(shown) pictures shown, \(late) of them late"
        guard let mean = meanDelay, let usual = usualDelays else { return pictures }
        return pictures
            + "; sound \(mean) ms behind the picture on average, 99 % within \(usual.lowerBound) to \(usual.upperBound) ms"
    }
}
