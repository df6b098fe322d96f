import Configuration
import Glibc
import LinuxSupport
import MediaModel

/// Looks for a source of channels for a box that has none: on disks, and in what the network announces. What a viewer agrees to stands for the settings
/// that are missing.
@MainActor
final class SourceSearch {
    private let log: LogBook
    private let folder: String?
    private let media: String
    private let announced: AnnouncedFeeds

    /// - Parameters:
    ///   - folder: where what was taken into use is kept; nil: nothing is looked for.
    ///   - media: below it disks are mounted.
    ///   - question: asks the network who announces a feed.
    init(
        clock: any HostClock, log: LogBook, folder: String?, media: String, question: @escaping AnnouncedFeeds.Question
    ) {
        self.log = log
        self.folder = folder
        self.media = media
        announced = AnnouncedFeeds(clock: clock, question: question)
    }

    /// What there is now. A box that was never told anything looks everywhere; one that has a file, where that lets it.
    func find(for provisioning: Provisioning) -> FoundSource? {
        guard let folder else { return nil }
        let configuration = provisioning.configuration
        let isFresh = !provisioning.hasFile && configuration.isEmpty
        var places = FoundSource.Places(copy: folder + "/adopted.json")
        places.media = media
        let asksNetwork = isFresh || configuration.allowsDiscovery
        if asksNetwork { announced.look() }
        return FoundSource.find(
            places, asksDisks: isFresh || configuration.allowsUSB, asksNetwork: asksNetwork, announced: announced.addresses)
    }

    /// Keeps a source that somebody has agreed to, so that the next start has it too.
    ///
    /// - Returns: the settings with it; nil where it could not be kept.
    func adopt(_ source: FoundSource) -> Provisioning? {
        guard let folder else { return nil }
        if let feed = source.feed {
            guard let bytes = WholeFile.read(feed), WholeFile.write(bytes, to: folder + "/adopted.json") else {
                log.note("\(feed) could not be copied: \(String(cString: strerror(errno)))")
                return nil
            }
        }
        guard WholeFile.write(Array(source.settings.utf8), to: AdoptedSettings.file(in: folder)) else {
            log.note("\(source.words) could not be saved: \(String(cString: strerror(errno)))")
            return nil
        }
        log.note("confirmed by the viewer: \(source.words)")
        return Provisioning(file: source.settings, applied: nil)
    }

    /// Nothing is asked any more.
    func close() { announced.close() }
}
