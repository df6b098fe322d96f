import ChannelFeed
import MediaModel
import Playback
import Screens
import Viewing

/// The viewer's settings, and their effects. Main loop only.
@MainActor
final class ViewerKeeping {
    private let parts: ViewerParts
    private let services: PlaybackServices
    /// The configured languages of the box.
    private let boxLanguages: [String]
    private(set) var settings: ViewerSettings

    init(_ parts: ApplianceParts) {
        self.parts = parts.viewer
        services = parts.services
        boxLanguages = parts.languages
        settings = ViewerSettings(entries: parts.viewer.settings.entries)
    }

    /// Applies and stores new settings.
    ///
    /// - Returns: whether they change the texts or entries of Home.
    func take(_ new: ViewerSettings) -> Bool {
        defer { settings = new }
        parts.settings.save(new.entries)
        return new.language != settings.language || new.parentalAge != settings.parentalAge
    }

    /// Applies settings outside of interface and player.
    func applyOutside() { parts.apply(settings) }

    /// The languages of texts: the viewer's choice before the configured ones.
    var languages: [String] { (settings.language.map { [$0] } ?? []) + boxLanguages }

    /// The highest rating that needs no PIN; nil for the feed's.
    var limit: ParentalLimit? { settings.parentalAge.map { ParentalLimit(age: $0) } ?? parts.parentalLimit }

    /// The digest of the PIN in force (`PINDigest`): the operator's, otherwise the viewer's; nil if there is none.
    var pinDigest: String? { parts.pinDigest ?? parts.settings.pinDigest }

    /// Whether the PIN is the operator's, which viewers do not change.
    var hasOperatorPIN: Bool { parts.pinDigest != nil }

    /// Stores the viewer's PIN as a digest; nil removes it.
    func setPIN(_ digits: String?) { parts.settings.pinDigest = digits.map { PINDigest.salted($0) } }

    /// Failed PIN tries since the last right one.
    var pinFailures: Int {
        get { parts.settings.pinFailures }
        set { parts.settings.pinFailures = newValue }
    }

    /// The preferences for audio and captions; where the settings have none, the configured languages.
    var selectionCriteria: [MediaCharacteristic: MediaSelectionCriteria] {
        let spoken = settings.audioLanguages.isEmpty ? languages : settings.audioLanguages
        let written = settings.subtitleLanguages.isEmpty ? languages : settings.subtitleLanguages
        return [
            .audible: MediaSelectionCriteria(
                preferredLanguages: spoken,
                preferredMediaCharacteristics: settings[.audioDescription] ? [OptionCharacteristic.describesVideo] : []),
            .legible: MediaSelectionCriteria(
                preferredLanguages: written,
                preferredMediaCharacteristics: settings[.captionsForDeaf]
                    ? [OptionCharacteristic.transcribesSpokenDialog, OptionCharacteristic.describesMusicAndSound] : []),
        ]
    }

    /// The facts about the box, with those of feed, screen and sound.
    ///
    /// - Parameter session: the session id that error cards show, if the box has none of its own.
    func facts(of feed: Feed?, session: String?) -> BoxFacts {
        var facts = parts.facts(languages)
        facts.session = facts.session ?? session
        if let feed {
            facts.feed = [feed.id, feed.revision.map { "\($0)" }].compactMap { $0 }.joined(separator: " · ")
            facts.provider = feed.provider?.name?.best(for: languages)
            facts.support = feed.provider?.support
        }
        facts.screen = facts.screen ?? "\(services.display.mode)"
        facts.sound = facts.sound ?? services.sink.name
        return facts
    }
}
