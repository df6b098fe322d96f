import ChannelFeed
import Glibc
import MediaModel

/// Reads feeds from files and servers.
@MainActor
package enum FeedFile {
    /// What the validator says of a feed that was loaded.
    package static func verdict(_ response: ByteResponse, plainHTTPHosts: Set<String> = []) -> FeedVerdict {
        verdict(bytes: response.bytes, url: response.url, plainHTTPHosts: plainHTTPHosts)
    }

    /// What the validator says of a feed that came from somewhere.
    ///
    /// - Parameter appliedRevision: with pinned keys, the newest revision that was in use.
    package static func verdict(
        bytes: [UInt8], url: String, plainHTTPHosts: Set<String> = [], appliedRevision: Int64? = nil
    ) -> FeedVerdict {
        var options = FeedOptions(plainHTTPHosts: plainHTTPHosts, appliedRevision: appliedRevision)
        // A feed that came over plain http may name plain http on its own host: it was let in already.
        if let host = host(of: url) { options.plainHTTPHosts.insert(host) }
        return FeedReader.read(bytes, baseURL: place(of: url), options: options)
    }

    /// Where a feed is, from anywhere: what stands in it is relative to that, and not to the folder that a command was given in.
    package static func place(of address: String) -> String {
        guard !address.contains("://"), !address.hasPrefix("/"), let folder = getcwd(nil, 0) else { return address }
        defer { free(folder) }
        return String(cString: folder) + "/" + address
    }

    /// Whether the address of a feed may be asked at all: plain http only on hosts that are let in, and on this machine.
    package static func isLetIn(_ address: String, plainHTTPHosts: Set<String>) -> Bool {
        guard address.lowercased().hasPrefix("http://"), let host = host(of: address)?.lowercased() else { return true }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host) || plainHTTPHosts.contains { $0.lowercased() == host }
    }

    /// The host of an address.
    package static func host(of url: String) -> String? {
        guard let start = url.range(of: "://", in: url.startIndex) else { return nil }
        return String(url[start...].prefix { $0 != "/" && $0 != ":" && $0 != "?" })
    }
}

extension String {
    /// The index behind the first occurrence of a text.
    fileprivate func range(of text: String, in start: Index) -> Index? {
        var index = start
        while index < endIndex {
            if self[index...].hasPrefix(text) { return self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
