import Appliance
import Glibc
import Library
import LinuxSupport
import PlayerInterface

/// The box's places in its library.
@MainActor
final class LibraryPlaces: PlaceStore {
    private let library: Library

    init(_ library: Library) { self.library = library }

    func place(of id: String) -> SavedPlace? { library.place(of: id).map { SavedPlace(time: $0.time, debt: $0.debt) } }

    func save(_ place: SavedPlace?, of id: String) {
        library.save(place.map { Library.Place(time: $0.time, debt: $0.debt) }, of: id)
    }

    func watchedInterstitials(of id: String) -> Set<String> { library.watchedInterstitials(of: id) }

    func markWatched(interstitial: String, of id: String) { library.markWatched(interstitial: interstitial, of: id) }
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
