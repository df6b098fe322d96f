import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// A call into the decoder of the pictures that does not return, at every step of playback.
@Suite("Hanging decoders", .serialized)
@MainActor
struct HangingDecoderTests {
    private static let film = FakeMedia()

    /// A rig whose hanging threads are released before it closes.
    private func withRig(
        isQueue: Bool = false, machine: Machine? = nil, _ body: (PlayerRig) throws -> Void
    ) throws {
        let rig = try PlayerRig(isQueue: isQueue, times: machine.map { machine in { SlowMachine(machine, clock: $0) } })
        defer {
            rig.loader.release()
            rig.close()
        }
        try body(rig)
    }

    /// What keeps decoders busy.
    enum Machine: CaseIterable {
        /// Other programs have the processors.
        case starving
        /// The decoder computes.
        case computing
    }

    /// All time that passes goes to one of these.
    private struct SlowMachine: ProcessorTimes {
        private let machine: Machine
        private let clock: any HostClock

        init(_ machine: Machine, clock: any HostClock) {
            self.machine = machine
            self.clock = clock
        }

        func computing(_ thread: WorkerThread) -> Duration { machine == .computing ? clock.now - .zero : .zero }
        func starving() -> Duration { machine == .starving ? clock.now - .zero : .zero }
    }

    private func hanging(at frame: Int, decoders: Int = 1, frameCount: Int = 250) -> FakeMedia {
        FakeMedia(
            frameCount: frameCount, soundDuration: MediaTime(Int64(frameCount), 25),
            fault: DecoderFault(.hang, frame: frame, decoders: decoders))
    }

    private func expectWhole(_ rig: PlayerRig, _ count: Int = 250) {
        #expect(firstDifference(rig.frames.map(\.time), (0..<count).map { Self.film.time(of: $0) }) == nil)
    }

    @Test("at the first and the last pictures of an item", arguments: [0, 1, 248, 249])
    func ends(frame: Int) throws {
        try withRig { rig in
            rig.open(hanging(at: frame))
            rig.player.play()
            #expect(rig.run { rig.isAtEnd })
            expectWhole(rig)
            #expect(rig.endCount == 1 && rig.codecs.counts.videoDecoders == 2)
        }
    }

    @Test(
        "a decoder that is only slow is not given up, as on a machine that is too slow for everything",
        arguments: Machine.allCases)
    func slow(_ machine: Machine) throws {
        try withRig(machine: machine) { rig in
            rig.open(hanging(at: 50))
            rig.player.play()
            #expect(rig.run { rig.codecs.counts.hungVideoDecoders == 1 })
            rig.run(for: .seconds(10))
            rig.loader.release()
            #expect(rig.run { rig.isAtEnd })
            expectWhole(rig)
            #expect(rig.codecs.counts.videoDecoders == 1)
        }
    }

    @Test("however slow the machine is, a call that takes a quarter of a minute hangs", arguments: Machine.allCases)
    func tooSlow(_ machine: Machine) throws {
        try withRig(machine: machine) { rig in
            rig.open(hanging(at: 50))
            rig.player.play()
            #expect(rig.run { rig.codecs.counts.hungVideoDecoders == 1 })
            let began = rig.clock.now
            #expect(rig.run { rig.codecs.counts.videoDecoders == 2 })
            let length = rig.clock.now - began
            #expect(length > .seconds(15) && length <= .seconds(16))
            #expect(rig.run { rig.isAtEnd })
            expectWhole(rig)
        }
    }

    @Test("in an exact seek and in a preview of a paused item, both of which complete", arguments: [true, false])
    func pausedSeek(isExact: Bool) throws {
        try withRig { rig in
            rig.open(hanging(at: 120))
            #expect(rig.run { !rig.frames.isEmpty })
            let tolerance: MediaTime? = isExact ? .zero : nil
            #expect(rig.seek(to: MediaTime(120, 25), before: tolerance, after: tolerance) == true)
            #expect(rig.frames.last?.time == MediaTime(120, 25))
            rig.player.play()
            #expect(rig.run { rig.isAtEnd })
            #expect(rig.frames.last?.time == MediaTime(249, 25))
        }
    }

    @Test("in a scan, which goes on", arguments: [Ratio(4), Ratio(-4)])
    func scan(rate: Ratio) throws {
        try withRig { rig in
            rig.open(hanging(at: 480, frameCount: 1000))
            rig.player.play()
            #expect(rig.run { rig.player.currentTime >= seconds(1) })
            if rate < .zero { #expect(rig.seek(to: seconds(30)) == true) }
            #expect(rig.player.setRate(rate))
            let beyond: (MediaTime) -> Bool = { rate < .zero ? $0 < seconds(15) : $0 > seconds(25) }
            #expect(rig.run(until: { rig.frames.last.map { beyond($0.time) } ?? false }))
            #expect(rig.codecs.counts.hungVideoDecoders <= 1)
        }
    }

    @Test("in the first pictures of the next item of a queue, which is decoded ahead", arguments: [0, 3])
    func nextItem(frame: Int) throws {
        try withRig(isQueue: true) { rig in
            rig.open(hanging(at: 1000))
            rig.loader.put(hanging(at: frame, decoders: 2), at: "next")
            rig.player.insert(PlayerItem(asset: Asset(url: "next", services: rig.player.services)), after: nil)
            rig.player.play()
            #expect(rig.run { rig.endCount == 2 })
            let frames = (0..<250).map { Self.film.time(of: $0) }
            #expect(Array(rig.frames.map(\.time).prefix(250)) == frames)
            #expect(Array(rig.frames.map(\.time).suffix(250)) == frames)
        }
    }

    /// An advertisement of two seconds after six of the film.
    private func advertisement() -> Interstitial {
        Interstitial(
            id: "x", event: Interstitial.Event(time: seconds(6), assets: .asset(url: "ad"), resumptionOffset: .zero))
    }

    @Test("in an advertisement beside the stream, which plays to its end, and the film after it", arguments: [0, 10, 49])
    func advertisement(frame: Int) throws {
        try withRig { rig in
            rig.loader.put(hanging(at: frame, frameCount: 50), at: "ad")
            rig.present(Self.film) { $0.interstitials = [advertisement()] }
            rig.player.play()
            #expect(rig.run { rig.isAtEnd })
            #expect(rig.interstitialLines == ["begin x 1/1", "end x completed"])
            expectWhole(rig)
        }
    }

    @Test("in the picture at which the film resumes after an advertisement")
    func resumption() throws {
        try withRig { rig in
            rig.loader.put(FakeMedia(frameCount: 50, soundDuration: .seconds(2)), at: "ad")
            rig.present(hanging(at: 150)) { $0.interstitials = [advertisement()] }
            rig.player.play()
            #expect(rig.run { rig.isAtEnd })
            #expect(rig.interstitialLines == ["begin x 1/1", "end x completed"])
            #expect(Set(rig.frames.map(\.time)) == Set((0..<250).map { Self.film.time(of: $0) }))
        }
    }

    @Test("when the pictures return after a time with sound alone")
    func picturesReturn() throws {
        try withRig { rig in
            rig.open(hanging(at: 252, frameCount: 500))
            rig.player.play()
            #expect(rig.run { rig.player.currentTime >= seconds(3) })
            rig.player.presentsVideo = false
            #expect(rig.run { rig.player.currentTime >= seconds(10) })
            rig.player.presentsVideo = true
            #expect(rig.run { rig.isAtEnd })
            #expect(rig.frames.last?.time == MediaTime(499, 25) && rig.endCount == 1)
        }
    }

    @Test("an item that is left while its decoder hangs is followed by another one at once")
    func left() throws {
        try withRig { rig in
            rig.open(hanging(at: 50))
            rig.player.play()
            #expect(rig.run { rig.codecs.counts.hungVideoDecoders == 1 })
            rig.forget()
            let left = rig.clock.now
            rig.open(Self.film, at: "other")
            rig.player.play()
            #expect(rig.run { !rig.frames.isEmpty })
            #expect(rig.clock.now - left <= .seconds(3))
            #expect(rig.run { rig.isAtEnd })
            expectWhole(rig)
        }
    }
}
