import BoxModel
import Foundation
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The table of presses in `docs/viewer.md`: each row is played with the six keys on the whole interface, and counted.
@Suite("The table of presses") struct PressTableTests {
    /// What a viewer wants, in how many presses or seconds at most, and where the viewer begins.
    struct Errand: Sendable, CustomStringConvertible {
        let what: String
        /// A key script without times: keys, and `KEY hold SECONDS`.
        let keys: String
        let most: Double
        let begins: @Sendable () -> Viewer
        let isDone: @Sendable (Viewer) -> Bool

        var description: String { what }

        /// The keys, and for how long each is down.
        var presses: [(key: RemoteKey, length: Duration)] {
            var presses: [(RemoteKey, Duration)] = []
            var words = keys.split(separator: " ")[...]
            while let word = words.popFirst() {
                let isHeld = words.first == "hold"
                if isHeld { words = words.dropFirst() }
                let seconds = isHeld ? words.popFirst().flatMap { Double($0) } ?? 0 : 0.04
                presses.append((RemoteKey(rawValue: String(word))!, .seconds(seconds)))
            }
            return presses
        }

        /// The number of presses; where a key is held, the seconds of that.
        var cost: Double { keys.contains("hold") ? presses.map { $0.length / .seconds(1) }.reduce(0, +) : Double(presses.count) }

        /// The row of the table.
        var row: [String] {
            let unit = keys.contains("hold") ? " s" : ""
            return [what, "`\(keys)`"] + [cost, most].map { $0.formatted(.number.grouping(.never)) + unit }
        }
    }

    // MARK: Where viewers begin

    private static func watching(hasChapters: Bool = true, _ choice: SubtitleChoice = .automatic) -> Viewer {
        var item = Items.episode(interstitials: [], markers: hasChapters ? Items.chapters : [], duration: 7200)
        item.nextEpisode = HomeContent.Entry(id: "e2", title: "Second")
        var viewer = Viewer(watching: item, at: 1000)
        viewer.send(.homeChanged(Items.home))
        viewer.options = Items.options
        viewer.options.subtitleChoice = choice
        viewer.run(.milliseconds(400))
        viewer.effects = []
        return viewer
    }

    /// At a quarter past eight on a channel with a guide.
    private static func watchingLive(hasWindow: Bool) -> Viewer {
        var item = Items.live()
        item.summary = "A channel."
        item.clockOrigin = .seconds(72_000)
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.guideChanged(Items.guide))
        viewer.send(.wallClock(secondsSinceMidnight: 72_910))
        viewer.open(item)
        viewer.run(.milliseconds(200))
        if hasWindow { viewer.seekable = [TimeRange(start: .zero, end: .seconds(910))] }
        viewer.place(.seconds(900))
        viewer.run(.seconds(6))
        viewer.effects = []
        return viewer
    }

    /// On Home, where nothing plays, with the guide, and a film that was begun in the first row.
    private static func home() -> Viewer {
        var content = Items.channels
        let film = HomeContent.Entry(id: "m1", title: "Film", watchedPercent: 40)
        content.rows.insert(.init(id: "continue", title: "Continue Watching", entries: [film]), at: 0)
        var viewer = Viewer()
        viewer.details["m1"] = .programme(ProgrammeDetails(entry: film, resume: .seconds(2400), isContinued: true))
        viewer.send(.guideChanged(Items.guide))
        viewer.send(.homeChanged(content))
        viewer.send(.wallClock(secondsSinceMidnight: 72_910))
        viewer.run(.seconds(1))
        viewer.effects = []
        return viewer
    }

    private static func asks(for effect: InterfaceEffect) -> @Sendable (Viewer) -> Bool { { $0.effects.contains(effect) } }

    // MARK: The table

    private static let subtitles = asks(for: .selectSubtitles(.option("s-en")))
    private static let sound = asks(for: .selectAudio(id: "a-ad"))
    private static let next = asks(for: .open(id: "c2"))
    private static let reminder = asks(for: .setReminder(channel: "c1", start: 73_800, true))

    static let table: [Errand] = [
        Errand(what: "resume, from Home", keys: "ok ok", most: 2, begins: home, isDone: asks(for: .open(id: "m1"))),
        Errand(
            what: "subtitles, with or without chapters", keys: "down right down down ok", most: 5, begins: { watching() },
            isDone: subtitles),
        Errand(
            what: "subtitles that were turned off", keys: "down right ok down ok", most: 5, begins: { watching(.off) },
            isDone: subtitles),
        Errand(
            what: "the other sound, with or without chapters", keys: "down right right ok ok", most: 5, begins: { watching() },
            isDone: sound),
        Errand(
            what: "half an hour ahead in a film of two hours", keys: "right hold 4.5", most: 8, begins: { watching() },
            // A step of the bubble is three minutes there.
            isDone: { ($0.lastShown - .seconds(2800)).magnitude < .seconds(180) && $0.isPlaying }),
        Errand(
            what: "the next channel", keys: "up ok", most: 3, begins: { watchingLive(hasWindow: false) }, isDone: next),
        Errand(
            what: "the next channel, with a window", keys: "up up ok", most: 3, begins: { watchingLive(hasWindow: true) },
            isDone: next),
        Errand(
            what: "the next episode", keys: "down down ok", most: 3, begins: { watching() },
            isDone: asks(for: .playNext(id: "e2", automatic: false))),
        Errand(
            what: "sleep timer, 15 minutes", keys: "down left down down ok ok", most: 6, begins: { watching() },
            isDone: { $0.menu?.rows.first { $0.title == "Sleep Timer" }?.value == "15 minutes" }),
        Errand(
            what: "reminder of the next programme, on its channel", keys: "down down right ok", most: 6,
            begins: { watchingLive(hasWindow: true) }, isDone: reminder),
        Errand(
            what: "reminder from the guide, from Home", keys: "up right ok right ok ok", most: 6, begins: home, isDone: reminder),
        Errand(
            what: "start over, live", keys: "down down ok", most: 3, begins: { watchingLive(hasWindow: true) },
            isDone: { $0.exactSeeks == [.zero] }),
        Errand(
            what: "from the beginning", keys: "ok up ok", most: 3, begins: { watching() },
            isDone: { $0.exactSeeks == [.zero] && $0.isPlaying }),
    ]

    // MARK: The tests

    private func run(_ errand: Errand, _ viewer: inout Viewer, mirrored: Bool = false) {
        let mirror: [RemoteKey: RemoteKey] = [.left: .right, .right: .left]
        for (key, length) in errand.presses {
            #expect(!errand.isDone(viewer), "\(errand) is done before \(key)")
            let key = mirrored ? mirror[key] ?? key : key
            #expect(viewer.press(key, for: length) == .success, "\(errand): \(key)")
            viewer.run(.milliseconds(300))
        }
        #expect(errand.isDone(viewer), "\(errand): \(viewer.effects.suffix(8))")
    }

    @Test("each errand takes the presses of its row, and not more than its bar", arguments: table) func errand(_ errand: Errand) {
        let six: Set<RemoteKey> = [.up, .down, .left, .right, .ok, .back]
        #expect(errand.presses.allSatisfy { six.contains($0.key) } && errand.cost <= errand.most)
        var viewer = errand.begins()
        run(errand, &viewer)
    }

    @Test("in a language that is written from right to left too, with left and right exchanged", arguments: table)
    func mirrored(_ errand: Errand) {
        // The time bar is never mirrored, and the value of a row is in the language.
        guard !errand.keys.contains("hold"), !errand.what.contains("sleep") else { return }
        var viewer = errand.begins()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", "ar")])))
        run(errand, &viewer, mirrored: true)
    }

    @Test("without chapters it is the same", arguments: table.filter { $0.what.contains("without chapters") })
    func withoutChapters(_ errand: Errand) {
        var viewer = Self.watching(hasChapters: false)
        run(errand, &viewer)
    }

    @Test("the table in the documents is this one") func document() throws {
        let path = "../../docs/viewer.md"
        let text = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: path), encoding: .utf8)
        let section = text.split(separator: "## The table of presses\n").last?.split(separator: "\n## ").first ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows.filter { $0.first?.hasPrefix("---") != true } == Self.table.map(\.row))
    }
}
