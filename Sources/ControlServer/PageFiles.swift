import FlyingFox
import FoundationEssentials

/// The files of the page, which are part of the program: it needs nothing else to be installed, and nothing from the network.
struct PageFiles: Sendable {
    /// Only what this server sent may run, be shown or be asked, and nobody may frame the page.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private let page: Data

    /// - Parameter token: put into the page, for its commands.
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
