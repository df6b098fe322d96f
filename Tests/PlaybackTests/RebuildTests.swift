import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Failing decoders are rebuilt", .serialized)
@MainActor
struct RebuildTests {
    @Test(
        "a decoder that fails, outputs nothing or hangs is replaced at the same position, and no frame is lost",
        arguments: [DecoderFault.Kind.error, .nothing, .hang], [1, 2])
    func rebuilt(_ kind: DecoderFault.Kind, _ decoders: Int) throws {
        let rig = try PlayerRig()
        defer {
            rig.loader.release()
            rig.close()
        }
        rig.open(
            FakeMedia(frameCount: 500, soundDuration: .seconds(20), fault: DecoderFault(kind, frame: 100, decoders: decoders)))
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<500).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.codecs.counts.videoDecoders == decoders + 1)
        #expect(rig.item?.status == .readyToPlay)
        for (frame, next) in zip(rig.frames, rig.frames.dropFirst()) {
            let held = MediaTime.nanoseconds((next.flip - frame.flip).wholeNanoseconds)
            #expect(held <= seconds(3) * decoders, "frame \(frame.time) stood for \(held) s")
        }
    }

    @Test("a decoder that hangs after a pause is replaced, however long the pause was", arguments: [1, 120])
    func hangAfterPause(pause length: Int64) throws {
        let rig = try PlayerRig()
        defer {
            rig.loader.release()
            rig.close()
        }
        rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20), fault: DecoderFault(.hang, frame: 300)))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(1) }))
        rig.player.pause()
        rig.run(for: .seconds(length))
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<500).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.codecs.counts.videoDecoders == 2)
    }

    @Test("a repeated failure at the same position fails the item with the decoder's sentence")
    func givenUp() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(fault: DecoderFault(.error, frame: 40, decoders: 100)))
        rig.player.play()
        #expect(rig.run(until: { if case .failed = rig.item?.status { true } else { false } }))
        #expect(rig.codecs.counts.videoDecoders == RebuildPolicy.mostAtOnePosition + 1)
        #expect(firstDifference(rig.frames.map(\.time), (0..<40).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("the third lost thread requests a restart of the process")
    func restart() throws {
        let rig = try PlayerRig()
        defer {
            rig.loader.release()
            rig.close()
        }
        var sentences: [String] = []
        var hungAtReport: [Int] = []
        let listening = rig.player.events.listen {
            guard case .restartNeeded(let sentence) = $0 else { return }
            sentences.append(sentence)
            hungAtReport.append(rig.codecs.counts.hungVideoDecoders)
        }
        defer { listening.cancel() }
        rig.open(FakeMedia(fault: DecoderFault(.hang, frame: 60, decoders: 3)))
        rig.player.play()
        #expect(rig.run(until: { !sentences.isEmpty }))
        #expect(sentences.count == 1 && hungAtReport == [3])
    }

    @Test("when the item is gone, the watch for hung decoders does not wake the loop any more")
    func watchEnds() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(1) }))
        rig.player.replaceCurrentItem(with: nil)
        rig.run(for: .seconds(2))
        var turns = 0
        rig.run(
            within: .seconds(60),
            until: {
                turns += 1
                return false
            })
        #expect(turns <= 5)
    }

    @Test("a seek whose decoder hangs completes with its frame, at the requested rate")
    func seek() throws {
        let rig = try PlayerRig()
        defer {
            rig.loader.release()
            rig.close()
        }
        rig.open(FakeMedia(fault: DecoderFault(.hang, frame: 125)))
        rig.run(until: { !rig.frames.isEmpty })
        rig.player.play()
        #expect(rig.seek(to: seconds(5, 10)) == true)
        #expect(rig.frames.last?.time == seconds(5))
        #expect(rig.run(until: { rig.isAtEnd }))
    }

    @Test("the policy counts failures at one position, and resets when playback has left it")
    func policy() {
        var policy = RebuildPolicy()
        for _ in 0..<3 { #expect(policy.failed(at: seconds(5)) == .rebuild) }
        #expect(policy.failed(at: seconds(6)) == .rebuild)
        for _ in 0..<2 { #expect(policy.failed(at: seconds(6, 200)) == .rebuild) }
        #expect(policy.failed(at: seconds(6, 300)) == .giveUp)
    }

    @Test("the third lost thread exceeds the limit")
    func lostThreads() {
        var lost = LostThreads()
        #expect([lost.lose(), lost.lose(), lost.lose()] == [false, false, true] && lost.count == 3)
    }
}
