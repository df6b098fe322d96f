import MediaTime

/// Which samples, in decoding order, are needed for all that is presented before a time. A value.
///
/// A sample that is presented later is needed only if one that is decoded after it is presented before the time: it is held back until then.
package struct SampleCut {
    private let end: MediaTime
    private let longestReordering: Int
    private var late: [EncodedSample] = []

    /// No codec delays a picture by more pictures than this: H.264 and HEVC have at most 16.
    package static let pictureReordering = 16

    /// - Parameter longestReordering: how many samples that are presented later may come before one that is presented earlier.
    package init(at end: MediaTime, longestReordering: Int = Self.pictureReordering) {
        self.end = end
        self.longestReordering = longestReordering
    }

    /// Takes the next sample.
    ///
    /// - Parameter needed: gets the samples that are needed now that this one has come, in decoding order.
    /// - Returns: false once no more are needed.
    package mutating func take(_ sample: EncodedSample, into needed: inout [EncodedSample]) -> Bool {
        // What is not presented has no time that counts: it may be a reference of what follows.
        if sample.presentationTime < end || (sample.doesNotDisplay && late.isEmpty) {
            if !late.isEmpty {
                needed += late
                late = []
            }
            needed.append(sample)
            return true
        }
        // Nothing is presented before it is decoded. Not every container states decode times; one that equals the presentation time may be a guess.
        if sample.decodeTime >= end, sample.decodeTime < sample.presentationTime { return false }
        guard late.count < longestReordering else { return false }
        late.append(sample)
        return true
    }
}
