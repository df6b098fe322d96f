import Housekeeping
import MediaModel
import Screens
import Testing

@testable import Drawing

/// The box's own screens, with its real texts, compared with golden texts.
@Suite("The box's own screens match the golden texts", .serialized)
@MainActor
struct BoxScreenGoldenTests {
    nonisolated static let variants: [(name: String, language: String, appearance: Appearance)] = [
        ("en", "en", Appearance()), ("large", "en", Appearance(hasLargerText: true)), ("de", "de", Appearance(language: "de")),
        ("ar", "ar", Appearance(language: "ar", isRightToLeft: true)), ("ja", "ja", Appearance(language: "ja")),
    ]

    /// Every screen, in one language.
    static func screens(_ language: String) -> [(name: String, state: PresentationState)] {
        let strings = StringCatalogue.best(for: [language])
        let fresh = SetUpScreens(name: "marquee-52ab10", address: "192.168.178.120", isRadioOff: true, strings: strings)
        let offline = SetUpScreens(name: "marquee-52ab10", leadsToWireless: true, strings: strings)
        let open = SetUpScreens(
            name: "room-214", address: "192.168.178.120", page: "http://192.168.178.120:8080/", isProvisioned: true,
            strings: strings)
        let problems = [
            "line 4: box.nam ignored: there is no such key; did you mean box.name?",
            "line 9: display.overscan wrong: write a whole number from 0 to 5; until then the previous value is used",
            "line 12: network.ca_file wrong: there is no file ca.pem in the folder of this one; put it there, or remove the key",
            "line 14: feed.public_keys wrong: write keys as NAME:BASE64 of the 32 bytes of an Ed25519 key", "line 15", "line 16",
        ]
        var home = PresentationState(screen: .home)
        home.verdict = open.verdict(problems: problems, isWhole: true)
        return [
            ("setup", state(fresh.setUp())), ("waiting", state(open.waiting(.unreachable(.sourceTimeout)))),
            ("safe", state(open.safe(waits: .seconds(540)))), ("reset", state(fresh.reset(seconds: 10))),
            ("reset-asked", state(open.reset(seconds: 10, isAsked: true))),
            ("question", state(fresh.question(.file("feed.json", disk: "sda1")))), ("verdict", home),
            ("loading", state(open.waiting(.loading))), ("setup-offline", state(offline.setUp())),
            ("setup-first-run", state(fresh.setUp(offersFirstRun: true))),
            ("waiting-offline", state(offline.waiting(.unreachable(.networkDown)))),
        ]
    }

    private static func state(_ view: SetUpView) -> PresentationState {
        var state = PresentationState(screen: .home)
        state.setUp = view
        return state
    }

    @Test("layers, areas of one colour, texts and pixels of every screen", arguments: variants.map(\.name))
    func screens(variant: String) throws {
        let (_, language, appearance) = try #require(Self.variants.first { $0.name == variant })
        let easel = try Easel(appearance: appearance, artist: Artist(isPlain: true), fontFolder: Golden.fonts)
        defer { easel.stop() }
        var texts: [ScreenText] = []
        for (name, state) in Self.screens(language) {
            let layers = easel.show(state)
            let picture = try easel.picture(of: layers, over: Golden.ground(state))
            texts.append(try ScreenText(name, layers: layers, texts: easel.renderer.drawnTexts, picture: picture))
            try Golden.compareScreen(picture, with: "box/\(variant)/\(name)")
        }
        try Golden.compare(texts, with: "box-\(variant).txt")
    }

    @Test(
        "in every language the text stays inside the safe area and does not overlap the code",
        arguments: StringCatalogue.all.map(\.language))
    func places(language: String) throws {
        let isMirrored = StringCatalogue.best(for: [language]).isRightToLeft
        for larger in [false, true] {
            let easel = try Easel(
                width: 1920, height: 1080,
                appearance: Appearance(language: language, isRightToLeft: isMirrored, hasLargerText: larger),
                fontFolder: Golden.fonts)
            defer { easel.stop() }
            for (name, state) in Self.screens(language) {
                let layers = easel.show(state)
                let code = layers.first { $0.id == "setup.code" }.map { Rect($0.destination) }
                for text in (easel.renderer.drawnTexts["setup"] ?? []) + (easel.renderer.drawnTexts["verdict"] ?? []) {
                    let place = Rect(x: text.x, y: text.y, width: text.width, height: text.height)
                    #expect(
                        place.x >= 96 && place.maxX <= 1824.5 && place.y >= 54 && place.maxY <= 1026,
                        "\(language) \(name)\(larger ? ", larger" : ""): “\(text.text)” at \(place)")
                    #expect(!text.isEllipsized, "\(language) \(name)\(larger ? ", larger" : ""): “\(text.text)” is cut")
                    if let code { #expect(!place.intersects(code), "\(language) \(name): “\(text.text)” overlaps the code") }
                }
            }
        }
    }
}
