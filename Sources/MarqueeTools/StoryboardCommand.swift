import Appliance
import ArgumentParser
import BoxAssembly
import BoxModel
import ChannelFeed
import CommandSupport
import Display
import Drawing
import Glibc
import Housekeeping
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import StatusModel
import Synchronization
import Transfer

/// `marquee storyboard`: pictures of what viewers of a feed will see, for inspection before it is published.
struct StoryboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storyboard",
        abstract: CommandName.storyboard.abstract)

    @Argument(help: "A feed: a file or an http(s) address.", completion: .file())
    var feed: String

    @Option(help: "The folder for index.html, sheet.png and the pictures; created if it is missing.", completion: .directory)
    var out: String

    @Option(help: "The viewer's languages, best first, separated by commas.")
    var languages = "en"

    @Option(help: "The maximum number of items.")
    var items = 40

    @Option(
        help: ArgumentHelp(
            "Show what there is at this date (2026-03-29, or RFC 3339), with the guide; without it everything.", valueName: "DATE"
        ))
    var at: String?

    @Option(help: ArgumentHelp("The zone of the boxes, such as Europe/Paris; without it the machine's.", valueName: "ZONE"))
    var timezone: String?

    func run() throws {
        try MainActor.assumeIsolated {
            let zone = try ZoneChoice.zone(timezone)
            let date = try at.map { try ZoneChoice.asked($0, in: zone) }
            let verdict = FeedReader.read(try FeedFile.load(feed))
            guard let feed = verdict.feed else {
                throw CommandFault("\(self.feed) is refused as a feed; marquee feed check says why.")
            }
            try Storyboard(
                FeedPreview(feed: feed, languages: languageList, date: date, zone: zone), out: out, languages: languageList,
                limit: items
            ).draw()
        }
    }

    private var languageList: [String] { languages.split(separator: ",").map(String.init) }
}

/// Draws the shots of a feed one after another.
@MainActor
private struct Storyboard {
    private let preview: FeedPreview
    private let out: String
    private let limit: Int
    private let strings: StringCatalogue
    private let loop: MainLoop
    private let mode = DisplayMode(width: 1280, height: 720, refresh: Ratio(60, 1))
    /// Artwork that takes longer to load is omitted.
    private static let patience = Duration.seconds(10)

    init(_ preview: FeedPreview, out: String, languages: [String], limit: Int) throws {
        self.preview = preview
        self.out = out
        self.limit = limit
        strings = .best(for: languages)
        loop = try MainLoop(time: .real)
    }

    func draw() throws {
        try TextFile.makeFolder(out)
        let script = StoryboardScript(
            home: preview.home, guide: preview.secondsSinceMidnight.map { (preview.guide, $0) }, strings: strings)
        let log = LogBook(clock: loop.clock, echo: nil)
        let loader = CurlTransfer(clock: loop.clock, version: Program.version)
        let images = WaitingArtwork(ArtworkLoader(clock: loop.clock, loader: loader, network: loader, log: log))
        let display = HeadlessDisplay(mode: mode, clock: loop.clock)
        let stage = StoryboardStage()
        try display.start(stage)
        let renderer = InterfaceRenderer(clock: loop.clock, mode: mode, allocator: display.interfaceAllocator, images: images)
        defer {
            renderer.stop()
            images.close()
            display.stop()
        }
        var shown: [StoryboardScript.Shot] = []
        var sheet = ContactSheet()
        func shoot(_ shots: [StoryboardScript.Shot]) throws {
            for shot in shots {
                let picture = try self.picture(of: shot, renderer, images, display, stage)
                try TextFile.write(try picture.png(), to: "\(out)/\(shot.name).png")
                sheet.add(picture.pixels)
                shown.append(shot)
            }
        }
        try shoot(script.homeShots())
        let items = preview.items.prefix(max(limit, 0))
        for (index, item) in items.enumerated() {
            Console.error("storyboard: \(index + 1) of \(items.count): \(item.title ?? item.id)")
            try shoot(script.shots(of: item, number: index + 1))
        }
        if let pixels = try sheet.picture() { try TextFile.write(try pixels.png(), to: "\(out)/sheet.png") }
        try TextFile.write(Array(page(shown).utf8), to: "\(out)/index.html")
        Console.print("\(shown.count) pictures of \(items.count) items: \(out)/index.html")
    }

    private func picture(
        of shot: StoryboardScript.Shot, _ renderer: InterfaceRenderer, _ images: WaitingArtwork, _ display: HeadlessDisplay,
        _ stage: StoryboardStage
    ) throws -> ScreenPicture {
        var state = shot.state
        state.appearance.language = strings.language
        state.appearance.isRightToLeft = strings.isRightToLeft
        let clock = loop.clock
        var changed = clock.now
        renderer.update(state) { layers in
            changed = clock.now
            stage.show(layers, over: InterfaceRenderer.background(for: state))
            display.wake()
        }
        let start = clock.now
        // Animations have ended, and all artwork has been loaded or has failed.
        loop.run(until: {
            let isStill =
                images.waiting == 0 && clock.now > changed + .milliseconds(300) && clock.now > start + .milliseconds(500)
            if !isStill { clock.schedule(after: .milliseconds(50), rank: .display) {} }
            return isStill || clock.now > start + Self.patience
        })
        var result: ScreenPicture??
        display.readScreen { result = .some($0) }
        loop.run(until: { result != nil })
        guard let picture = result ?? nil else {
            throw CommandFault(
                "Taking the picture \(shot.name) failed: nothing was on the screen; this is a bug in the program.")
        }
        return picture
    }

    private func page(_ shots: [StoryboardScript.Shot]) -> String {
        var text = """
            <!doctype html>
            <html lang="\(strings.language)">
            <meta charset="utf-8">
            <title>Storyboard</title>
            <style>body{font:16px sans-serif;background:#111;color:#eee;margin:2em}figure{display:inline-block;margin:.5em;width:32%}\
            img{width:100%;display:block}h2{margin:1.5em .3em .3em}</style>
            <h1>\(escaped(preview.home.title ?? "Storyboard"))</h1>

            """
        var heading: String?
        for shot in shots {
            if shot.heading != heading, let next = shot.heading { text += "<h2>\(escaped(next))</h2>\n" }
            heading = shot.heading
            text += "<figure><img src=\"\(shot.name).png\" alt=\"\"><figcaption>\(escaped(shot.caption))</figcaption></figure>\n"
        }
        return text
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

/// The next scene to show.
private final class SceneBox: Sendable {
    private let next = Mutex<(layers: [InterfaceLayer], background: OpaqueColour)?>(nil)

    /// Sets it.
    func put(_ layers: [InterfaceLayer], _ background: OpaqueColour) { next.withLock { $0 = (layers, background) } }

    /// Takes it; nil if there is no new one.
    func take(at time: HostTime) -> Scene? {
        next.withLock { next in
            defer { next = nil }
            return next.map { Scene(background: $0.background, layers: $0.layers, wantedTime: time) }
        }
    }
}

/// Passes layers to the display.
private final class StoryboardStage: PresentationSource, Sendable {
    private let scene = SceneBox()

    func show(_ layers: [InterfaceLayer], over background: OpaqueColour) { scene.put(layers, background) }

    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        PresentationAnswer(scene: scene.take(at: opportunity.targetTime), wantsNext: false)
    }

    func didPresent(_ flip: Flip) {}

    func displayDidChange(_ mode: DisplayMode?) {}
}

/// Counts the pictures that are being loaded.
@MainActor
private final class WaitingArtwork: ImageLoading {
    private let loader: ArtworkLoader
    private(set) var waiting = 0

    init(_ loader: ArtworkLoader) { self.loader = loader }

    func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (LoadedPicture) -> Void) {
        waiting += 1
        loader.load(reference, width: width, height: height) { [weak self] answer in
            self?.waiting -= 1
            then(answer)
        }
    }

    func close() { loader.close() }
}
