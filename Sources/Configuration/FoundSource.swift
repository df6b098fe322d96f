import Glibc
import LinuxSupport
import WireFormats

/// A possible source of channels for a box that was never provisioned: a USB disk or the network. It is shown, and used only
/// after a viewer has pressed OK.
package struct FoundSource: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A file on a disk that was plugged in.
        case file(String, disk: String)
        /// An address from the network.
        case address(String)
    }

    /// What was found, for the screen.
    package let kind: Kind
    /// The equivalent settings, as `marquee.toml`.
    package let settings: String
    /// A feed to copy to the location in the settings; nil: there is none.
    package let feed: String?

    /// Where to look.
    package struct Places: Sendable, Hashable {
        /// The folder that contains a mount point for each removable disk.
        package var media = Self.standardMedia
        /// The image's mount folder.
        package static let standardMedia = "/run/media"
        /// The leases of systemd-networkd, one file per link.
        package var leases = "/run/systemd/netif/leases"
        /// Where a feed is copied to.
        package var copy: String

        package init(copy: String) { self.copy = copy }
    }

    /// A description for the log.
    package var words: String {
        switch kind {
        case .file(let name, let disk): "\(name) on the disk “\(disk)”"
        case .address(let address): address
        }
    }

    /// The paths of feeds on disks, ordered by disk name.
    package static func feeds(onDisksBelow media: String) -> [String] {
        Folder.names(media).map { "\(media)/\($0)/feed.json" }.filter { access($0, R_OK) == 0 }
    }

    /// The most sources that are found.
    private static let most = 16

    /// Finds sources in order of precedence: `marquee.toml` or `feed.json` on a USB disk, then DHCP option 224, then DNS-SD.
    ///
    /// - Parameters:
    ///   - asksDisks: whether to look at disks.
    ///   - asksNetwork: whether to look at the network.
    ///   - announced: addresses announced in the network, best first.
    package static func all(
        _ places: Places, asksDisks: Bool = true, asksNetwork: Bool = true, announced: [String] = []
    ) -> [FoundSource] {
        var found: [FoundSource] = []
        for disk in asksDisks ? Folder.names(places.media) : [] {
            let folder = "\(places.media)/\(disk)"
            if let bytes = try? SmallFile.read(folder + "/marquee.toml") {
                let text = String(decoding: bytes, as: UTF8.self)
                guard (try? Configuration(text))?.namesFeed == true else { continue }
                found.append(FoundSource(kind: .file("marquee.toml", disk: disk), settings: text, feed: nil))
                continue
            }
            if access(folder + "/feed.json", R_OK) == 0 {
                found.append(
                    FoundSource(
                        kind: .file("feed.json", disk: disk),
                        settings: "[feed]\nfile = \(Configuration.Value.text(places.copy).literal)\n",
                        feed: folder + "/feed.json"))
            }
        }
        guard asksNetwork else { return found }
        let leased = Folder.names(places.leases).compactMap { lease in
            (try? SmallFile.read("\(places.leases)/\(lease)")).flatMap { address(inLease: String(decoding: $0, as: UTF8.self)) }
        }
        var known: Set<String> = []
        for address in leased + announced where known.insert(address).inserted {
            if let source = FoundSource(address: address) { found.append(source) }
        }
        return Array(found.prefix(most))
    }

    /// Nil for what is no address of a feed.
    package init?(address: String) {
        guard TextRule.feedAddress.allows(address) else { return nil }
        self.init(kind: .address(address), settings: "[feed]\nurl = \(Configuration.Value.text(address).literal)\n", feed: nil)
    }

    private init(kind: Kind, settings: String, feed: String?) {
        self.kind = kind
        self.settings = settings
        self.feed = feed
    }

    /// DHCP option 224 as stored by systemd-networkd: hexadecimal digits.
    static func address(inLease text: String) -> String? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("OPTION_224=") }) else { return nil }
        guard let bytes = [UInt8](hexadecimal: line.dropFirst("OPTION_224=".count)) else { return nil }
        // Some servers include the terminating zero of a C string.
        let address = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return TextRule.feedAddress.allows(address) ? address : nil
    }
}
