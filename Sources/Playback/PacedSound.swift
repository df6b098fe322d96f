import MediaModel

/// Plays sound by up to a thousandth faster or slower than recorded, by a frame more or less now and then. A value.
///
/// Sound at its own pace passes unchanged.
struct PacedSound {
    /// The largest pace, in parts per million: each block has one frame more or less.
    static let limit = 1_000_000 / FrameInsertion.block
    /// One frame, in the unit of `owed`.
    private static let frame = 1_000_000

    /// How much faster than recorded it is played, in parts per million; negative is slower.
    var pace = 0 {
        didSet {
            pace = min(max(pace, -Self.limit), Self.limit)
            if pace == 0 { owed = 0 }
        }
    }
    /// How many millionths of a frame are to be inserted, or, if negative, dropped.
    private var owed = 0
    private var channels: Int
    private var insertion: FrameInsertion

    init(channels: Int) {
        self.channels = channels
        insertion = FrameInsertion(channels: channels)
    }

    /// What comes next does not continue what was passed.
    mutating func begin(channels: Int) {
        owed = 0
        self.channels = channels
        insertion = FrameInsertion(channels: channels)
    }

    /// Passes samples on, some of them later.
    ///
    /// - Parameter samples: interleaved.
    /// - Returns: the samples, and how many frames were added.
    mutating func pass(_ samples: ArraySlice<Float>) -> (samples: ArraySlice<Float>, added: Int) {
        owed -= samples.count / channels * pace
        let whole = owed / Self.frame
        owed -= whole * Self.frame
        insertion.owed += whole
        if pace == 0 { insertion.owed = 0 }
        guard !insertion.isIdle || pace != 0 else { return (samples, 0) }
        let (passed, added) = insertion.pass(Array(samples))
        return (passed[...], added)
    }

    /// The samples that were held, at the end of the sound.
    mutating func rest() -> ArraySlice<Float> { insertion.rest()[...] }
}
