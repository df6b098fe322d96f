import LinuxSupport
import MediaModel
import URLReferences

/// Which addresses a presentation may name: one that came from another machine names neither files nor servers of this box.
struct PresentationAddresses: Sendable {
    private let playlist: URLReference

    /// - Parameter playlist: the address of the first playlist, after redirects.
    init(playlist: String) { self.playlist = URLReference(playlist) }

    func allows(_ url: String) -> Bool { playlist.mayName(URLReference(url)) }

    /// The loader for everything that the presentation names.
    func guarding(_ loader: any ByteLoading, clock: any HostClock) -> any ByteLoading {
        if playlist.isFile || playlist.isThisMachine { return loader }
        return GuardedLoading(loader, clock: clock) { url in
            allows(url)
                ? nil
                : MediaError(
                    .sourceFormat,
                    "Loading \(url) was refused: a playlist from \(playlist.host ?? "another machine") names it, and it is on this box; correct the playlist.",
                    fault: .refused)
        }
    }
}
