import Captions
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Captions on the media clock")
@MainActor
struct CaptionPresenterTests {
    private func cue(_ text: String, _ start: Int64, _ end: Int64) -> CaptionCue {
        CaptionCue(start: .milliseconds(start), end: .milliseconds(end), nodes: [.text(text)])
    }

    @Test("cues change exactly at their times, with pauses, jumps and boundaries")
    func changes() throws {
        let loop = try MainLoop(time: .simulated)
        var log: [String] = []
        let presenter = CaptionPresenter(clock: loop.clock) { cues in
            log.append(
                "\(MediaTime.nanoseconds(loop.clock.now.nanoseconds).milliseconds) \(cues.map(\.plainText).joined(separator: "+"))"
            )
        }
        func run(_ milliseconds: Int64) {
            var isOver = false
            loop.clock.schedule(after: .milliseconds(milliseconds), rank: .display) { isOver = true }
            loop.run(until: { isOver })
        }
        let store = CueStore()
        store.insert([cue("one", 100, 500), cue("two", 300, 700), cue("three", 2000, 2500)])
        presenter.show(store)
        presenter.follow(MediaClock(anchorHost: loop.clock.now, anchorTime: .zero, rate: .one))
        run(1000)
        #expect(log == ["100 one", "300 one+two", "500 two", "700 "])
        log = []
        // Cues that arrive late are shown at once.
        store.insert([cue("late", 900, 1200)])
        run(500)
        #expect(log == ["1000 late", "1200 "])
        log = []
        presenter.follow(MediaClock(anchorHost: loop.clock.now, anchorTime: .milliseconds(2100), rate: .zero))
        run(1000)
        #expect(log == ["1500 three"], "a paused player shows the cues of its position and keeps showing them")
        log = []
        // Held at a boundary before the end of a cue, nothing changes.
        presenter.follow(
            MediaClock(anchorHost: loop.clock.now, anchorTime: .milliseconds(2100), rate: .one, limit: .milliseconds(2200)))
        run(2000)
        #expect(log.isEmpty)
        presenter.show(nil)
        #expect(log == ["4500 "])
    }

    @Test("a delay moves every change of cues by exactly itself, at once, and while paused", arguments: [Int64(250), -250, 0])
    func delayed(_ delay: Int64) throws {
        let loop = try MainLoop(time: .simulated)
        var changes: [(at: Int64, text: String)] = []
        let presenter = CaptionPresenter(clock: loop.clock) { cues in
            changes.append(
                (MediaTime.nanoseconds(loop.clock.now.nanoseconds).milliseconds, cues.map(\.plainText).joined(separator: "+")))
        }
        func run(_ milliseconds: Int64) {
            var isOver = false
            loop.clock.schedule(after: .milliseconds(milliseconds), rank: .display) { isOver = true }
            loop.run(until: { isOver })
        }
        let store = CueStore()
        store.insert([cue("one", 600, 900), cue("two", 2000, 2500)])
        presenter.delay = .milliseconds(delay)
        presenter.show(store)
        presenter.follow(MediaClock(anchorHost: loop.clock.now, anchorTime: .zero, rate: .one))
        run(1800)
        #expect(changes.map(\.at) == [600 + delay, 900 + delay] + (delay < 0 ? [2000 + delay] : []))
        presenter.follow(MediaClock(anchorHost: loop.clock.now, anchorTime: .milliseconds(2600), rate: .zero))
        presenter.delay = .zero
        changes = []
        presenter.delay = .milliseconds(200)
        #expect(changes.map(\.text) == ["two"], "a paused player shows what its position has with the new delay")
        presenter.delay = .milliseconds(50)
        #expect(changes.map(\.text) == ["two", ""])
    }

    @Test("a caption file in an older encoding is decoded by its language, and by its stated charset")
    func fileInAnotherEncoding() throws {
        let times = Array("1\n00:00:00,200 --> 00:00:02,000\n".utf8)
        let greeting: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
        for (language, charset) in [("ru", nil), ("de", "windows-1251")] {
            let rig = try PlayerRig()
            defer { rig.close() }
            rig.loader.put(times + greeting, at: "film.srt")
            var shown: [String] = []
            rig.onEvent = { if case .captions(let cues) = $0 { shown.append(cues.map(\.plainText).joined()) } }
            let item = rig.open(FakeMedia(frameCount: 50, soundDuration: .seconds(2))) {
                $0.selection.addCaptionFile(url: "film.srt", languageTag: language, charset: charset)
            }
            rig.player.play()
            #expect(rig.run(until: { rig.isPlaying }))
            let group = try #require(item.selection.group(.legible))
            item.selection.select(group.options.first, in: group)
            #expect(rig.run(until: { rig.player.currentTime >= .milliseconds(500) }))
            #expect(shown == ["Привет"])
        }
    }

    @Test("a caption file is loaded, parsed and shown; selecting off hides it, selecting it again loads nothing")
    func fileBeside() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.put(Array("1\n00:00:01,000 --> 00:00:02,000\nHello\n".utf8), at: "film.srt")
        var shown: [String] = []
        rig.onEvent = { if case .captions(let cues) = $0 { shown.append(cues.map(\.plainText).joined()) } }
        let item = rig.open(FakeMedia(frameCount: 100, soundDuration: .seconds(4))) {
            $0.selection.addCaptionFile(url: "film.srt", languageTag: "en")
        }
        rig.player.play()
        #expect(rig.run(until: { rig.isPlaying }))
        let group = try #require(item.selection.group(.legible))
        item.selection.select(group.options.first, in: group)
        #expect(rig.run(until: { rig.player.currentTime >= .milliseconds(1500) }))
        #expect(shown == ["Hello"])
        item.selection.select(nil, in: group)
        #expect(shown == ["Hello", ""])
        item.selection.select(group.options.first, in: group)
        rig.run(for: .milliseconds(20))
        #expect(shown == ["Hello", "", "Hello"])
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(shown == ["Hello", "", "Hello", ""])
    }
}
