import MediaModel
import URLReferences

extension Location {
    /// An address for logs and errors: without user, password and query, which may contain secrets.
    static func name(_ url: String) -> String {
        var name = url[...]
        switch Location(url) {
        case .file: return url
        // What stands before the @ is a sender.
        case .datagrams(let address): return "\(address)"
        // The body may be a key.
        case .unknown where InlineBody.isInline(url): return String(url.prefix { $0 != "," }) + ",…"
        case .http, .unknown: break
        }
        name = name.prefix { $0 != "?" && $0 != "#" }
        guard let slashes = name.firstRange(of: "://") else { return String(name) }
        let authority = name[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(name) }
        return String(name[..<slashes.upperBound]) + name[name.index(after: at)...]
    }

    /// Why an address is not opened.
    static func refusal(_ scheme: String, _ url: String) -> MediaError {
        if DatagramAddress.isScheme(scheme) {
            do throws(DatagramAddress.Fault) { _ = try DatagramAddress(URLReference(url)) } catch {
                return MediaError(
                    .sourceFormat, "Loading \(name(url)) was refused: it \(error.reason). \(error.remedy)", fault: .refused)
            }
        }
        if InlineBody.isInline(url) {
            return MediaError(
                .sourceFormat, "Reading \(name(url)) failed: what follows the comma is no base64; correct the address.",
                fault: .refused)
        }
        let reason =
            UnplayedDelivery(scheme: scheme).map {
                "the box does not play \($0.rawValue); use the http or https address of an HLS stream or of a file"
            } ?? "\(scheme): is not an http, https, udp, rtp or file address; correct the address"
        return MediaError(.sourceFormat, "Loading \(name(url)) was refused: \(reason).", fault: .refused)
    }
}
