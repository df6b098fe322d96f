/// The phrases of the interface. `%1`, `%2` in a text stand for what is filled in.
public enum Phrase: String, Sendable, Hashable, CaseIterable {
    case home, replay, tryAgain, tryAgainIn
    case loading, buffering, slowNetwork, slowCardTitle
    case info, chapters, subtitles, audio, picture
    case fromBeginning, chapterNumber, durationHoursMinutes, durationMinutes, durationSeconds
    case adOf, adOnly, titledInterstitial, legalNotice, promotion, availableIn, availableLater, skipIn
    case skipAd, skip, skipIntro, skipRecap, nextEpisode, goLive, live, behindLive
    case endsAt, backToUndo, livePauseRefused
    case playNow, playNowIn, backToCredits, upNext
    case emptyHome, cannotPlay, movingOn, noSuchChannel
}

/// The texts of one language.
public struct StringCatalogue: Sendable, Equatable {
    /// BCP 47 tag of the language.
    public let language: String
    private let texts: [Phrase: String]

    /// Makes a catalogue. A phrase that it lacks is taken from English.
    public init(language: String, texts: [Phrase: String]) {
        self.language = language
        self.texts = texts
    }

    /// The text of a phrase, with what is filled in.
    public func text(_ phrase: Phrase, _ arguments: String...) -> String {
        var text = texts[phrase] ?? Self.englishTexts[phrase] ?? phrase.rawValue
        for (index, argument) in arguments.enumerated() {
            text = text.replacingFirst("%\(index + 1)", with: argument)
        }
        return text
    }

    /// English.
    public static let english = StringCatalogue(language: "en", texts: englishTexts)

    private static let englishTexts: [Phrase: String] = [
        .home: "Home", .replay: "Replay", .tryAgain: "Try Again", .tryAgainIn: "Try Again (%1)",
        .loading: "Loading…", .buffering: "Buffering…", .slowNetwork: "The network is slow. Still trying.",
        .slowCardTitle: "The network is slow. Still trying.",
        .info: "Info", .chapters: "Chapters", .subtitles: "Subtitles", .audio: "Audio", .picture: "Picture",
        .fromBeginning: "From Beginning", .chapterNumber: "Chapter %1", .durationHoursMinutes: "%1 h %2 min",
        .durationMinutes: "%1 min", .durationSeconds: "%1 s",
        .adOf: "Ad %1 of %2 · %3", .adOnly: "Ad · %1", .titledInterstitial: "%1 · %2", .legalNotice: "Notice",
        .promotion: "Preview", .availableIn: "Available in %1",
        .availableLater: "Not available now", .skipIn: "Skip in %1",
        .skipAd: "Skip Ad", .skip: "Skip", .skipIntro: "Skip Intro", .skipRecap: "Skip Recap", .nextEpisode: "Next Episode",
        .goLive: "Go Live", .live: "LIVE", .behindLive: "-%1",
        .endsAt: "Ends %1", .backToUndo: "Back to undo", .livePauseRefused: "Live can't be paused",
        .playNow: "Play Now", .playNowIn: "Play Now (%1)", .backToCredits: "Back to Credits", .upNext: "Up Next",
        .emptyHome: "This box has no channels yet.", .cannotPlay: "Can't play this", .movingOn: "Going on to the next programme.",
        .noSuchChannel: "No channel %1",
    ]
}

extension String {
    /// This text with the first occurrence of a mark replaced; without one it is itself.
    func replacingFirst(_ mark: String, with replacement: String) -> String {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(mark) {
                return "\(self[..<start])\(replacement)\(self[index(start, offsetBy: mark.count)...])"
            }
            start = index(after: start)
        }
        return self
    }
}
