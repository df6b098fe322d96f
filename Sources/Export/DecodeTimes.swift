import MediaModel
import MediaTime

/// Decode times that a container leaves out: Matroska states none, and they are known only after as many pictures as the codec reorders.
enum DecodeTimes {
    /// So many pictures at the start of reading may lack them.
    static let window = SampleCut.pictureReordering + 2
    /// The step before a sample without a duration.
    private static let guessedStep = MediaTime.milliseconds(40)

    /// The samples with decode times in order: those before a step back count down from the first time that is known.
    ///
    /// - Parameter samples: the first ones of a track after a seek, in decoding order.
    static func completed(_ samples: [EncodedSample]) -> [EncodedSample] {
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
