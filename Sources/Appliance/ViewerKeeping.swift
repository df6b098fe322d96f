import ChannelFeed
import MediaModel
import Playback
import PlayerInterface

/// The viewer's settings, and what follows from them. Main loop only.
@MainActor
final class ViewerKeeping {
    private let parts: ViewerParts
    private let services: PlaybackServices
    /// The languages that the box was set up with.
    private let boxLanguages: [String]
    private(set) var settings: ViewerSettings

    init(_ parts: ApplianceParts) {
        self.parts = parts.viewer
        services = parts.services
        boxLanguages = parts.languages
        settings = ViewerSettings(entries: parts.viewer.settings.entries)
    }

    /// Takes new settings into use, and keeps them.
    ///
    /// - Returns: whether Home has other words or other entries with them.
    func take(_ new: ViewerSettings) -> Bool {
        defer { settings = new }
        parts.settings.save(new.entries)
        return new.language != settings.language || new.parentalAge != settings.parentalAge
    }

    /// Puts in force what lies outside interface and player.
    func applyOutside() { parts.apply(settings) }

    /// The languages of texts: the viewer's choice before those that the box was set up with.
    var languages: [String] { (settings.language.map { [$0] } ?? []) + boxLanguages }

    /// The highest rating that is open without the PIN; nil: the feed's.
    var limit: ParentalLimit? { settings.parentalAge.map { ParentalLimit(age: $0) } ?? parts.parentalLimit }

    /// How many tries of the PIN were wrong since the last right one.
    var pinFailures: Int {
        get { parts.settings.pinFailures }
        set { parts.settings.pinFailures = newValue }
    }

    /// What is preferred of sound and captions; where the settings say nothing, the languages that the box was set up with.
    var selectionCriteria: [MediaCharacteristic: MediaSelectionCriteria] {
        let spoken = settings.audioLanguages.isEmpty ? languages : settings.audioLanguages
        let written = settings.subtitleLanguages.isEmpty ? languages : settings.subtitleLanguages
        return [
            .audible: MediaSelectionCriteria(
                preferredLanguages: spoken,
                preferredMediaCharacteristics: settings.prefersAudioDescription ? [OptionCharacteristic.describesVideo] : []),
            .legible: MediaSelectionCriteria(
                preferredLanguages: written,
                preferredMediaCharacteristics: settings.prefersSDH
                    ? [OptionCharacteristic.transcribesSpokenDialog, OptionCharacteristic.describesMusicAndSound] : []),
        ]
    }

    /// The box's own facts with those of a feed, of the screen and of the sound.
    func facts(of feed: Feed?) -> BoxFacts {
        var facts = parts.facts()
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
