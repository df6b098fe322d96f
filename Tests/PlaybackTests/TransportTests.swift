import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import Playback

@Suite("A player plays, pauses and ends", .serialized)
@MainActor
struct TransportTests {
    @Test("every frame is shown once, in order, on the blank nearest to its time; the end is reported once")
    func straight() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let film = FakeMedia()
        rig.open(film)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { film.time(of: $0) }) == nil)
        #expect(rig.player.scheduler.passedOverFrames == 0)
        for record in rig.frames.dropFirst() {
            let error = try #require(record.soundDelay)
            #expect(error.magnitude <= .milliseconds(9))
        }
        rig.run(for: .seconds(1))
        #expect(rig.endCount == 1)
        #expect(rig.player.state.timeControlStatus == .paused)
        #expect(rig.player.currentTime == film.duration)
    }

    @Test("sound is delivered without a gap or a repetition from the first sample to the last")
    func soundIsWhole() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 50, soundDuration: .seconds(2)))
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(Array(rig.sink.enqueued.prefix(96_000)), ramp(0..<96_000)) == nil)
    }

    @Test("the state goes from unknown through waiting to playing; before the first frame nothing is ready for display")
    func states() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.isPlaying })
        let states = rig.events.compactMap { if case .state(let state) = $0.event { state } else { nil } }
        let reasons = states.map(\.timeControlStatus)
        #expect(reasons.contains(.waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate)))
        #expect(reasons.contains(.waitingToPlayAtSpecifiedRate(.seeking)))
        #expect(reasons.last == .playing)
        #expect(rig.item?.status == .readyToPlay)
        let order = rig.events.map { event -> String in
            switch event.event {
            case .frame: "frame"
            case .state(let state) where state.isReadyForDisplay: "ready"
            default: ""
            }
        }.filter { !$0.isEmpty }
        #expect(order.first == "ready")
        #expect(order.dropFirst().first == "frame")
    }

    @Test("a pause keeps the frame and the time, and playback continues with the next frame")
    func pause() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.frames.count == 30 })
        rig.player.pause()
        let held = rig.player.currentTime
        rig.run(for: .seconds(5))
        #expect(rig.player.currentTime == held)
        #expect(rig.frames.count <= 31)
        #expect(rig.player.state.timeControlStatus == .paused)
        rig.player.play()
        rig.run(until: { rig.frames.count == 60 })
        #expect(firstDifference(rig.frames.map(\.time), (0..<60).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("play at the end does nothing; after a seek to zero it plays again")
    func playAtEnd() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 25, soundDuration: .seconds(1)))
        rig.player.play()
        rig.run(until: { rig.isAtEnd })
        rig.player.play()
        rig.run(for: .seconds(1))
        #expect(rig.isAtEnd && rig.endCount == 1)
        #expect(rig.seek(to: .zero) == true)
        #expect(!rig.isAtEnd)
        rig.forget()
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (1..<25).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.endCount == 1)
    }

    @Test("unplayable rates are refused and change nothing")
    func rates() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        #expect(!rig.player.setRate(Ratio(2)))
        #expect(!rig.player.setRate(Ratio(-1)))
        #expect(rig.player.state.rate == .zero)
        #expect(rig.player.setRate(.one))
    }

    @Test(
        "pictures only, sound only, sound shorter and longer than pictures: each plays to its end",
        arguments: [
            FakeMedia(frameCount: 50, soundDuration: nil),
            FakeMedia(frameCount: 0, soundDuration: .seconds(2)),
            FakeMedia(frameCount: 50, soundDuration: .seconds(1)),
            FakeMedia(frameCount: 25, soundDuration: .seconds(2)),
            FakeMedia(frameCount: 1, soundDuration: nil),
        ])
    func shapes(_ film: FakeMedia) throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(film)
        rig.player.play()
        try #require(rig.run(until: { rig.isPlaying }))
        let began = rig.clock.now
        #expect(rig.run(until: { rig.isAtEnd }))
        let length = MediaTime.nanoseconds((rig.clock.now - began).wholeNanoseconds)
        #expect((length - film.duration).magnitude <= .milliseconds(100), "it took \(length) s")
        #expect(firstDifference(rig.frames.map(\.time), (0..<film.frameCount).map { film.time(of: $0) }) == nil)
        #expect(rig.endCount == 1)
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("trim: playback starts and ends where the item says, without frames or sound outside")
    func trim() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia()) { item in
            item.reversePlaybackEndTime = seconds(2)
            item.startTime = seconds(2)
            item.forwardPlaybackEndTime = seconds(4)
        }
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (50..<100).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.sink.greatest < 4 * 48_000)
        #expect(rig.endCount == 1)
        #expect(rig.seek(to: .zero) == true)
        #expect(rig.frames.last?.time == seconds(2))
    }

    @Test("an item that cannot be opened or decoded fails with its sentence")
    func failures() throws {
        for film in [FakeMedia(failure: MediaError(.sourceFormat, "It is no film.")), FakeMedia(brokenFrame: 40)] {
            let rig = try PlayerRig()
            defer { rig.close() }
            rig.open(film)
            rig.player.play()
            #expect(rig.run(until: { if case .failed = rig.item?.status { true } else { false } }))
            #expect(rig.player.state.itemStatus == rig.item?.status)
            #expect(rig.player.state.timeControlStatus == .paused)
            // Frames before the broken one have been shown.
            #expect(firstDifference(rig.frames.map(\.time), (0..<(film.brokenFrame ?? 0)).map { film.time(of: $0) }) == nil)
            // Another item plays.
            rig.forget()
            rig.open(FakeMedia(frameCount: 25, soundDuration: .seconds(1)), at: "other")
            rig.player.play()
            #expect(rig.run(until: { rig.isAtEnd }))
            #expect(rig.frames.count == 25)
        }
    }

    @Test("a missing file fails, and an item that was replaced during opening reports nothing more")
    func replacement() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let missing = PlayerItem(asset: Asset(url: "absent", services: rig.player.services))
        rig.player.replaceCurrentItem(with: missing)
        rig.run(until: { missing.status != .unknown })
        guard case .failed(let error) = missing.status else { return #expect(Bool(false), "it is \(missing.status)") }
        #expect(error.code == .sourceMissing)
        let first = rig.open(FakeMedia(), at: "first")
        rig.forget()
        rig.open(FakeMedia(frameCount: 10, soundDuration: nil), at: "second")
        rig.player.play()
        rig.run(until: { rig.isAtEnd })
        #expect(first.status == .unknown)
        #expect(rig.frames.count == 10)
    }

    @Test("audio in a preferred language is selected, otherwise the default")
    func languages() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        for (wanted, track) in [(["es", "en"], 3), (["en-GB"], 2), (["de"], 1), ([], 1)] {
            let item = rig.open(FakeMedia(languages: ["en", "es-MX"])) {
                $0.selection.criteria[.audible] = .init(preferredLanguages: wanted)
            }
            rig.run(until: { item.status == .readyToPlay })
            #expect(item.audioTrack?.id == TrackID(track), "\(wanted)")
        }
    }

    @Test("two runs of the same playback give identical reports")
    func alike() throws {
        func account() throws -> [String] {
            let rig = try PlayerRig()
            defer { rig.close() }
            rig.open(FakeMedia())
            rig.player.play()
            rig.run(until: { rig.frames.count == 20 })
            rig.player.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero)
            rig.run(until: { rig.isAtEnd })
            return rig.events.map { "\($0.at) \($0.event)" }
        }
        let first = try account()
        for _ in 0..<5 { #expect(try account() == first) }
    }
}
