import Appliance
import BoxModel
import ChannelFeed
import Glibc
import Library
import LinuxSupport
import Viewing

/// The box's saved positions in its library.
@MainActor
final class LibraryPlaces: PlaceStore {
    private let library: Library

    init(_ library: Library) { self.library = library }

    func place(of id: String) -> SavedPlace? { library.place(of: id) }

    func save(_ place: SavedPlace?, of id: String) { library.save(place, of: id) }

    var recent: [String] { library.recentPlaces }

    func isWatched(_ id: String) -> Bool { library.isWatched(id) }

    func markWatched(_ id: String) { library.markWatched(id) }

    func watchedInterstitials(of id: String) -> Set<String> { library.watchedInterstitials(of: id) }

    func markWatched(interstitial: String, of id: String) { library.markWatched(interstitial: interstitial, of: id) }

    func forgetAll() { library.forgetPlaces() }
}

/// The viewer's settings in the box's library, each under its name with the prefix `viewer.`.
@MainActor
final class LibrarySettings: SettingsStore {
    private let library: Library
    private static let prefix = "viewer."

    init(_ library: Library) { self.library = library }

    var entries: [(name: String, value: String)] {
        library.values(under: Self.prefix).map { (String($0.name.dropFirst(Self.prefix.count)), $0.value) }
    }

    func save(_ new: [(name: String, value: String)]) {
        let kept = Set(new.map(\.name))
        // What this version does not know, a newer one has stored: the box may return to it.
        let gone = entries.filter { !kept.contains($0.name) && ViewerSettings.knows($0.name, $0.value) }.map(\.name)
        for name in gone { library.setValue(nil, Self.prefix + name) }
        for (name, value) in new { library.setValue(value, Self.prefix + name) }
    }

    func forgetAll() { library.forgetValues { [prefix = Self.prefix] in $0.hasPrefix(prefix) || $0.hasPrefix("pin.") } }

    var pinFailures: Int {
        get { library.value("pin.failures").flatMap { Int($0) } ?? 0 }
        set { library.setValue(newValue > 0 ? "\(newValue)" : nil, "pin.failures") }
    }

    var pinDigest: String? {
        get { library.value("pin.digest") }
        set { library.setValue(newValue, "pin.digest") }
    }
}

/// Viewers' choices during playback in the box's library, each under its name with the prefix `choice.`.
@MainActor
final class LibraryChoices: ChoiceStore {
    private let library: Library
    private static let prefix = "choice."

    init(_ library: Library) { self.library = library }

    func choice(_ name: String) -> String? { library.value(Self.prefix + name) }

    func setChoice(_ text: String?, _ name: String) { library.setValue(text, Self.prefix + name) }

    func forgetAll(except names: Set<String>) {
        let prefix = Self.prefix
        library.forgetValues { $0.hasPrefix(prefix) && !names.contains(String($0.dropFirst(prefix.count))) }
    }
}
