/// The files of the page, embedded in the program: it needs no other installation and no network.
struct PageFiles: Sendable {
    /// Only resources of this server may run, be shown or be requested, and no page may frame this one.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

    private let page: [UInt8]
    private let phone = Array(whole(PackageResources.phone_html).utf8)
    private let styles = PackageResources.page_css
    private let icon = PackageResources.icon_svg
    /// The modules of the page by their paths; `page.js` imports the others.
    static let modules: [String: [UInt8]] = [
        "/page.js": PackageResources.page_js, "/box.js": PackageResources.box_js, "/screen.js": PackageResources.screen_js,
        "/remote.js": PackageResources.remote_js, "/now.js": PackageResources.now_js, "/library.js": PackageResources.library_js,
        "/storage.js": PackageResources.storage_js, "/feed.js": PackageResources.feed_js,
        "/machine.js": PackageResources.machine_js, "/errors.js": PackageResources.errors_js, "/log.js": PackageResources.log_js,
        "/notice.js": PackageResources.notice_js, "/commands.js": PackageResources.commands_js,
        "/views.js": PackageResources.views_js, "/words.js": PackageResources.words_js,
        "/elements.js": PackageResources.elements_js, "/phone.js": PackageResources.phone_js,
        "/typing.js": PackageResources.typing_js, "/outputs.js": PackageResources.outputs_js,
    ]

    /// What the page for phones is made of. It is the same on every box.
    static let ofPhones: Set<String> = [
        "/phone", "/phone.js", "/typing.js", "/remote.js", "/box.js", "/elements.js", "/notice.js", "/page.css", "/icon.svg",
    ]

    /// - Parameter token: inserted into the page, for its commands.
    init(token: String) {
        page = Array(Self.whole(PackageResources.page_html).replacing("{{token}}", with: token).utf8)
    }

    /// A document with the buttons of the remote, which are the same in both.
    static func whole(_ document: [UInt8]) -> String {
        String(decoding: document, as: UTF8.self).replacing(
            "{{remote}}", with: String(decoding: PackageResources.remote_html, as: UTF8.self))
    }

    private static func document(_ bytes: [UInt8]) -> HTTPResponse {
        .file(
            bytes, type: "text/html; charset=utf-8",
            headers: [
                "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
            ])
    }

    /// The file at a path; nil when there is none.
    func file(_ path: String) -> HTTPResponse? {
        switch path {
        case "/": Self.document(page)
        case "/phone": Self.document(phone)
        case "/page.css": .file(styles, type: "text/css; charset=utf-8")
        case "/icon.svg": .file(icon, type: "image/svg+xml")
        default: Self.modules[path].map { .file($0, type: "text/javascript; charset=utf-8") }
        }
    }
}
