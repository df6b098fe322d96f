import Glibc
import MediaModel
import Screens
import TestSupport
import Testing

@testable import Drawing

/// The golden files in `Tests/Fixtures/pictures`, and the allowed differences. `scripts/pictures` rewrites them and shows every picture.
enum Golden {
    static let fonts = Fixtures.path + "/fonts"
    static let folder = Fixtures.path + "/pictures"
    private static let rewrites = Fixtures.variable("MARQUEE_REWRITE_GOLDENS") == "1"
    /// Where all pictures are written at their own size, for looking at; nothing is compared then.
    private static let lookFolder = Fixtures.variable("MARQUEE_LOOK")
    /// Whether screens are compared with the golden files, and not written.
    static var compares: Bool { !rewrites && lookFolder == nil }
    /// A channel may differ by this much…
    private static let tolerance = 2
    /// …and this fraction of the pixels by more.
    private static let tolerated = 0.001
    /// Where other libraries have drawn, only so many pixels may be so that none near them is alike.
    static let toleratedElsewhere = 6
    /// The variants of which every picture is kept, at 640x360 if not whole. The others have golden texts.
    private static let keptVariants: Set<Substring> = ["en", "captions-en"]
    /// Pictures that are kept at 1280x720 instead, where a person sees type and edges as they are.
    static let keptWhole: Set<String> = [
        "en/home-channel", "en/info", "en/search", "en/settings-captions", "en/playing", "ar/info", "ja/search",
        "large/pin-wrong", "large/settings", "contrast/playing", "contrast/subtitles", "white/scrubbing", "busy/playing",
        "captions-ja/placed", "captions-en/style", "box/de/setup", "box/ar/question",
    ]

    /// Flat backgrounds: they compress well and reveal unreadable text.
    static func ground(_ state: PresentationState) -> Background {
        state.screen == .home ? .plain(InterfaceRenderer.background(for: state)) : .grey
    }

    // MARK: Pictures

    /// Compares a screen's picture as far as it is kept.
    ///
    /// - Parameter name: the variant's and the screen's, such as `en/home`.
    static func compareScreen(_ picture: PixelBuffer, with name: String) throws {
        if lookFolder != nil { return try compare(picture, with: name) }
        if keptWhole.contains(name) { return try compare(picture, with: "whole/" + wholeName(name)) }
        guard keptVariants.contains(name.prefix { $0 != "/" }) else { return }
        try compare(picture.scaled(width: 640, height: 360), with: name)
    }

    /// The name of the file in `whole` that has a screen.
    static func wholeName(_ name: String) -> String { name.replacing("/", with: "-") }

    static func compare(_ picture: PixelBuffer, with name: String) throws {
        // Without transparency, which is not used, the file is a quarter smaller.
        let opaque = PixelBuffer(
            format: .xrgb8888, width: picture.width, height: picture.height, planes: picture.planes, storage: picture.storage)
        if let lookFolder { return try write(opaque, to: "\(lookFolder)/\(name).png") }
        let path = "\(folder)/\(name).png"
        let wanted = try? PNGFile.read(path)
        let part = wanted.map { picture.partThatDiffers(from: $0, byMoreThan: tolerance) } ?? 1
        if rewrites {
            // Files of equal pictures stay as they are, compressed.
            if part > 0 { try write(opaque, to: path) }
            return
        }
        guard let wanted else {
            Issue.record("\(name).png is missing; scripts/pictures --rewrite writes it")
            return
        }
        guard part > tolerated, hasSameLibraries || !isNear(picture, wanted) else { return }
        let sheet = failures + "/\(name).png"
        try? write(picture.beside(wanted), to: sheet)
        Issue.record("\(name): \(part * 100) % of the pixels have another colour; expected, actual and difference: \(sheet)")
    }

    /// Whether two pictures are the same except for the edges of what other libraries draw.
    static func isNear(_ picture: PixelBuffer, _ wanted: PixelBuffer) -> Bool {
        picture.pixelsThatAreNotNear(wanted, tolerance: tolerance) <= toleratedElsewhere
    }

    private static func write(_ picture: PixelBuffer, to path: String) throws {
        makeFolder(of: path)
        try PNGFile.write(picture, to: path)
    }

    // MARK: Texts

    /// Compares the texts of screens, as `ScreenText` has them, with those of a file.
    static func compare(_ screens: [ScreenText], with name: String) throws {
        guard let found = try golden(screens.map(\.text).joined(separator: "\n"), in: name) else { return }
        let wanted = Dictionary(ScreenText.screens(in: found).map { ($0.name, $0.lines) }) { first, _ in first }
        #expect(Set(screens.map(\.name)).count == screens.count, "\(name): each screen has a name of its own")
        #expect(Set(wanted.keys) == Set(screens.map(\.name)), "\(name): the screens")
        var count = 0
        for screen in screens {
            guard let lines = wanted[screen.name] else { continue }
            let changes = screen.changes(from: lines, isExact: hasSameLibraries)
            guard !changes.isEmpty else { continue }
            count += 1
            if count > 10 { continue }
            let shown = changes.count <= 12 ? changes : changes.prefix(12) + ["… and \(changes.count - 12) more"]
            Issue.record("\(name), screen \(screen.name):\n\(shown.joined(separator: "\n"))")
        }
        if count > 10 { Issue.record("\(name): \(count) screens differ in all") }
    }

    static func compare(_ lines: [String], with name: String) throws {
        let text = lines.joined(separator: "\n") + "\n"
        guard let found = try golden(text, in: name) else { return }
        let wanted = found.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (number, pair) in zip(wanted, lines).enumerated() where pair.0 != pair.1 {
            Issue.record("\(name), line \(number + 1): expected: \(pair.0); actual: \(pair.1)")
            return
        }
        #expect(wanted.count - 1 == lines.count, "\(name)")
    }

    /// The text of a golden file; nil when `text` has been written there, or nothing is compared.
    private static func golden(_ text: String, in name: String) throws -> String? {
        guard lookFolder == nil else { return nil }
        let path = "\(folder)/\(name)"
        guard rewrites else { return Fixtures.text(path) ?? "" }
        makeFolder(of: path)
        #expect(write(text, to: path))
        #expect(write(DrawingLibraries.description, to: madeWith))
        return nil
    }

    // MARK: Libraries

    private static let madeWith = folder + "/made-with.txt"

    /// Whether the goldens were made by what draws on this machine, so that all pixels are the same.
    private static let hasSameLibraries: Bool = {
        let isSame = Fixtures.text(madeWith) == DrawingLibraries.description
        if !isSame {
            print(
                "The golden texts were made with other libraries: checksums and areas are not compared, places may differ by two pixels and blocks a little."
            )
        }
        return isSame
    }()

    // MARK: Files

    private static let failures = (Fixtures.variable("TMPDIR") ?? "/tmp") + "/marquee-goldens"

    private static func makeFolder(of path: String) {
        var place = path.hasPrefix("/") ? "" : "."
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
}
