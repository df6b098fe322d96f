import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

@testable import Appliance
@testable import Housekeeping

@Suite("What was played")
@MainActor
struct PlayRecorderTests {
    /// Keeps what it is given.
    @MainActor
    private final class Sheet: PlayStore {
        private(set) var playing: [Play] = []
        private(set) var ended: [Play] = []

        func update(_ playing: [Play]) { self.playing = playing }
        func keep(_ ended: Play, playing: [Play]) {
            self.ended.append(ended)
            self.playing = playing
        }
    }

    @MainActor
    private final class Television {
        var isOff = false
    }

    private func isNear(_ length: Duration, _ wanted: Duration) -> Bool {
        length > wanted - .milliseconds(100) && length < wanted + .milliseconds(100)
    }

    private let films = [
        "a.mp4": FakeMedia(frameCount: 100, soundDuration: .seconds(4)),
        "b.mp4": FakeMedia(frameCount: 50, soundDuration: .seconds(2)),
    ]
    private let items = #"""
        [{"id": "a", "type": "movie", "title": "A", "streams": [{"url": "a.mp4"}]},
         {"id": "b", "type": "movie", "title": "B", "streams": [{"url": "b.mp4"}]}]
        """#
    private let queue = #"[{"id": "c", "title": "C", "kind": "playlist", "items": ["a", "b"]}]"#

    @Test("a queue: each item with its pictures, its time and who has started it; the last one is left")
    func queued() throws {
        let sheet = Sheet()
        let rig = try BoxRig(plays: sheet)
        defer { rig.close() }
        rig.put(films)
        try rig.apply(items: items, channels: queue)
        rig.box.open(id: "c")
        #expect(rig.run(until: { sheet.playing.first?.item == "b" && rig.frames.last == 1000 }))
        #expect(rig.box.perform(.stop, from: "web") == .success)
        #expect(sheet.ended.map(\.item) == ["a", "b"] && sheet.ended.map(\.channel) == ["c", "c"])
        #expect(sheet.ended.map(\.end) == [.completed, .left] && sheet.ended.map(\.starter) == [.start, .queue])
        #expect(sheet.ended[0].picturesShown == 100 && sheet.ended[0].picturesDue == 100)
        #expect(sheet.ended.reduce(0) { $0 + $1.picturesShown } == rig.frames.count)
        #expect(isNear(sheet.ended[0].length, .seconds(4)), "\(sheet.ended[0].length)")
        #expect(sheet.ended.allSatisfy { $0.screenOffLength == .zero && $0.from == .zero } && sheet.playing.isEmpty)
    }

    @Test(
        "a command starts it; pictures that are passed over are due; a second time after its end is another play, of the viewer")
    func again() throws {
        let sheet = Sheet()
        let rig = try BoxRig(plays: sheet)
        defer { rig.close() }
        rig.put(films)
        try rig.apply(items: items)
        #expect(rig.box.perform(.open(id: "b"), from: "web") == .success)
        #expect(rig.run(until: { sheet.ended.count == 1 }))
        #expect(sheet.ended[0].starter == .command && sheet.ended[0].end == .completed)
        _ = rig.box.perform(.open(id: "a"), from: "web")
        #expect(rig.run(until: { rig.frames.last == 2000 }))
        _ = rig.box.perform(.changePlaybackPosition(.seconds(3)), from: "web")
        #expect(rig.run(until: { sheet.ended.count == 2 }))
        // What a seek passes over is not due.
        #expect(sheet.ended[1].picturesShown < 100 && sheet.ended[1].picturesDue == sheet.ended[1].picturesShown)
    }

    @Test("an interstitial that is a part of the film is a play of its own, and its pictures are not the film's")
    func spliced() throws {
        let sheet = Sheet()
        let rig = try BoxRig(plays: sheet)
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 100, soundDuration: .seconds(4))])
        try rig.apply(
            items: #"""
                [{"id": "a", "type": "movie", "title": "A", "streams": [{"url": "a.mp4"}],
                  "duration": 4, "interstitials": [{"id": "ad", "start": 1, "duration": 1, "kind": "ad"}]}]
                """#)
        rig.box.open(id: "a")
        #expect(rig.run(until: { sheet.ended.count == 2 }))
        #expect(sheet.ended.map(\.advertisement) == ["ad", nil] && sheet.ended.map(\.end) == [.completed, .completed])
        #expect(sheet.ended.map(\.picturesShown) == [25, 75] && rig.frames.count == 100)
        #expect(sheet.ended.map(\.starter) == [.programme, .start] && sheet.ended.allSatisfy { $0.item == "a" })
        #expect(isNear(sheet.ended[0].length, .seconds(1)), "\(sheet.ended[0].length)")
        #expect(isNear(sheet.ended[1].length, .seconds(3)), "\(sheet.ended[1].length)")
    }

    @Test("what cannot be played any more failed, with its code; what never began is no play")
    func failed() throws {
        let sheet = Sheet()
        let rig = try BoxRig(plays: sheet)
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 100, brokenFrame: 60)])
        try rig.apply(items: items)
        rig.box.open(id: "b")
        rig.run(for: .seconds(20))
        #expect(sheet.ended.isEmpty && sheet.playing.isEmpty)
        rig.box.open(id: "a")
        rig.run(until: { !sheet.ended.isEmpty })
        let play = try #require(sheet.ended.first)
        #expect(play.item == "a" && play.picturesShown == rig.frames.count)
    }

    @Test("the time in which nothing can be seen is told apart, and an interstitial of its own address has its pictures")
    func unseen() throws {
        let (sheet, rig) = (Sheet(), try BoxRig())
        defer { rig.close() }
        rig.put(films)
        try rig.apply(items: items)
        var parts = rig.parts
        parts.plays = sheet
        let recorder = PlayRecorder(parts)
        let television = Television()
        recorder.isScreenOff = { television.isOff }
        var last: FrameRecord?
        let listening = rig.player.events.listen {
            recorder.willTake($0)
            recorder.didTake($0)
            if case .frame(let record) = $0 { last = record }
        }
        recorder.opened(Programme(.url("https://user:secret@test/a.mp4?token=secret")), by: .viewer)
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.frames.last == 1000 }))
        television.isOff = true
        #expect(rig.run(until: { rig.frames.last == 3000 }))
        television.isOff = false
        #expect(rig.run(until: { !sheet.ended.isEmpty }))
        let play = try #require(sheet.ended.first)
        #expect(!play.item.contains("secret") && play.item.contains("test/a.mp4"))
        #expect(isNear(play.screenOffLength, .seconds(2)), "\(play.screenOffLength)")

        listening.cancel()
        let picture = try #require(last)
        recorder.opened(Programme(.url("x")), by: .start)
        recorder.didTake(.frame(picture))
        let spot = Interstitial(id: "spot", event: .init(time: .zero, assets: .asset(url: "spot")))
        recorder.take(.interstitial(spot, .began))
        for _ in 0..<3 { recorder.didTake(.interstitialFrame(picture)) }
        recorder.take(.interstitial(spot, .ended(.skipped)))
        recorder.didTake(.frame(picture))
        recorder.left()
        recorder.left()
        let more = sheet.ended.dropFirst()
        #expect(more.map(\.advertisement) == ["spot", nil] && more.map(\.end) == [.skipped, .left])
        #expect(more.map(\.picturesShown) == [3, 2])
    }

    // MARK: Power cuts

    /// Counts the flips of the display by itself, and cuts the power.
    @MainActor
    private final class CutStore: PlayStore {
        /// A play, by what the display showed.
        struct Shown: Equatable {
            var item: String
            /// The flips until it was written last.
            var flips: Int
            var end: Play.End?
        }
        enum Cut: CaseIterable { case between, tornRecord, beforePlayingFile }

        private let file: PlayFile
        private let folder: String
        private(set) var shown: [Shown] = []
        private var index: [Int: Int] = [:]
        var flips = 0
        private var endedBytes: [(path: String, length: Int)] = []
        private var playingBytes: [UInt8] = []
        private var before: [Shown] = []
        private var hasPower = true

        init(_ folder: String) {
            self.folder = folder
            file = PlayFile(in: folder)
            #expect(file.begin())
        }

        func update(_ playing: [Play]) {
            guard hasPower else { return }
            note(playing)
            #expect(file.update(playing))
        }

        func keep(_ ended: Play, playing: [Play]) {
            guard hasPower else { return }
            before = shown
            remember()
            note([ended])
            #expect(ended.picturesShown == flips, "\(ended.item)")
            flips = 0
            note(playing)
            #expect(file.keep(ended, playing: playing))
        }

        private func note(_ plays: [Play]) {
            for play in plays {
                // A play is written when it begins, before its first picture is counted.
                #expect(flips == play.picturesShown || play.end == nil && play.picturesShown == 0 && flips == 1)
                let now = Shown(item: play.item, flips: play.end == nil ? play.picturesShown : flips, end: play.end)
                if let place = index[play.id] {
                    shown[place] = now
                } else {
                    index[play.id] = shown.count
                    shown.append(now)
                }
            }
        }

        private func remember() {
            let ended = folder + "/plays/ended"
            endedBytes = Folder.names(ended).map { ("\(ended)/\($0)", fileBytes("\(ended)/\($0)")?.count ?? 0) }
            playingBytes = fileBytes(folder + "/plays/playing") ?? []
        }

        /// What the power cut leaves on the disk, and what must be found there.
        func cut(_ cut: Cut, _ chance: inout SeededGenerator) -> [Shown] {
            hasPower = false
            switch cut {
            case .between: return shown
            case .beforePlayingFile:
                #expect(WholeFile.write(playingBytes, to: folder + "/plays/playing"))
                // What began with the end that was written is not known.
                return Array(shown.prefix(before.count))
            case .tornRecord:
                #expect(WholeFile.write(playingBytes, to: folder + "/plays/playing"))
                let names = Folder.names(folder + "/plays/ended")
                for name in names {
                    let path = "\(folder)/plays/ended/\(name)"
                    let whole = fileBytes(path) ?? []
                    let length = endedBytes.first { $0.path == path }?.length ?? 0
                    guard whole.count > length else { continue }
                    let kept = Int.random(in: length..<whole.count, using: &chance)
                    let filler = Bool.random(using: &chance) ? [UInt8](repeating: 0, count: whole.count - kept) : []
                    #expect(WholeFile.write(Array(whole.prefix(kept)) + filler, to: path))
                }
                return before
            }
        }
    }

    @Test("1,000 plays with 50 power cuts: each is counted once, and its pictures are the display's flips")
    func powerCuts() throws {
        let state = ScratchFolder("plays-power")
        var chance = SeededGenerator(seed: 50)
        var expected: [CutStore.Shown] = []
        for run in 0..<50 {
            let store = CutStore(state.path)
            let rig = try BoxRig(plays: store)
            let listening = rig.box.events.listen { if case .player(.frame) = $0 { store.flips += 1 } }
            rig.put([
                "a.mp4": FakeMedia(frameCount: 10, soundDuration: .milliseconds(400)),
                "b.mp4": FakeMedia(frameCount: 7, soundDuration: .milliseconds(280)),
            ])
            try rig.apply(
                items: items, channels: #"[{"id": "c", "title": "C", "kind": "playlist", "items": ["a", "b"], "loop": true}]"#)
            rig.box.open(id: "c")
            let wanted = 20
            #expect(rig.run(within: .seconds(120), until: { store.shown.filter { $0.end != nil }.count >= wanted }))
            let cut = CutStore.Cut.allCases[run % 3]
            if cut == .between { rig.run(for: .milliseconds(Int64.random(in: 0...600, using: &chance))) }
            expected += store.cut(cut, &chance).map { shown in
                var shown = shown
                shown.end = shown.end ?? .interrupted
                return shown
            }
            listening.cancel()
            rig.close()
        }
        #expect(PlayFile(in: state.path).begin())
        let found = PlayFile(in: state.path).page(after: 0, most: 100_000).plays
        #expect(found.count >= 1000 && found.count == expected.count)
        #expect(found.map(\.number) == (1...UInt64(found.count)).map { $0 })
        for (play, shown) in zip(found, expected) {
            #expect(play.item == shown.item && play.end == shown.end && play.picturesShown == shown.flips)
        }
        #expect(found.filter { $0.end == .completed }.allSatisfy { $0.picturesShown == ($0.item == "a" ? 10 : 7) })
        #expect(found.filter { $0.end == .interrupted }.count >= 16)
    }
}
