import BoxModel
import ChannelFeed
import CivilTime
import MediaModel
import MediaTime
import Playback
import ProgrammeGuide
import Screens
import Viewing

/// Stores a viewer's settings. Called on the main loop; a store on disk writes on a separate thread.
@MainActor
package protocol SettingsStore: AnyObject {
    /// The stored settings by name.
    var entries: [(name: String, value: String)] { get }
    /// Stores exactly these settings.
    func save(_ entries: [(name: String, value: String)])
    /// Removes all settings, also those of other versions, the digest and the failed tries.
    func forgetAll()
    /// Failed PIN tries since the last right one.
    var pinFailures: Int { get set }
    /// The digest of the PIN that a viewer has set (`PINDigest`); nil if there is none.
    var pinDigest: String? { get set }
}

/// Settings in memory.
@MainActor
package final class MemorySettingsStore: SettingsStore {
    package private(set) var entries: [(name: String, value: String)] = []
    package var pinFailures = 0
    package var pinDigest: String?

    package init() {}

    package func save(_ entries: [(name: String, value: String)]) { self.entries = entries }

    package func forgetAll() { (entries, pinFailures, pinDigest) = ([], 0, nil) }
}

/// The box's parts for viewers: stores, the PIN, a voice, and facts about the box.
@MainActor
package struct ViewerParts {
    /// Stores settings.
    package var settings: any SettingsStore
    /// Stores choices made during playback.
    package var choices: any ChoiceStore = MemoryChoiceStore()
    /// SHA-256 of the operator's PIN in lowercase hexadecimal digits; nil if none is configured, and then viewers may set one.
    package var pinDigest: String?
    /// The highest rating that needs no PIN, as configured for the box. It takes precedence over the feed's.
    package var parentalLimit: ParentalLimit?
    /// The id of what plays at the start, as configured for the box. It takes precedence over the feed's.
    package var start: String?
    /// When the screen is on, as configured for the box. It takes precedence over the feed's.
    package var hours: OpeningHours?
    /// The volumes that the operator allows.
    package var volume = VolumeLimits()
    /// Speaks the focused element; nil if the box has no voice.
    package var voice: (any SpeechDoor)?
    /// Facts about the box, to which the feed's are added; given the viewer's languages, best first.
    package var facts: @MainActor (_ languages: [String]) -> BoxFacts
    /// What is saved on the box.
    package var saved = SavedItems()
    /// The wireless networks; nil where the box does not manage them.
    package var wireless: (any WirelessDoor)?
    /// The outputs of sound; nil where there is nothing to choose.
    package var outputs: (any SoundRouting)?
    /// Deletes one of the stores listed in the facts.
    package var deleteStore: @MainActor (String) -> Void
    /// Whether the box can be reset (`BoxTask.factoryReset`).
    package var canReset = false
    /// Makes changes of places, choices and settings that are kept all or none.
    package var together: @MainActor (() -> Void) -> Void = { $0() }
    /// Applies settings outside of interface and player.
    package var apply: @MainActor (ViewerSettings) -> Void

    package init(
        settings: (any SettingsStore)? = nil, pinDigest: String? = nil, parentalLimit: ParentalLimit? = nil,
        voice: (any SpeechDoor)? = nil, facts: @escaping @MainActor (_ languages: [String]) -> BoxFacts = { _ in BoxFacts() },
        deleteStore: @escaping @MainActor (String) -> Void = { _ in },
        apply: @escaping @MainActor (ViewerSettings) -> Void = { _ in }
    ) {
        self.settings = settings ?? MemorySettingsStore()
        self.pinDigest = pinDigest
        self.parentalLimit = parentalLimit
        self.voice = voice
        self.facts = facts
        self.deleteStore = deleteStore
        self.apply = apply
    }
}
