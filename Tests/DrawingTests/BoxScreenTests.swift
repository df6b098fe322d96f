import MediaModel
import Screens
import Testing

@testable import Drawing

/// The screens of the box itself.
enum BoxScreenSamples {
    static let setUp = SetUpView(
        kind: .setUp, title: "This box has no channels yet.",
        paragraphs: [
            "Insert the box's card into a computer, write the address of your channels into the file marquee.toml, and restart the box:"
        ],
        example: ["[feed]", "url = \"https://example.org/feed.json\""],
        facts: [.init("This box", "marquee-52ab10"), .init("Address", "192.168.178.120")],
        code:
            "Marquee box marquee-52ab10 at 192.168.178.120 has no channels yet. Add to marquee.toml on its card: [feed] url = \"https://example.org/feed.json\""
    )

    static let safe = SetUpView(
        kind: .safe, title: "The player crashed five times.",
        paragraphs: ["It tries again by itself in ten minutes, or when you press OK."],
        facts: [.init("This box", "marquee-52ab10"), .init("Page", "http://192.168.178.120:8080/")],
        code: "http://192.168.178.120:8080/", button: "Try Again")

    static let reset = SetUpView(
        kind: .reset, title: "Everything on this box is about to be deleted.",
        paragraphs: [
            "The card contains a file named “reset”. In 10 seconds, the settings, viewing history and downloads are deleted.",
            "To keep them, unplug the box now and delete that file.",
        ], facts: [.init("This box", "marquee-52ab10")])

    static let verdict = VerdictView(
        title: "Some settings in marquee.toml could not be applied.",
        lines: [
            "line 4: box.nam ignored: there is no such key; did you mean box.name?",
            "line 9: display.overscan wrong: write a whole number from 0 to 5; until then the previous value is used",
        ], rest: "and 3 more in applied.txt")

    static func state(_ view: SetUpView?, _ verdict: VerdictView? = nil) -> PresentationState {
        var state = PresentationState(screen: .home)
        state.setUp = view
        state.verdict = verdict
        return state
    }
}

@Suite("Screens of the box itself", .serialized)
@MainActor
struct BoxScreenTests {
    @Test("the text leaves room for the code, and everything stays in the safe area, also with larger text and mirrored")
    func places() throws {
        for (rightToLeft, larger) in [(false, false), (true, false), (false, true)] {
            let easel = try Easel(
                width: 1920, height: 1080, appearance: Appearance(isRightToLeft: rightToLeft, hasLargerText: larger))
            defer { easel.stop() }
            let layers = easel.show(BoxScreenSamples.state(BoxScreenSamples.setUp, BoxScreenSamples.verdict))
            #expect(Set(layers.map(\.id)) == ["setup", "setup.code", "verdict"])
            let code = try #require(layers.first { $0.id == "setup.code" }?.destination)
            #expect(code.x >= 96 && code.x + code.width <= 1824 && code.y >= 60 && code.y + code.height <= 1020)
            for text in (easel.renderer.drawnTexts["setup"] ?? []).map({
                Rect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
            }) {
                #expect(text.x >= 96 && text.maxX <= 1824 && text.y >= 60 && text.maxY <= 1020)
                #expect(!text.intersects(Rect(code)), "text and code do not overlap")
            }
        }
    }

    @Test(
        "an address and a name are shown in full next to the code, however long they are and however large the type is",
        arguments: [false, true])
    func addresses(larger: Bool) throws {
        let easel = try Easel(width: 1920, height: 1080, appearance: Appearance(hasLargerText: larger))
        defer { easel.stop() }
        for (name, address, page) in [
            ("marquee-52ab10", "192.168.178.120", "http://192.168.178.120:8080/"),
            (
                String(repeating: "room-", count: 12) + "214", "2001:db8:85a3:8d3:1319:8a2e:370:7348",
                "http://[2001:db8:85a3:8d3:1319:8a2e:370:7348]:8080/"
            ),
        ] {
            var view = BoxScreenSamples.safe
            view.facts = [.init("This box", name), .init("Address", address), .init("Page", page)]
            view.code = page
            _ = easel.show(BoxScreenSamples.state(view))
            let texts = easel.renderer.drawnTexts["setup.code"] ?? []
            #expect(texts.count == 6)
            for text in texts {
                #expect(!text.isEllipsized, "“\(text.text)” is cut")
                #expect(
                    text.size >= 23 && text.y + text.height <= 1026 && text.x + text.width <= 1824, "“\(text.text)” at \(text.y)")
            }
        }
    }

    @Test("a countdown is beside the words, the code says what to do with it, and a spinner turns while channels are loaded")
    func parts() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        var view = BoxScreenSamples.reset
        view.countdown = 10
        #expect(easel.show(BoxScreenSamples.state(view)).map(\.id).sorted() == ["setup", "setup.countdown"])
        #expect(easel.renderer.drawnTexts["setup.countdown"]?.map(\.text) == ["10"])
        view = BoxScreenSamples.safe
        view.codeCaption = "Scan with a phone"
        _ = easel.show(BoxScreenSamples.state(view))
        #expect(easel.renderer.drawnTexts["setup.code"]?.first?.text == "Scan with a phone")
        view = BoxScreenSamples.setUp
        (view.code, view.isWaiting) = (nil, true)
        _ = easel.show(BoxScreenSamples.state(view))
        // It has turned for a second.
        #expect(easel.renderer.redrawCounts["setup.spinner"] == 12)
    }

    @Test("nothing else is drawn under a screen of the box, and a verdict does not change the rest")
    func alone() throws {
        let easel = try Easel()
        defer { easel.stop() }
        var state = Samples.playing
        state.verdict = BoxScreenSamples.verdict
        #expect(easel.show(state).contains { $0.id == "bar" })
        state.setUp = BoxScreenSamples.reset
        #expect(easel.show(state).map(\.id).sorted() == ["setup", "verdict"])
    }
}
