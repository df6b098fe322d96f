import FlyingFox
import FoundationEssentials

/// The files of the page, embedded in the program: it needs no other installation and no network.
struct PageFiles: Sendable {
    /// Only resources of this server may run, be shown or be requested, and no page may frame this one.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private let page: Data

    /// - Parameter token: inserted into the page, for its commands.
    init(token: String) {
        let text = String(decoding: PackageResources.page_html, as: UTF8.self)
        page = Data(text.replacing("{{token}}", with: token).utf8)
    }

    /// The file at a path; nil when there is none.
    func file(_ path: String) -> HTTPResponse? {
        switch path {
        case "/":
            .file(
                page, type: "text/html; charset=utf-8",
                headers: [
                    HTTPHeader("Content-Security-Policy"): Self.policy,
                    HTTPHeader("Referrer-Policy"): "no-referrer",
                    HTTPHeader("X-Frame-Options"): "DENY",
                ])
        case "/page.css": .file(Data(PackageResources.page_css), type: "text/css; charset=utf-8")
        case "/page.js": .file(Data(PackageResources.page_js), type: "text/javascript; charset=utf-8")
        case "/icon.svg": .file(Data(PackageResources.icon_svg), type: "image/svg+xml")
        default: nil
        }
    }
}
