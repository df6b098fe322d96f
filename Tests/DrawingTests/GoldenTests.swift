import LinuxSupport
import MediaModel
import Screens
import Testing

@testable import Drawing

/// How screens are drawn for a golden text.
struct GoldenVariant: Sendable, CustomTestStringConvertible {
    let name: String
    var language = "en"
    var appearance = Appearance()
    var height = 720

    var testDescription: String { name }

    /// The variants of the interface's screens and of captions. The samples have words of a feed in these languages.
    static let all = [
        GoldenVariant(name: "en"),
        GoldenVariant(name: "ar", language: "ar", appearance: Appearance(language: "ar", isRightToLeft: true)),
        GoldenVariant(name: "ja", language: "ja", appearance: Appearance(language: "ja")),
        GoldenVariant(name: "large", appearance: Appearance(hasLargerText: true)),
        GoldenVariant(name: "contrast", appearance: Appearance(hasHighContrast: true)),
        GoldenVariant(name: "1080", height: 1080), GoldenVariant(name: "2160", height: 2160),
    ]

    @MainActor
    func easel() throws -> Easel {
        try Easel(
            width: height * 16 / 9, height: height, appearance: appearance, artist: Artist(isPlain: true),
            fontFolder: Golden.fonts)
    }
}

/// Every screen, compared with golden texts and pictures and set in the fonts of `Tests/Fixtures/fonts`, so that it is the same on every machine.
/// `scripts/pictures` rewrites them; review the difference before you commit it.
@Suite("The screens match the golden texts and pictures", .serialized)
@MainActor
struct GoldenTests {
    @Test("layers, areas of one colour, texts and pixels of every screen", arguments: GoldenVariant.all)
    func screens(variant: GoldenVariant) throws {
        let easel = try variant.easel()
        defer { easel.stop() }
        var texts: [ScreenText] = []
        for (name, state) in Samples.screens(variant.appearance, in: variant.language) {
            let layers = easel.show(state)
            let picture = try easel.picture(of: layers, over: Golden.ground(state), video: state.video.frame)
            texts.append(try ScreenText(name, layers: layers, texts: easel.renderer.drawnTexts, picture: picture))
            try Golden.compareScreen(picture, with: "\(variant.name)/\(name)")
        }
        try Golden.compare(texts, with: "screens-\(variant.name).txt")
    }

    /// What lies on the picture without a page below it.
    private static let overPicture = [
        "playing", "paused", "behind-live", "live-bar", "actions", "scrubbing", "thumbnail", "ad-with-bar", "skip-ad",
        "skip-intro",
        "subtitles", "channels", "delay", "volume", "announced", "paused-long", "error",
    ]

    /// Their layers are those of every screen: only what is under them differs.
    @Test("scrims, panels and what lies on the picture, over a white and a busy frame", arguments: ["white", "busy"])
    func overFrames(frame: String) throws {
        let easel = try Easel(artist: Artist(isPlain: true), fontFolder: Golden.fonts)
        defer { easel.stop() }
        let screens = Dictionary(uniqueKeysWithValues: Samples.all.map { ($0.name, $0.state) })
        for name in Self.overPicture {
            let state = try #require(screens[name], "\(name)")
            let picture = try easel.picture(
                of: easel.show(state), over: frame == "white" ? .white : .busy, video: state.video.frame)
            try Golden.compareScreen(picture, with: "\(frame)/\(name)")
        }
    }

    @Test("every kept picture and text is that of a screen, and none is missing", .enabled(if: Golden.compares))
    func leftOver() {
        let english = Samples.screens(Appearance(), in: "en").map(\.name)
        for (folder, names) in [
            ("en", english), ("captions-en", CaptionGoldenTests.names), ("whole", Golden.keptWhole.map(Golden.wholeName)),
        ] {
            let names = names.filter { !Golden.keptWhole.contains("\(folder)/\($0)") }
            #expect(Folder.names("\(Golden.folder)/\(folder)") == names.map { $0 + ".png" }.sorted(), "\(folder)")
        }
        let texts =
            GoldenVariant.all.flatMap { ["captions-\($0.name).txt", "screens-\($0.name).txt"] }
            + BoxScreenGoldenTests.variants.map { "box-\($0.name).txt" } + SaidGoldenTests.languages.map { "said-\($0).txt" }
        let others = ["captions-en", "en", "grid.png", "made-with.txt", "motion", "whole"]
        #expect(Folder.names(Golden.folder) == (texts + others).sorted())
    }
}
