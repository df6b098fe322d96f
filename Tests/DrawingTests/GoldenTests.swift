import Glibc
import MediaModel
import PlayerInterface
import TestSupport
import Testing

@testable import Drawing

/// Every screen, compared with golden pictures and set in the fonts of `Tests/Fixtures/fonts`, so that it is the same on every machine.
/// `MARQUEE_REWRITE_GOLDENS=1` rewrites all of them; review the difference before you commit it.
@Suite("The screens match the golden pictures", .serialized)
@MainActor
struct GoldenTests {
    /// The variants compared as whole pictures: language and appearance.
    nonisolated static let variants: [(name: String, language: String, appearance: Appearance)] = [
        ("en", "en", Appearance()), ("ar", "ar", Appearance(language: "ar", isRightToLeft: true)),
        ("ja", "ja", Appearance(language: "ja")), ("large", "en", Appearance(hasLargerText: true)),
        ("contrast", "en", Appearance(hasHighContrast: true)),
    ]

    @Test("pictures at 1280x720, pixel by pixel", arguments: variants.map(\.name))
    func pictures(variant: String) throws {
        let (_, language, appearance) = try #require(Self.variants.first { $0.name == variant })
        let easel = try Easel(appearance: appearance, artist: Artist(isPlain: true), fontFolder: Golden.fonts)
        defer { easel.stop() }
        for (name, state) in Samples.screens(appearance, in: language) {
            let layers = easel.show(state)
            let picture = try easel.picture(of: layers, over: Golden.ground(state), video: state.video.frame)
            try Golden.compare(picture, with: "\(variant)/\(name)")
        }
    }

    /// What lies on the picture without a page below it.
    private static let overPicture = [
        "playing", "paused", "behind-live", "live-bar", "actions", "scrubbing", "thumbnail", "ad-with-bar", "skip-ad",
        "skip-intro",
        "subtitles", "channels", "delay", "volume", "announced", "paused-long", "error",
    ]

    @Test("scrims, panels and what lies on the picture, over a white and a busy frame", arguments: ["white", "busy"])
    func overFrames(frame: String) throws {
        let easel = try Easel(artist: Artist(isPlain: true), fontFolder: Golden.fonts)
        defer { easel.stop() }
        let screens = Dictionary(uniqueKeysWithValues: Samples.all.map { ($0.name, $0.state) })
        for name in Self.overPicture {
            let state = try #require(screens[name], "\(name)")
            let picture = try easel.picture(
                of: easel.show(state), over: frame == "white" ? .white : .busy, video: state.video.frame)
            try Golden.compare(picture, with: "\(frame)/\(name)")
        }
    }

    @Test("positions, text and fonts, and the colours of 96x54 blocks", arguments: [1080, 2160])
    func layout(height: Int) throws {
        let easel = try Easel(
            width: height * 16 / 9, height: height, artist: Artist(isPlain: true), fontFolder: Golden.fonts)
        defer { easel.stop() }
        var lines: [String] = []
        for (name, state) in Samples.all {
            let layers = easel.show(state)
            let picture = try easel.picture(of: layers, over: Golden.ground(state), video: state.video.frame)
            try Golden.compare(picture.scaled(width: 96, height: 54), with: "blocks-\(height)/\(name)")
            lines.append("screen \(name)")
            lines += dump(layers, easel.renderer.drawnTexts)
        }
        try Golden.compare(lines, with: "layout-\(height).txt")
    }

    /// Layers in pixels and text in tenths of design pixels, in stacking order.
    private func dump(_ layers: [InterfaceLayer], _ texts: [String: [DrawnText]]) -> [String] {
        layers.flatMap { layer -> [String] in
            let place = layer.destination
            let head = "layer \(layer.id) \(place.x) \(place.y) \(place.width) \(place.height)"
            return [head]
                + (texts[layer.id] ?? []).map { text in
                    let numbers = [text.x, text.y, text.width, text.height].map { "\(Int(($0 * 10).rounded()))" }.joined(
                        separator: " ")
                    let fonts = text.families.joined(separator: ", ")
                    return
                        "  \(numbers) \(Int(text.size.rounded()))\(text.isBold ? " bold" : "") [\(fonts)] “\(text.text.split(separator: "\n").joined(separator: "/"))”"
                }
        }
    }
}

/// The golden files, and the allowed differences.
enum Golden {
    static let fonts = Fixtures.path + "/fonts"
    private static let folder = Fixtures.path + "/pictures"
    private static let rewrites = environment("MARQUEE_REWRITE_GOLDENS") == "1"
    /// A channel may differ by this much…
    private static let tolerance = 2
    /// …and this fraction of the pixels by more.
    private static let tolerated = 0.001

    /// Flat backgrounds: they compress well and reveal unreadable text.
    static func ground(_ state: PresentationState) -> Background {
        state.screen == .home ? .plain(InterfaceRenderer.background(for: state)) : .grey
    }

    static func compare(_ picture: PixelBuffer, with name: String) throws {
        let path = "\(folder)/\(name).png"
        if rewrites {
            makeFolder(of: path)
            // Without transparency, which is not used, the file is a quarter smaller.
            let opaque = PixelBuffer(
                format: .xrgb8888, width: picture.width, height: picture.height, planes: picture.planes, storage: picture.storage)
            return try PNGFile.write(opaque, to: path)
        }
        guard let wanted = try? PNGFile.read(path) else {
            Issue.record("\(name).png is missing; write it with MARQUEE_REWRITE_GOLDENS=1")
            return
        }
        let part = picture.partThatDiffers(from: wanted, byMoreThan: tolerance)
        guard part > tolerated else { return }
        let sheet = "\(environment("TMPDIR") ?? "/tmp")/marquee-goldens/\(name).png"
        makeFolder(of: sheet)
        try? PNGFile.write(picture.beside(wanted), to: sheet)
        Issue.record("\(name): \(part * 100) % of the pixels have another colour; expected, actual and difference: \(sheet)")
    }

    static func compare(_ lines: [String], with name: String) throws {
        let path = "\(folder)/\(name)"
        let text = lines.joined(separator: "\n") + "\n"
        if rewrites {
            makeFolder(of: path)
            #expect(write(text, to: path))
            return
        }
        let wanted = (read(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (number, pair) in zip(wanted, lines).enumerated() where pair.0 != pair.1 {
            Issue.record("\(name), line \(number + 1): expected: \(pair.0); actual: \(pair.1)")
            return
        }
        #expect(wanted.count - 1 == lines.count, "\(name)")
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func makeFolder(of path: String) {
        var place = ""
        for part in path.split(separator: "/").dropLast() {
            place += "/" + part
            mkdir(place, 0o755)
        }
    }

    private static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fputs(text, file) >= 0
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
