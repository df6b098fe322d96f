import LinuxSupport
import MediaModel

/// How long keys took to the flip that showed their effect, both by the kernel's clock. A value of constant size.
package struct KeyTiming: Sendable, Hashable {
    /// The width of a class of the histogram, in milliseconds.
    private static let width: Int64 = 5
    /// The last class has everything from half a second on.
    private var histogram = [Int](repeating: 0, count: 101)
    private var slowest = Duration.zero
    /// The keys that were measured.
    package private(set) var count = 0

    package init() {}

    /// - Parameter delay: from the key to the flip; what clocks that differ make negative counts as zero.
    package mutating func add(_ delay: Duration) {
        let place = max(delay, .zero).wholeNanoseconds / (Self.width * 1_000_000)
        histogram[Int(min(place, Int64(histogram.count - 1)))] += 1
        slowest = max(slowest, delay)
        count += 1
    }

    /// The time within which this part of the keys was on the screen, to the class, in milliseconds; nil without keys, and if it is over half a second.
    ///
    /// - Parameter percent: 1…100.
    package func within(percent: Int) -> Int64? {
        guard count > 0 else { return nil }
        let wanted = (count * percent + 99) / 100
        var sum = 0
        for (index, keys) in histogram.dropLast().enumerated() {
            sum += keys
            if sum >= wanted { return Int64(index + 1) * Self.width }
        }
        return nil
    }

    /// One line for the log; nil without keys.
    package var words: String? {
        guard count > 0 else { return nil }
        func limit(_ percent: Int) -> String { within(percent: percent).map { "within \($0) ms" } ?? "after half a second" }
        let last = slowest.wholeNanoseconds / 1_000_000
        return "\(count) keys answered on the screen: half of them \(limit(50)), 95 % \(limit(95)), the slowest after \(last) ms"
    }
}

/// The keys whose effect is not on the screen yet. A value.
struct KeyFlips {
    /// A key whose effect is in a scene.
    private struct Answer {
        var key: HostTime
        /// The blank that the scene was made for.
        var wanted: HostTime
    }

    /// The first key since the last scene.
    private var waiting: HostTime?
    /// The keys in scenes that have not been flipped.
    private var unflipped: [Answer] = []
    /// Scenes that never reach the screen must not add up.
    private static let mostScenes = 16
    private var timing = KeyTiming()

    /// The next scene shows the effect of a key.
    mutating func expect(_ key: HostTime) { waiting = min(waiting ?? key, key) }

    /// A scene was made for a blank.
    mutating func made(for wanted: HostTime) {
        guard let key = waiting else { return }
        waiting = nil
        unflipped.append(Answer(key: key, wanted: wanted))
        if unflipped.count > Self.mostScenes { unflipped.removeFirst() }
    }

    /// A flip was completed.
    mutating func take(_ flip: Flip) {
        for entry in unflipped where entry.wanted <= flip.wantedTime { timing.add(flip.time - entry.key) }
        unflipped.removeAll { $0.wanted <= flip.wantedTime }
    }

    /// The keys since the last call.
    mutating func takeTiming() -> KeyTiming {
        defer { timing = KeyTiming() }
        return timing
    }
}
