import MediaTime

/// Samples of one lane that wait to be written, first in, first out. A value.
///
/// A copy passes thousands of samples a second of which few wait at a time, so the storage is kept.
struct SampleQueue {
    private var samples: [WrittenSample] = []
    /// How many at the beginning of `samples` have been taken out.
    private var taken = 0

    /// So many that were taken out are kept at most, with their bytes.
    private static let mostTaken = 32

    var count: Int { samples.count - taken }

    var isEmpty: Bool { samples.count == taken }

    var first: WrittenSample? { isEmpty ? nil : samples[taken] }

    /// The order of the first; nil if none waits.
    var firstOrder: MediaTime? { isEmpty ? nil : samples[taken].order }

    mutating func append(_ sample: WrittenSample) { samples.append(sample) }

    mutating func popFirst() -> WrittenSample? {
        guard let first else { return nil }
        taken += 1
        if isEmpty {
            samples.removeAll(keepingCapacity: true)
            taken = 0
        } else if taken > Self.mostTaken, taken * 2 > samples.count {
            samples.removeFirst(taken)
            taken = 0
        }
        return first
    }

    static func += (queue: inout SampleQueue, samples: [WrittenSample]) { queue.samples += samples }
}
