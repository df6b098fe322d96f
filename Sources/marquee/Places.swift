import Appliance
import ChannelFeed
import Glibc
import Library
import LinuxSupport
import PlayerInterface

/// The box's places in its library. What is owed before one is forgotten after a day, where anybody knows how late it is.
@MainActor
final class LibraryPlaces: PlaceStore {
    private let library: Library
    private let now: @MainActor () -> FeedDate?
    private static let prefix = "debt."

    init(_ library: Library, now: @escaping @MainActor () -> FeedDate? = { nil }) {
        self.library = library
        self.now = now
    }

    func place(of id: String) -> SavedPlace? {
        guard let place = library.place(of: id) else { return nil }
        return SavedPlace(time: place.time, debt: isForgiven(id) ? nil : place.debt)
    }

    private func isForgiven(_ id: String) -> Bool {
        guard let since = library.value(Self.prefix + id).flatMap({ Int64($0) }), let now = now() else { return false }
        return now.milliseconds / 1000 - since >= Int64(Timing.debtSeconds)
    }

    func save(_ place: SavedPlace?, of id: String) {
        if place?.debt == nil {
            library.setValue(nil, Self.prefix + id)
        } else if library.place(of: id)?.debt != place?.debt, let now = now() {
            library.setValue("\(now.milliseconds / 1000)", Self.prefix + id)
        }
        library.save(place.map { Library.Place(time: $0.time, debt: $0.debt) }, of: id)
    }

    var recent: [String] { library.recentPlaces }

    func watchedInterstitials(of id: String) -> Set<String> { library.watchedInterstitials(of: id) }

    func markWatched(interstitial: String, of id: String) { library.markWatched(interstitial: interstitial, of: id) }
}

/// The viewer's settings in the box's library, each under its name after `viewer.`.
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
        let gone = entries.map(\.name).filter { !kept.contains($0) }
        for name in gone { library.setValue(nil, Self.prefix + name) }
        for (name, value) in new { library.setValue(value, Self.prefix + name) }
    }

    var pinFailures: Int {
        get { library.value("pin.failures").flatMap { Int($0) } ?? 0 }
        set { library.setValue(newValue > 0 ? "\(newValue)" : nil, "pin.failures") }
    }
}

/// The folder that outlives the program: systemd's `StateDirectory=`, else the place of the XDG base directory specification.
enum StateFolder {
    /// Finds the folder, making it where it is missing; nil where it cannot be made.
    static func path() -> String? {
        if let given = variable("STATE_DIRECTORY") { return make(given) }
        if let state = variable("XDG_STATE_HOME") { return make(state + "/marquee") }
        return variable("HOME").flatMap { make($0 + "/.local/state/marquee") }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    private static func make(_ path: String) -> String? {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { return nil }
        }
        return made
    }
}
