import ChannelFeed
import Glibc
import MediaModel

/// Reads feeds from files and servers.
@MainActor
package enum FeedFile {
    /// The validator's result for a loaded feed.
    package static func verdict(_ response: ByteResponse, plainHTTPHosts: Set<String> = []) -> FeedVerdict {
        verdict(bytes: response.bytes, url: response.url, plainHTTPHosts: plainHTTPHosts)
    }

    /// The validator's result for a feed of any origin.
    ///
    /// - Parameter appliedRevision: with pinned keys, the newest revision that was applied.
    package static func verdict(
        bytes: [UInt8], url: String, plainHTTPHosts: Set<String> = [], appliedRevision: Int64? = nil
    ) -> FeedVerdict {
        var options = FeedOptions(plainHTTPHosts: plainHTTPHosts, appliedRevision: appliedRevision)
        // A feed that came over plain http may use plain http on its own host, which is allowed already.
        if let host = host(of: url) { options.plainHTTPHosts.insert(host) }
        return FeedReader.read(bytes, baseURL: place(of: url), options: options)
    }

    /// The absolute location of a feed. Relative addresses in it refer to this and not to the current folder.
    package static func place(of address: String) -> String {
        guard !address.contains("://"), !address.hasPrefix("/"), let folder = getcwd(nil, 0) else { return address }
        defer { free(folder) }
        return String(cString: folder) + "/" + address
    }

    /// Whether the address of a feed may be requested: plain http only on allowed hosts and on this machine.
    package static func isLetIn(_ address: String, plainHTTPHosts: Set<String>) -> Bool {
        guard address.lowercased().hasPrefix("http://"), let host = host(of: address)?.lowercased() else { return true }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host) || plainHTTPHosts.contains { $0.lowercased() == host }
    }

    package static func host(of url: String) -> String? {
        guard let start = url.range(of: "://", in: url.startIndex) else { return nil }
        return String(url[start...].prefix { $0 != "/" && $0 != ":" && $0 != "?" })
    }
}

extension String {
    /// The index after the first occurrence of a text.
    fileprivate func range(of text: String, in start: Index) -> Index? {
        var index = start
        while index < endIndex {
            if self[index...].hasPrefix(text) { return self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
