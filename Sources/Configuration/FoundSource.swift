import Glibc

/// Something that could tell a box that was never provisioned where its channels are: a stick, or the network's own word. It is shown, and
/// taken into use only once somebody has pressed OK.
package struct FoundSource: Sendable, Hashable {
    /// What was found.
    package enum Kind: Sendable, Hashable {
        /// A file on a disk that was plugged in.
        case file(String, disk: String)
        /// An address that the network told.
        case address(String)
    }

    /// What was found, for the screen.
    package let kind: Kind
    /// The settings that it amounts to, as `marquee.toml`.
    package let settings: String
    /// A feed to be copied to where the settings say; nil: there is none.
    package let feed: String?

    /// Where to look.
    package struct Places: Sendable, Hashable {
        /// Below it every removable disk is mounted in a folder of its own.
        package var media = Self.standardMedia
        /// Where the image mounts them.
        package static let standardMedia = "/run/media"
        /// The leases of systemd-networkd, a file a link.
        package var leases = "/run/systemd/netif/leases"
        /// Where a feed is copied to.
        package var copy: String

        /// Names places.
        package init(copy: String) { self.copy = copy }
    }

    /// What was found in words, for the log.
    package var words: String {
        switch kind {
        case .file(let name, let disk): "\(name) on the disk “\(disk)”"
        case .address(let address): address
        }
    }

    /// The paths of feeds on disks, in the order of the disks' names.
    package static func feeds(onDisksBelow media: String) -> [String] {
        Folder.names(media).map { "\(media)/\($0)/feed.json" }.filter { access($0, R_OK) == 0 }
    }

    /// Looks for the first source in the order of the rules: `marquee.toml` or `feed.json` on a stick, then DHCP's option 224, then what is announced by DNS-SD.
    ///
    /// - Parameters:
    ///   - asksDisks: whether disks are looked at.
    ///   - asksNetwork: whether what the network says is looked at.
    ///   - announced: addresses that somebody in the network has announced, best first.
    package static func find(
        _ places: Places, asksDisks: Bool = true, asksNetwork: Bool = true, announced: [String] = []
    ) -> FoundSource? {
        for disk in asksDisks ? Folder.names(places.media) : [] {
            let folder = "\(places.media)/\(disk)"
            if let bytes = try? SmallFile.read(folder + "/marquee.toml") {
                let text = String(decoding: bytes, as: UTF8.self)
                guard (try? Configuration(text))?.namesFeed == true else { continue }
                return FoundSource(kind: .file("marquee.toml", disk: disk), settings: text, feed: nil)
            }
            if access(folder + "/feed.json", R_OK) == 0 {
                return FoundSource(
                    kind: .file("feed.json", disk: disk),
                    settings: "[feed]\nfile = \(Configuration.Value.text(places.copy).literal)\n", feed: folder + "/feed.json")
            }
        }
        guard asksNetwork else { return nil }
        for lease in Folder.names(places.leases) {
            guard let bytes = try? SmallFile.read("\(places.leases)/\(lease)"),
                let address = address(inLease: String(decoding: bytes, as: UTF8.self))
            else { continue }
            return FoundSource(address: address)
        }
        return announced.first { TextRule.feedAddress.allows($0) }.map { FoundSource(address: $0) }
    }

    private init(address: String) {
        self.init(kind: .address(address), settings: "[feed]\nurl = \(Configuration.Value.text(address).literal)\n", feed: nil)
    }

    private init(kind: Kind, settings: String, feed: String?) {
        self.kind = kind
        self.settings = settings
        self.feed = feed
    }

    /// DHCP's option 224 as systemd-networkd keeps it: hexadecimal digits.
    static func address(inLease text: String) -> String? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("OPTION_224=") }) else { return nil }
        let digits = Array(line.dropFirst("OPTION_224=".count).utf8)
        guard digits.count % 2 == 0 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        guard bytes.allSatisfy({ $0 != nil }) else { return nil }
        // Servers send the zero at the end of a C string along.
        let address = String(decoding: bytes.compactMap { $0 }.prefix { $0 != 0 }, as: UTF8.self)
        return TextRule.feedAddress.allows(address) ? address : nil
    }
}

/// Names in folders.
enum Folder {
    /// The names in a folder in their order, hidden ones left out; none where it cannot be read.
    static func names(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.first != "." { names.append(name) }
        }
        return names.sorted()
    }
}
