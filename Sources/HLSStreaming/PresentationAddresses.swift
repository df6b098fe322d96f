import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources

/// Which addresses a presentation may name, and the loader that keeps to it.
struct PresentationAddresses: Sendable {
    private let rule: NamingRule

    /// - Parameters:
    ///   - playlist: the address of the first playlist, after redirects.
    ///   - plainHTTPHosts: the hosts that one from https may name over plain http.
    init(playlist: String, plainHTTPHosts: Set<String> = []) {
        rule = NamingRule(origin: playlist, plainHTTPHosts: plainHTTPHosts)
    }

    func allows(_ url: String) -> Bool { rule.refusal(of: url) == nil }

    /// The loader for everything that the presentation names.
    func guarding(_ loader: any ByteLoading, clock: any HostClock) -> any ByteLoading {
        if rule.allowsEverything { return loader }
        return GuardedLoading(loader, clock: clock) { url in
            rule.refusal(of: url).map {
                MediaError(
                    .sourceFormat, "Loading \(url) was refused: a playlist from \(rule.host) names it, and \($0.words)",
                    fault: .refused)
            }
        }
    }
}
