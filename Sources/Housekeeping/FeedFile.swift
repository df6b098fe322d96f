import ChannelFeed
import Composition
import Configuration
import Glibc
import MediaCodec
import MediaModel
import URLReferences

/// Reads feeds from files and servers. Any thread.
package enum FeedFile {
    /// The pages of a feed, of which this is the first.
    ///
    /// - Parameters:
    ///   - appliedRevision: with pinned keys, the newest revision that was applied.
    ///   - group: with pinned keys, the group of the box.
    ///   - clock: for rules about the present. The box reads a feed for all times, and asks for the time when it shows it.
    package static func pages(
        first bytes: [UInt8], url: String, plainHTTPHosts: Set<String> = [], appliedRevision: Int64? = nil,
        group: String? = nil, clock: FeedClock = .notAsked
    ) -> FeedPages {
        var options = options(url: url, plainHTTPHosts: plainHTTPHosts, appliedRevision: appliedRevision)
        options.clock = clock
        options.group = group
        var pages = FeedPages(options: options)
        pages.append(bytes, url: place(of: url))
        return pages
    }

    /// The validator's result for one document as a whole feed, of any origin.
    package static func verdict(
        bytes: [UInt8], url: String, plainHTTPHosts: Set<String> = [], appliedRevision: Int64? = nil
    ) -> FeedVerdict {
        FeedReader.read(
            bytes, baseURL: place(of: url),
            options: options(url: url, plainHTTPHosts: plainHTTPHosts, appliedRevision: appliedRevision))
    }

    private static func options(url: String, plainHTTPHosts: Set<String>, appliedRevision: Int64?) -> FeedOptions {
        var options = FeedOptions(plainHTTPHosts: plainHTTPHosts, appliedRevision: appliedRevision)
        // A feed that came over plain http may use plain http on its own host, which is allowed already.
        if let host = plainHost(of: url) { options.plainHTTPHosts.insert(host) }
        options.canDecode = { FFmpegCodecs().canDecode(codecString: $0) != false }
        options.checkComposition = { compositionFaults($0, baseURL: $1) }
        return options
    }

    /// What is wrong with a composition in a feed: what playback would refuse is an error.
    private static func compositionFaults(_ text: [UInt8], baseURL: String) -> [FeedOptions.CompositionFault] {
        let verdict = CompositionReader.read(text, baseURL: baseURL)
        return (verdict.findings + (verdict.document?.validateForPlaying() ?? [])).map { finding in
            FeedOptions.CompositionFault(
                isError: finding.severity == .error, at: finding.pointer, finding.message, finding.remedy)
        }
    }

    /// The absolute location of a feed. Relative addresses in it refer to this and not to the current folder.
    package static func place(of address: String) -> String {
        guard !address.contains("://"), !address.hasPrefix("/"), let folder = getcwd(nil, 0) else { return address }
        defer { free(folder) }
        return String(cString: folder) + "/" + address
    }

    /// Whether the address of a feed may be requested: plain http only on allowed hosts and on this machine.
    package static func isLetIn(_ address: String, plainHTTPHosts: Set<String>) -> Bool {
        guard let host = plainHost(of: address) else { return true }
        return PlainHTTP.isAllowed(host, by: plainHTTPHosts)
    }

    /// The host of a plain http address, in lower case; nil for all other addresses.
    package static func plainHost(of url: String) -> String? {
        PlainHTTP.host(of: url)
    }
}
