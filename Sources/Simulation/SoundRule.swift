import LinuxSupport

/// The rule about sound: while something plays and there is a sound card, it is heard. A value: it is told each second what is heard.
struct SoundRule {
    /// What is heard of the box at one moment.
    struct Sight {
        var now: Duration
        /// Whether the sound card plays.
        var isHeard: Bool
        /// Whether something with sound plays at its own speed, the viewer has not turned its sound off, there is a sound card, and no fault lasts.
        var isDue: Bool
    }

    /// Sound is heard again within this time.
    static let longestSilence = Duration.seconds(30)

    private var lastGood = Duration.zero

    /// - Returns: the sentence of a breach; nil if the rule holds.
    mutating func check(_ sight: Sight) -> String? {
        if sight.isHeard || !sight.isDue { lastGood = sight.now }
        let length = sight.now - lastGood
        guard length > Self.longestSilence else { return nil }
        return "the box plays, and no sound was heard for \(length.seconds) s"
    }
}
