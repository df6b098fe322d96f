import Appliance
import BoxModel
import LinuxSupport
import Screens
import TestSupport
import Testing

@testable import BoxAssembly
@testable import Housekeeping
@testable import marquee

/// The first run of a whole box, by the keys of a remote.
@Suite("The first run on the television", .serialized)
@MainActor
struct FirstRunTests {
    private nonisolated static let feed =
        #"{"feedVersion": 1, "id": "t", "provider": {"name": "Harbour"}, "start": {"channel": "n"}, "channels": ["#
        + #"{"id": "n", "title": "N", "streams": [{"url": "https://cdn.example/n.m3u8"}]}]}"#

    private func page(_ desk: Desk) -> SettingsView? {
        if case .settings(let view)? = desk.screen.page { view } else { nil }
    }

    private func pad(_ desk: Desk) -> PassphraseView? {
        if case .passphrase(let view)? = desk.screen.page { view } else { nil }
    }

    private func step(_ desk: Desk) -> String? { page(desk)?.page == "first-run" ? page(desk)?.menu.title : nil }
    private func focused(_ desk: Desk) -> String? { page(desk)?.menu.rows.first(where: \.isFocused)?.title }

    private func started(
        _ toml: String? = nil, files: [String: String] = [:], announced: [String] = [], after old: Desk? = nil
    ) throws -> Desk {
        let desk = try Desk(toml, files: files, announced: announced, after: old)
        desk.keeping.start()
        desk.run(for: .seconds(2))
        return desk
    }

    /// Moves to a row, and presses OK.
    private func choose(_ title: String, on desk: Desk) {
        for _ in 0..<20 where focused(desk) != title { desk.press(.up) }
        for _ in 0..<20 where focused(desk) != title { desk.press(.down) }
        #expect(focused(desk) == title)
        desk.press(.ok)
    }

    /// Presses a key of the pad, which it reaches with arrows.
    private func type(_ title: String, on desk: Desk) {
        for _ in 0..<40 {
            guard let view = pad(desk), let row = view.keys.firstIndex(where: { $0.contains { $0.title == title } }),
                let column = view.keys[row].firstIndex(where: { $0.title == title })
            else {
                Issue.record("no key \(title)")
                return
            }
            if view.row != row {
                desk.press(view.row < row ? .down : .up)
            } else if view.column != column {
                desk.press(view.column < column ? .right : .left)
            } else {
                desk.press(.ok)
                return
            }
        }
    }

    /// Types an address in place of what is there.
    private func type(address: String, on desk: Desk) {
        choose("Address of the Channels", on: desk)
        while pad(desk)?.field.words.isEmpty == false { type("Delete", on: desk) }
        for character in address {
            if pad(desk)?.keys.contains(where: { $0.contains { $0.title == String(character) } }) != true {
                type("#+=", on: desk)
            }
            type(String(character), on: desk)
            if character == "_" { type("abc", on: desk) }
        }
        #expect(pad(desk)?.field.words == address)
        type("Continue", on: desk)
    }

    private func waitForVerdict(_ desk: Desk) -> String {
        desk.run(within: .seconds(90)) { page(desk)?.explanation?.contains("checked") == false && page(desk) != nil }
        return page(desk)?.explanation ?? ""
    }

    /// Presses the one key with which the first run begins.
    private func begun(
        _ toml: String? = nil, files: [String: String] = [:], announced: [String] = [], after old: Desk? = nil
    ) throws -> Desk {
        let desk = try started(toml, files: files, announced: announced, after: old)
        #expect(desk.screen.setUp?.button == "Set Up Here" && step(desk) == nil)
        desk.press(.ok)
        return desk
    }

    @Test("a box without a remote says how it is set up without one, with its name and its address, until the screen saver")
    func withoutKeys() throws {
        let desk = try started()
        defer { desk.close() }
        desk.run(for: .seconds(200))
        let view = try #require(desk.screen.setUp)
        #expect(view.kind == .setUp && view.code != nil && view.paragraphs.contains { $0.contains("marquee.toml") })
        #expect(view.facts.first?.value == desk.keeping.life.description.name && step(desk) == nil)
    }

    @Test("from the first start to Home by keys alone, and never again")
    func whole() throws {
        let server = try LoopbackServer { _ in .body(Array(Self.feed.utf8), type: "application/json") }
        defer { server.stop() }
        let desk = try begun()
        #expect(step(desk) == "Language" && desk.screen.setUp == nil)
        desk.press(.ok)
        #expect(step(desk) == "Network")
        desk.press(.ok)
        #expect(step(desk) == "Channels" && desk.box.appliance.offersChannels == false)
        type(address: server.url("/feed.json"), on: desk)
        #expect(waitForVerdict(desk).contains("Harbour"), "\(desk.log)")
        #expect(desk.folder.get("state/adopted.toml") == "[feed]\nurl = \"\(server.url("/feed.json"))\"\n")
        #expect(desk.run(until: { desk.box.appliance.offersChannels }), "\(desk.log)")
        desk.run(for: .seconds(2))
        #expect(desk.box.appliance.nowPlaying.id == nil, "what plays at the start waits for the end")
        choose("Continue", on: desk)
        for row in ["Tone on the Left", "Tone on the Right", "Continue", "Create PIN"] { choose(row, on: desk) }
        for _ in 0..<2 { for key in [RemoteKey.digit1, .digit2, .digit3, .digit4] { desk.press(key) } }
        #expect(desk.screen.pin == nil && focused(desk) == "Continue")
        desk.press(.ok)
        #expect(step(desk) == nil && desk.box.appliance.nowPlaying.id == "n")
        desk.close()
        let next = try started(after: desk)
        defer { next.close() }
        #expect(next.run(until: { next.box.appliance.offersChannels }), "\(next.log)")
        #expect(step(next) == nil && next.screen.setUp == nil)
    }

    @Test(
        "after a power cut the box says again how it is set up, in the viewer's language, and Back leads out to the same screen")
    func powerCut() throws {
        let desk = try begun()
        desk.press(.down)
        let language = desk.box.appliance.strings.language
        #expect(language != "en")
        desk.press(.ok)
        desk.run(for: .seconds(3))
        desk.close()
        let next = try started(after: desk)
        defer { next.close() }
        #expect(next.box.appliance.strings.language == language && next.screen.setUp?.kind == .setUp && page(next) == nil)
        next.press(.ok)
        #expect(page(next)?.page == "first-run" && focused(next) == next.box.appliance.strings.ownName)
        next.press(.back)
        #expect(page(next) == nil && next.screen.setUp?.kind == .setUp)
        next.run(for: .seconds(20))
        #expect(page(next) == nil && next.screen.setUp?.kind == .setUp)
    }

    @Test("a stick that is plugged in meanwhile is a row, and its channels are copied")
    func stick() throws {
        let desk = try begun()
        defer { desk.close() }
        for _ in 0..<2 { desk.press(.ok) }
        desk.folder.put(Self.feed, "media/sda1/feed.json")
        desk.run(for: .seconds(6))
        #expect(focused(desk) == "Address of the Channels", "the focus stays on its row")
        choose("feed.json on a USB stick", on: desk)
        #expect(waitForVerdict(desk).contains("Harbour"), "\(desk.log)")
        #expect(desk.folder.get("state/adopted.json") == Self.feed)
        for row in ["Continue", "Continue", "Skip"] { choose(row, on: desk) }
        #expect(desk.run(until: { desk.box.appliance.nowPlaying.id == "n" }), "\(desk.log)")
    }

    @Test("what is no feed, and a server that is down, are told in words, and nothing is kept")
    func badAddress() throws {
        let server = try LoopbackServer { request in
            request.path == "/page.html" ? .body(Array("<html>".utf8), type: "text/html") : .status(404)
        }
        defer { server.stop() }
        let desk = try begun()
        defer { desk.close() }
        desk.press(.ok)
        desk.press(.ok)
        for (address, words) in [
            (server.url("/page.html"), "can’t be used as channels"),
            (server.url("/none.json"), "Nothing was found at this address"),
            ("http://127.0.0.1:1/feed.json", "found"), ("http://elsewhere.example/feed.json", "begins with https://"),
            ("ftp://a.example/", "begins with https://"),
        ] {
            type(address: address, on: desk)
            let verdict = waitForVerdict(desk)
            #expect(verdict.contains(words), "\(address): \(verdict)")
            #expect(desk.folder.get("state/adopted.toml") == nil)
        }
        #expect(focused(desk) == "Address of the Channels")
        desk.press(.back)
        #expect(step(desk) == "Network")
        desk.press(.ok)
        for row in ["Skip", "Continue", "Skip"] { choose(row, on: desk) }
        #expect(desk.screen.setUp?.kind == .setUp, "skipping leads to the set-up screen")
        desk.run(for: .seconds(20))
        #expect(desk.screen.setUp?.kind == .setUp && step(desk) == nil)
    }

    @Test("it is not offered where an operator has set the box up, nor in a kiosk")
    func notOffered() throws {
        for toml in ["[feed]\nfile = \"feed.json\"\n", "[box]\nkiosk = true\n"] {
            let desk = try started(toml, files: ["firmware/feed.json": Self.feed])
            defer { desk.close() }
            #expect(desk.screen.setUp?.button == nil)
            desk.press(.ok)
            #expect(step(desk) == nil)
        }
    }

    @Test("what the file states has no step, and stays when the viewer adds the channels")
    func stated() throws {
        let toml = "[box]\nname = \"den\"\nlanguage = \"en\"\n[parental]\npin_sha256 = \"\(String(repeating: "0", count: 64))\"\n"
        let server = try LoopbackServer { _ in .body(Array(Self.feed.utf8), type: "application/json") }
        defer { server.stop() }
        let desk = try begun(toml)
        #expect(step(desk) == "Network")
        desk.press(.ok)
        type(address: server.url("/feed.json"), on: desk)
        #expect(waitForVerdict(desk).contains("Harbour"), "\(desk.log)")
        for _ in 0..<2 { choose("Continue", on: desk) }
        #expect(step(desk) == nil && desk.keeping.life.description.name == "den", "the operator's PIN stays")
        desk.close()
        let next = try started(toml, after: desk)
        defer { next.close() }
        #expect(next.run(until: { next.box.appliance.offersChannels }), "\(next.log)")
        #expect(next.keeping.life.description.name == "den")
    }
}
