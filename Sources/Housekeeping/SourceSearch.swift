import Configuration
import Glibc
import LinuxSupport
import StatusModel

/// Looks for a source of channels for a box that has none: on disks, and on the network. A source that a viewer confirms is used like settings.
@MainActor
final class SourceSearch {
    private let log: LogBook
    private let folder: String?
    private let media: String
    private let announced: AnnouncedFeeds
    /// The source that a viewer did not want. It is asked about again when it comes back.
    private var declined: FoundSource?

    /// - Parameters:
    ///   - folder: where a confirmed source is stored; nil disables the search.
    ///   - media: the folder below which disks are mounted.
    ///   - question: browses the network for announced feeds.
    init(
        clock: any HostClock, log: LogBook, folder: String?, media: String, question: @escaping AnnouncedFeeds.Question
    ) {
        self.log = log
        self.folder = folder
        self.media = media
        announced = AnnouncedFeeds(clock: clock, question: question)
    }

    /// Whether a confirmed source can be stored.
    var keepsSources: Bool { folder != nil }

    /// What a viewer can be asked about; nil for nothing, or what was declined.
    func question(for provisioning: Provisioning) -> FoundSource? {
        let source = find(for: provisioning).first
        if source == nil { declined = nil }
        return source == declined ? nil : source
    }

    /// A viewer does not want a found source now.
    func decline(_ source: FoundSource) { declined = source }

    /// The candidates, best first. An unprovisioned box searches disks and network, one with a file only where the file allows it.
    func find(for provisioning: Provisioning) -> [FoundSource] {
        guard let folder else { return [] }
        let configuration = provisioning.configuration
        let isFresh = !provisioning.hasFile && configuration.isEmpty
        var places = FoundSource.Places(copy: folder + "/adopted.json")
        places.media = media
        let asksNetwork = isFresh || configuration.allowsDiscovery
        if asksNetwork { announced.look() }
        return FoundSource.all(
            places, asksDisks: isFresh || configuration.allowsUSB, asksNetwork: asksNetwork, announced: announced.addresses)
    }

    /// Stores a source that the viewer has confirmed, for later starts too.
    ///
    /// - Parameter provisioning: the settings so far.
    /// - Returns: the settings with it; nil if it could not be stored.
    func adopt(_ source: FoundSource, for provisioning: Provisioning) -> Provisioning? {
        guard let folder else { return nil }
        if let feed = source.feed {
            guard let bytes = WholeFile.read(feed) else {
                log.note("\(feed) could not be read: \(String(cString: strerror(errno)))", .error)
                return nil
            }
            if case .load = FeedFile.pages(first: bytes, url: feed).step {
                log.note(
                    "\(feed) has further pages, which cannot be copied; put a feed of one page or a marquee.toml on the disk")
                return nil
            }
            guard WholeFile.write(bytes, to: folder + "/adopted.json") else {
                log.note("\(feed) could not be copied: \(String(cString: strerror(errno)))", .error)
                return nil
            }
        }
        guard WholeFile.write(Array(source.settings.utf8), to: AdoptedSettings.file(in: folder)) else {
            log.note("\(source.words) could not be saved: \(String(cString: strerror(errno)))", .error)
            return nil
        }
        log.note("confirmed by the viewer: \(source.words)")
        return AdoptedSettings.standing(for: provisioning, in: folder)
    }

    /// Stops.
    func close() { announced.close() }
}
