import MediaTime

/// Decode times that a container leaves out: Matroska states none, and after a seek they are known only after as many pictures as the codec reorders. Until
/// then a picture has its presentation time as decode time. A value, new for each run of reading.
package struct DecodeTimes {
    /// The first samples, until the decode times of all of them are known; nil after that.
    private var opening: [EncodedSample]? = []

    /// So many pictures at the start of reading may lack their decode times.
    private static let window = SampleCut.pictureReordering + 2
    /// The step before a sample without a duration.
    private static let guessedStep = MediaTime.milliseconds(40)

    package init() {}

    /// Whether all that follow state their decode times. `take` then gives each sample as it is, and `finish` none.
    package var isComplete: Bool { opening == nil }

    /// Takes the next sample of a track, in decoding order.
    ///
    /// - Returns: the samples whose decode times are known now, in decoding order.
    package mutating func take(_ sample: EncodedSample) -> [EncodedSample] {
        guard var opening else { return [sample] }
        // The property must not hold a second reference to what is changed.
        self.opening = nil
        opening.append(sample)
        // A missing decode time is never before the presentation time: this one is stated, as are all that follow.
        if sample.decodeTime < sample.presentationTime || opening.count >= Self.window { return Self.completed(opening) }
        self.opening = opening
        return []
    }

    /// Ends the run of reading.
    ///
    /// - Returns: the samples that were still held.
    package mutating func finish() -> [EncodedSample] {
        defer { opening = nil }
        return Self.completed(opening ?? [])
    }

    /// The samples with decode times in order: those before a step back count down from the first time that is known.
    private static func completed(_ samples: [EncodedSample]) -> [EncodedSample] {
        let known = samples.indices.dropFirst().last { samples[$0].decodeTime <= samples[$0 - 1].decodeTime }
        guard let known else { return samples }
        var samples = samples
        for index in (0..<known).reversed() {
            let step = max(samples[index].duration ?? guessedStep, .nanoseconds(1))
            samples[index].decodeTime = samples[index + 1].decodeTime - step
        }
        return samples
    }
}
