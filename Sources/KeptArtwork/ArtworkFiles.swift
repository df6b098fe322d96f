import Cryptography
import LinuxSupport
import MediaSources
import SegmentStore
import StatusModel
import WireFormats

/// The artwork on the disk: pictures as their servers sent them, in a segment store of their own. The only owner of its folder. Main loop only; the disk
/// works on the store's threads.
///
/// A picture is named by the SHA-256 of its address without what signs it, so that no token is on the disk, and one whose address is signed anew is found.
/// While the disk does not take changes, or the folder cannot be opened, nothing is written for a while, and the log has one line.
@MainActor
package final class ArtworkFiles {
    package struct Limits: Sendable {
        package var cache = CacheBounds(bytes: 50 << 20, count: 4096)
        /// Nothing is written when less of the disk is free.
        package var leastFree: Int64 = 64 << 20

        package init() {}
    }

    /// A picture of the disk.
    struct Stored: Sendable {
        var bytes: [UInt8]
        /// The header line with which its server is asked whether it has changed.
        var condition: String?
    }

    private enum Phase {
        case closed
        case opening
        case open
        case ended
    }

    /// The addresses of the feed; others leave first.
    package var wanted: @MainActor () -> [String] = { [] }
    private let store: SegmentStore
    private let limits: Limits
    private let clock: any HostClock
    private let log: LogBook
    private var phase = Phase.closed
    /// Those that wait until the store is open, or cannot be.
    private var waiting: [@MainActor () -> Void] = []
    /// Nothing is written before this; nil while the disk takes what it is given.
    private var restsUntil: HostTime?

    /// How long a disk is left alone that has refused something.
    static let rest = Duration.seconds(600)

    /// - Parameter folder: it is made if there is none; everything in it belongs to this.
    package init(
        folder: String, disk: any StoreDisk, clock: any HostClock, log: LogBook, limits: Limits = Limits()
    ) {
        store = SegmentStore(folder: folder, clock: clock, options: .init(contents: "artwork"), disk: disk)
        self.limits = limits
        self.clock = clock
        self.log = log
        store.onFailure = { [weak self] error in
            // What is damaged is told with its address, by its reader.
            if error.reason != .damaged { self?.refused(error) }
        }
    }

    /// The size of all pictures, in bytes.
    package var bytes: Int64 { store.usage.cache }

    /// Reads a picture.
    ///
    /// - Parameter then: is given nil if there is none, or if it is damaged.
    func read(_ address: String, _ then: @escaping @MainActor @Sendable (Stored?) -> Void) {
        whenOpen { [self] in
            let key = Self.key(of: address)
            guard let body = store.bodies.body(of: key) else { return then(nil) }
            store.read(key, comparing: true) { [weak self] result in
                switch result {
                case .success(let bytes): then(Stored(bytes: bytes, condition: body.description.version.validator))
                case .failure(let error):
                    self?.unreadable(address, error)
                    then(nil)
                }
            }
        }
    }

    /// Keeps a picture, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - condition: the header line with which its server is asked whether it has changed.
    ///   - then: called when it is on the disk, or is not going to be.
    func keep(_ bytes: [UInt8], condition: String?, of address: String, _ then: @escaping @MainActor @Sendable () -> Void) {
        whenOpen { [self] in
            guard phase == .open, !isResting, bytes.count <= limits.cache.bytes else { return then() }
            // Nothing is removed: it is asked how much is free.
            store.makeRoom(0) { [weak self] result in
                guard let self else { return then() }
                switch result {
                case .failure(let error):
                    refused(error)
                    then()
                case .success(let free) where free < limits.leastFree:
                    refused(StoreError(.diskFull, "Keeping artwork failed: less than \(limits.leastFree >> 20) MiB are free."))
                    then()
                case .success: write(bytes, condition, Self.key(of: address), then)
                }
            }
        }
    }

    private func write(
        _ bytes: [UInt8], _ condition: String?, _ key: ResourceKey, _ then: @escaping @MainActor @Sendable () -> Void
    ) {
        let description = BodyDescription(version: ResourceVersion(validator: condition))
        store.store(bytes, as: key, description) { [weak self] result in
            defer { then() }
            guard let self else { return }
            switch result {
            case .success:
                if restsUntil != nil { log.note("artwork: the disk takes pictures again") }
                restsUntil = nil
                trim()
            case .failure(let error): refused(error)
            }
        }
    }

    /// Lets a picture go that its server has no longer.
    func remove(_ address: String) {
        whenOpen { [self] in
            let key = Self.key(of: address)
            if store.bodies.body(of: key) != nil { store.removeResource(key) }
        }
    }

    /// Lets all pictures go.
    package func removeAll() {
        whenOpen { [store] in if store.isOpen { store.trimCache(to: CacheBounds(bytes: 0, count: 0)) } }
    }

    package func close() {
        phase = .ended
        waiting = []
        store.close()
    }

    // MARK: - Room

    /// An eighth more than needed leaves, so that the order is not asked for with each picture.
    private func trim() {
        let usage = store.usage
        guard usage.cache > limits.cache.bytes || usage.resources > limits.cache.count else { return }
        let bounds = CacheBounds(bytes: limits.cache.bytes / 8 * 7, count: limits.cache.count / 8 * 7)
        let wanted = wanted()
        store.trimCache(to: bounds) { Set(wanted.map(Self.key)) }
    }

    private nonisolated static func key(of address: String) -> ResourceKey {
        ResourceKey(name: SHA256.digest(Array(ResourceMatching().key(for: address).name.utf8)).hexadecimal)
    }

    // MARK: - The disk

    private var isResting: Bool { restsUntil.map { clock.now < $0 } ?? false }

    /// Runs `action` when it is known whether there is a store.
    private func whenOpen(_ action: @escaping @MainActor () -> Void) {
        switch phase {
        case .open: action()
        case .ended: break
        case .opening: waiting.append(action)
        case .closed where isResting: action()
        case .closed:
            waiting.append(action)
            open()
        }
    }

    private func open() {
        phase = .opening
        store.open { [weak self] result in
            guard let self, phase == .opening else { return }
            switch result {
            case .success(let report):
                phase = .open
                if let warning = report.warning { refused(warning) }
                if report.bodiesMissing > 0 {
                    log.note("artwork: \(report.bodiesMissing) pictures are damaged or missing, and are loaded again")
                }
            case .failure(let error):
                phase = .closed
                refused(error)
            }
            let actions = waiting
            waiting = []
            for action in actions { action() }
        }
    }

    private func refused(_ error: StoreError) {
        guard error.isOfDisk || error.reason == .inUse || error.reason == .overloaded else { return }
        if restsUntil == nil { log.note("artwork: \(error.sentence) Pictures are kept in memory only.", .warning) }
        restsUntil = clock.now + Self.rest
    }

    private func unreadable(_ address: String, _ error: StoreError) {
        switch error.reason {
        case .damaged, .folderLost: log.note("artwork: the file of \(address) is damaged; it is loaded again", .warning)
        default: log.note("artwork: \(error.sentence)", .warning)
        }
    }
}
