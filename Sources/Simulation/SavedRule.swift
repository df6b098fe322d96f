import LinuxSupport
import SegmentStore

/// The rules about saved films: what the box shows as saved is on its disk with the bytes of the server, and no file stays after a start that the box has
/// no use for. A value.
struct SavedRule {
    /// A start removes files for which there is no use within this time.
    private static let longestTidying = Duration.seconds(20)
    /// The bytes are compared this often: reading everything each second would take longer than the rest of the simulation.
    private static let interval = Duration.seconds(1800)

    private let server: SimulatedServer
    /// The files that the process found at its start, until they were compared with those that it has a use for.
    private var found: Set<String>?
    /// When the running process opened its store.
    private var opened: Duration?
    private var nextComparison = Duration.zero
    /// How many items were compared with the server.
    private(set) var comparisons = 0

    init(server: SimulatedServer) { self.server = server }

    /// A process starts.
    ///
    /// - Parameter files: the files of bodies that are on the disk.
    mutating func started(files: [String]) {
        found = Set(files)
        opened = nil
        nextComparison = .zero
    }

    /// Looks at the store; called each second.
    ///
    /// - Parameters:
    ///   - contents: nil while the box has not opened it.
    ///   - files: the files of bodies that are on the disk.
    ///   - canBeTidied: whether the disk lets files be removed.
    /// - Returns: the sentence of a breach; nil if the rules hold.
    @MainActor
    mutating func check(_ contents: (any SavedContents)?, files: () -> [String], canBeTidied: Bool, at now: Duration) -> String? {
        guard let contents else { return nil }
        // On a full disk nothing can be removed: the time begins when there is room again.
        let opened = canBeTidied ? opened ?? now : now
        self.opened = opened
        return orphans(contents, files, since: opened, now) ?? corruption(contents, now)
    }

    @MainActor
    private mutating func orphans(
        _ contents: any SavedContents, _ files: () -> [String], since opened: Duration, _ now: Duration
    ) -> String? {
        guard let found, now - opened >= Self.longestTidying else { return nil }
        self.found = nil
        let orphans = found.intersection(files()).subtracting(contents.files)
        guard let first = orphans.min() else { return nil }
        return "\(orphans.count) files of saved films are left that nothing has a use for, such as \(first.prefix(16))"
    }

    @MainActor
    private mutating func corruption(_ contents: any SavedContents, _ now: Duration) -> String? {
        guard now >= nextComparison else { return nil }
        nextComparison = now + Self.interval
        for item in contents.items.sorted() {
            comparisons += 1
            let media = contents.media(of: item)
            if media.isEmpty { return "\(item) is shown as saved, and nothing of it is stored" }
            for (address, bytes) in media where bytes == nil || bytes != server.body(of: address, at: now) {
                return "\(item) is shown as saved, and \(address) is \(bytes == nil ? "missing" : "corrupt")"
            }
        }
        return nil
    }
}
