import LinuxSupport
import MediaSources

/// The last good pictures of assets whose picture is fetched again, by their addresses: what is shown until a newer one has come, and when none comes.
/// Bounded: the picture that was asked for longest ago is dropped first. Main loop only.
@MainActor
package final class KeptPictures {
    /// A picture as its server sent it.
    struct Kept {
        var bytes: [UInt8]
        /// The header lines with which its server is asked whether it has changed.
        var condition: [String]
        /// When its server was last known to have it.
        var checked: HostTime
    }

    private var pictures: [String: Kept] = [:]

    private static let most = 16
    private static let mostBytes = 32 << 20

    package init() {}

    subscript(url: String) -> Kept? { pictures[url] }

    /// Keeps a picture that could be decoded.
    func keep(_ response: ByteResponse, of url: String, at now: HostTime) {
        pictures[url] = Kept(bytes: response.bytes, condition: response.condition, checked: now)
        while pictures.count > Self.most || pictures.values.reduce(0, { $0 + $1.bytes.count }) > Self.mostBytes {
            let oldest = pictures.filter { $0.key != url }.min { ($0.value.checked, $0.key) < ($1.value.checked, $1.key) }
            guard let oldest else { return }
            pictures[oldest.key] = nil
        }
    }

    /// The server still has the picture.
    func confirm(_ url: String, at now: HostTime) { pictures[url]?.checked = now }
}
