import ChannelFeed
import MediaModel
import MediaTime
import Playback
import PlayerInterface
import ProgrammeGuide

/// Keeps what a viewer has set. Called on the main loop; a store that writes to disk does so on a thread of its own.
@MainActor
package protocol SettingsStore: AnyObject {
    /// What was kept, as names and texts.
    var entries: [(name: String, value: String)] { get }
    /// Keeps these and nothing else.
    func save(_ entries: [(name: String, value: String)])
    /// How many tries of the PIN were wrong since the last right one.
    var pinFailures: Int { get set }
}

/// Settings for as long as the program runs.
@MainActor
package final class MemorySettingsStore: SettingsStore {
    package private(set) var entries: [(name: String, value: String)] = []
    package var pinFailures = 0

    package init() {}

    package func save(_ entries: [(name: String, value: String)]) { self.entries = entries }
}

/// What the box is given for its viewers: stores, the PIN, a voice, and what it knows of itself.
@MainActor
package struct ViewerParts {
    /// Keeps settings.
    package var settings: any SettingsStore
    /// Keeps what was chosen while something played.
    package var choices: any ChoiceStore = MemoryChoiceStore()
    /// SHA-256 of the PIN in small hexadecimal digits; nil: none was set up.
    package var pinDigest: String?
    /// The highest rating that is open without the PIN, as the box was set up; goes before the feed's.
    package var parentalLimit: ParentalLimit?
    /// Speaks what has focus; nil: the box has no voice.
    package var voice: (any SpeechDoor)?
    /// What the box knows of itself; the feed's part is added to it.
    package var facts: @MainActor () -> BoxFacts
    /// Deletes a store of the facts.
    package var deleteStore: @MainActor (String) -> Void
    /// Whether `Appliance.Event.factoryResetAsked` is answered by making the box as new.
    package var canReset = false
    /// Puts settings in force that lie outside interface and player.
    package var apply: @MainActor (ViewerSettings) -> Void

    /// Makes parts; each has a default that does nothing.
    package init(
        settings: (any SettingsStore)? = nil, pinDigest: String? = nil, parentalLimit: ParentalLimit? = nil,
        voice: (any SpeechDoor)? = nil, facts: @escaping @MainActor () -> BoxFacts = { BoxFacts() },
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
