import LinuxSupport
import MediaModel
import MediaTime
import Sound
import TestSupport
import Testing

@testable import Playback

@Suite("A sound card that appears late")
@MainActor
struct LateSoundCardTests {
    /// The card: it can be opened once it is plugged in.
    @MainActor
    private final class Card {
        var isPlugged = false
        var channels = 2
        private(set) var opened: [RecordingSink] = []

        func sink(_ clock: any HostClock) -> any AudioSink {
            ClaimedSink(
                name: "card", findFormat: { [self] in AudioFormat(sampleRate: 48_000, channels: channels) }, clock: clock
            ) { _ in
            } open: { [self] format throws(MediaError) in
                guard isPlugged else { throw MediaError(.soundLost, "There is no card; plug one in.") }
                opened.append(RecordingSink(NullSink(clock: clock, format: format)))
                return opened.last!
            }
        }
    }

    @Test(
        "is heard in the middle of a film, in time with the pictures, of which none is lost", arguments: [false, true])
    func late(isPausedMeanwhile: Bool) throws {
        let card = Card()
        let rig = try PlayerRig(device: { card.sink($0) })
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 750, soundDuration: .seconds(30)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .seconds(6) }))
        #expect(card.opened.isEmpty && rig.sink.name == "none")
        if isPausedMeanwhile { rig.player.pause() }
        card.isPlugged = true
        rig.run(for: .seconds(10))
        #expect(card.opened.count == 1)
        rig.player.play()
        rig.run(for: .seconds(2))
        let device = try #require(card.opened.first)
        #expect(!device.enqueued.isEmpty && device.plays >= 1)
        let heard = try #require(rig.player.pipeline.audio.heard())
        let lag = rig.player.transport.timebase.media.time(at: heard.at) - heard.time
        #expect(heard.isRunning && lag.magnitude <= .milliseconds(6))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0 && card.opened.count == 1)
        #expect(firstDifference(rig.frames.map(\.time), (0..<750).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("a card that vanishes does not stop a player that plays on, and is heard when it returns")
    func vanishes() throws {
        let card = Card()
        card.isPlugged = true
        let rig = try PlayerRig(device: { card.sink($0) })
        defer { rig.close() }
        let listening = rig.player.services.sink.deviceChanges.listen {
            if $0 == .lost { rig.player.changeSoundDevice() }
        }
        defer { listening.cancel() }
        rig.open(FakeMedia(frameCount: 750, soundDuration: .seconds(30)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .seconds(5) }))
        card.isPlugged = false
        try #require(card.opened.first).deviceChanges.send(.lost)
        rig.run(for: .seconds(5))
        #expect(rig.sink.name == "none" && rig.isPlaying)
        card.isPlugged = true
        rig.run(for: .seconds(8))
        #expect(card.opened.count == 2)
        let heard = try #require(rig.player.pipeline.audio.heard())
        let lag = rig.player.transport.timebase.media.time(at: heard.at) - heard.time
        #expect(card.opened.last?.enqueued.isEmpty == false && heard.isRunning && lag.magnitude <= .milliseconds(6))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
        #expect(firstDifference(rig.frames.map(\.time), (0..<750).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("another device that takes other channels is heard from the place on, in time with the pictures", arguments: [2, 6])
    func other(channels: Int) throws {
        let card = Card()
        card.isPlugged = true
        let rig = try PlayerRig(device: { card.sink($0) })
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 750, soundDuration: .seconds(30)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .seconds(5) }))
        card.channels = channels
        rig.player.changeSoundDevice()
        rig.run(for: .seconds(3))
        #expect(card.opened.map(\.format.channels) == [2, channels])
        let heard = try #require(rig.player.pipeline.audio.heard())
        let lag = rig.player.transport.timebase.media.time(at: heard.at) - heard.time
        #expect(card.opened.last?.enqueued.isEmpty == false && heard.isRunning && lag.magnitude <= .milliseconds(6))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0 && card.opened.count == 2)
        let times = rig.frames.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "the place stays")
        if channels == 2 { #expect(firstDifference(times, (0..<750).map { FakeMedia().time(of: $0) }) == nil) }
    }

    @Test("a card that never appears costs nothing, and a seek takes one that has appeared meanwhile")
    func seek() throws {
        let card = Card()
        let rig = try PlayerRig(device: { card.sink($0) })
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 750, soundDuration: .seconds(30)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .seconds(5) }))
        card.isPlugged = true
        #expect(rig.seek(to: .seconds(10)) == true)
        rig.run(for: .seconds(8))
        #expect(card.opened.count == 1 && card.opened.first?.enqueued.isEmpty == false)
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
    }
}
