import FoundationEssentials
import Testing

@testable import ControlServer

/// The files of the page: all are served, they load nothing else, and no text from outside can become a part of the page.
@MainActor
struct PageFileTests {
    private static let sources: [String: String] = PageFiles.modules.mapValues { String(decoding: $0, as: UTF8.self) }
    private static let html = PageFiles.whole(PackageResources.page_html)
    private static let phone = PageFiles.whole(PackageResources.phone_html)
    private static let styles = String(decoding: PackageResources.page_css, as: UTF8.self)

    @Test func allFilesAreServedWithTheirTypes() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        var types = ["/": "text/html", "/phone": "text/html", "/page.css": "text/css", "/icon.svg": "image/svg+xml"]
        for path in Self.sources.keys { types[path] = "text/javascript" }
        for (path, type) in types {
            let answer = try await running.send("GET", path)
            let found = answer.headers.first(name: "Content-Type").map { String($0.prefix { $0 != ";" }) }
            #expect(answer.status == 200 && found == type && !answer.body.isEmpty, "\(path)")
        }
        for path in ["/", "/phone"] { #expect(try await running.send("GET", path).body.contains("{{") == false) }
    }

    @Test func everyModuleThatIsImportedIsServedAndUsed() {
        #expect(Self.parts(of: "/page.js").union(Self.parts(of: "/phone.js")) == Set(Self.sources.keys))
    }

    /// Strangers get these without a token, and nothing more.
    @Test func thePageForPhonesIsWhole() {
        #expect(Self.parts(of: "/phone.js").union(["/phone", "/page.css", "/icon.svg"]) == PageFiles.ofPhones)
    }

    /// A module and all that it imports.
    private static func parts(of module: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [module]
        while let path = waiting.popLast() {
            guard found.insert(path).inserted else { continue }
            #expect(sources[path] != nil, "\(path)")
            waiting += (sources[path] ?? "").matches(of: /from "\.(\/[a-z]+\.js)"/).map { String($0.1) }
        }
        return found
    }

    @Test func everyElementThatTheModulesAskForIsThere() {
        for (html, module) in [(Self.html, "/page.js"), (Self.phone, "/phone.js")] {
            let ids = Set(html.matches(of: /id="([a-z-]+)"/).map { String($0.1) })
            // What the page for phones does without.
            let elsewhere = module == "/phone.js" ? ["screen", "spoken"] : []
            for path in Self.parts(of: module) {
                for match in (Self.sources[path] ?? "").matches(of: /find\("([^"]+)"\)/) {
                    #expect(ids.contains(String(match.1)) || elsewhere.contains(String(match.1)), "\(path): \(match.1)")
                }
            }
        }
    }

    @Test func nothingIsLoadedFromOtherServers() {
        for part in [Self.html, Self.phone, Self.styles] + Self.sources.values {
            #expect(part.firstMatch(of: /(?:src|href)\s*=\s*"(?:https?:)?\/\//) == nil)
            #expect(!part.contains("@import") && !part.contains("url("))
        }
    }

    @Test func thePolicyAllowsNothingInlineAndTheFilesHaveNothingInline() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let policy = try await running.send("GET", "/").headers.first(name: "Content-Security-Policy") ?? ""
        #expect(
            policy.contains("default-src 'none'") && policy.contains("script-src 'self'")
                && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe") && policy.contains("require-trusted-types-for 'script'"))
        for html in [Self.html, Self.phone] {
            #expect(html.firstMatch(of: /\son[a-z]+\s*=|\sstyle\s*=|<style|<script(?! src=)/) == nil)
        }
    }

    @Test func textsAreNeverMadeIntoMarkup() {
        for (path, source) in Self.sources {
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser"] {
                #expect(!source.contains(word), "\(path): \(word)")
            }
        }
    }
}
