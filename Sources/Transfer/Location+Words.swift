import MediaModel
import URLReferences

extension Location {
    /// An address for logs and errors: without user, password and query, which may contain secrets.
    static func name(_ url: String) -> String {
        var name = url[...]
        if case .file = Location(url) { return url }
        name = name.prefix { $0 != "?" && $0 != "#" }
        guard let slashes = name.firstRange(of: "://") else { return String(name) }
        let authority = name[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(name) }
        return String(name[..<slashes.upperBound]) + name[name.index(after: at)...]
    }

    static func refusal(_ scheme: String, _ url: String) -> MediaError {
        MediaError(
            .sourceFormat,
            "Loading \(name(url)) was refused: \(scheme): is not an http, https or file address; correct the address.",
            fault: .refused)
    }
}
