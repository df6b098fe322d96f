import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("An item's state ends with the item and survives other events", .serialized)
@MainActor
struct ItemChangeTests {
    private func reached(_ rig: PlayerRig, _ time: MediaTime) -> Bool {
        rig.events.contains { if case .reachedBoundary(time) = $0.event { true } else { false } }
    }

    @Test("rebuilding a decoder keeps the forward boundary")
    func boundaryOutlivesRebuild() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(fault: DecoderFault(.error, frame: 40)))
        rig.player.setForwardBoundary(seconds(2))
        rig.player.play()
        #expect(rig.run(until: { reached(rig, seconds(2)) }))
        rig.run(for: .seconds(2))
        #expect(rig.codecs.counts.videoDecoders == 2)
        #expect(firstDifference(rig.frames.map(\.time), (0..<50).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.sink.greatest < 2 * 48_000)
        #expect(rig.player.currentTime == seconds(2))
    }

    @Test("scanning and resuming playback keep the forward boundary")
    func boundaryOutlivesScan() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        rig.player.setForwardBoundary(seconds(6))
        rig.player.play()
        #expect(rig.player.setRate(Ratio(4)))
        rig.run(until: { rig.player.currentTime >= seconds(4) })
        rig.player.play()
        #expect(rig.run(until: { reached(rig, seconds(6)) }))
        rig.run(for: .seconds(1))
        #expect(rig.player.currentTime == seconds(6))
        #expect(rig.frames.allSatisfy { $0.time < seconds(6) })
    }

    @Test("a forward boundary ends with its item")
    func boundaryEnds() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        rig.player.setForwardBoundary(seconds(2))
        rig.open(FakeMedia(), at: "other")
        rig.forget()
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { FakeMedia().time(of: $0) }) == nil)
        #expect(!reached(rig, seconds(2)))
    }

    @Test("stalls are counted per item, and the state of the next item starts anew")
    func stateBegins() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.setGate(seconds(1), at: "film")
        rig.open(FakeMedia())
        rig.player.play()
        try #require(rig.run(until: { rig.player.state.stallCount == 1 }))
        #expect(rig.player.state.isReadyForDisplay)
        rig.open(FakeMedia(), at: "other")
        #expect(rig.player.state.stallCount == 0)
        #expect(!rig.player.state.isReadyForDisplay)
        #expect(rig.player.state.itemStatus == .unknown)
        // The rate is the viewer's choice and is kept.
        #expect(rig.player.state.rate == .one)
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("decoder failures at a position of one item do not count for the next item")
    func rebuildsBegin() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(fault: DecoderFault(.error, frame: 40, decoders: 3)))
        rig.player.play()
        try #require(rig.run(until: { rig.player.currentTime >= seconds(1, 700) }))
        let built = rig.codecs.counts.videoDecoders
        #expect(built == 4)
        // The next item fails equally often at the same position.
        rig.open(FakeMedia(fault: DecoderFault(.error, frame: 40, decoders: built + 2)), at: "other")
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.item?.status == .readyToPlay)
    }

    @Test("cached frames of one item are not shown for another")
    func cacheEnds() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        for frame in [30, 31, 32] { #expect(rig.seek(to: FakeMedia().time(of: frame)) == true) }
        rig.open(FakeMedia(), at: "other")
        rig.run(until: { rig.player.state.isReadyForDisplay })
        let decoded = rig.codecs.counts.decodedPictures
        #expect(rig.seek(to: FakeMedia().time(of: 31)) == true)
        #expect(rig.codecs.counts.decodedPictures > decoded)
    }

    @Test("the last seek in one item does not make the first seek in the next one a nearby seek")
    func lastTargetEnds() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        #expect(rig.seek(to: seconds(5)) == true)
        rig.open(FakeMedia(), at: "other") { $0.startTime = seconds(9) }
        rig.run(until: { rig.player.state.isReadyForDisplay })
        let before = rig.codecs.counts.hastyPictures
        // It is far from where this item started, so frames on the way are skipped.
        #expect(rig.seek(to: seconds(2, 360)) == true)
        #expect(rig.codecs.counts.hastyPictures > before)
    }

    @Test("a seek in progress completes as unfinished when another item becomes current, and does not move that item")
    func seekEnds() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        var answers: [Bool] = []
        rig.player.seek(to: seconds(7), toleranceBefore: .zero, toleranceAfter: .zero) { answers.append($0) }
        rig.open(FakeMedia(), at: "other")
        #expect(answers == [false])
        rig.forget()
        rig.run(until: { rig.player.state.isReadyForDisplay })
        rig.run(for: .seconds(1))
        #expect(rig.player.currentTime == .zero)
        #expect(rig.frames.map(\.time) == [.zero])
        #expect(answers == [false])
    }

    @Test("removing the item removes time, rate and status")
    func nothingIsLeft() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2) })
        rig.player.replaceCurrentItem(with: nil)
        #expect(rig.player.state == PlayerState())
        #expect(rig.player.currentItem == nil)
        #expect(rig.player.loadedTimeRanges.isEmpty)
        rig.forget()
        rig.run(for: .seconds(1))
        #expect(rig.frames.isEmpty && rig.events.isEmpty)
    }

    @Test("the complete log of a removed item is reported once")
    func logEnds() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let first = rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2) })
        rig.open(FakeMedia(), at: "other")
        rig.run(until: { rig.player.currentTime >= seconds(1) })
        let logs = rig.events.compactMap { if case .sessionEnded(let log) = $0.event { log } else { nil } }
        #expect(logs.count == 1)
        #expect(logs.first?.sessionID == first.log?.sessionID)
        #expect(logs.first?.sessionID != rig.item?.log?.sessionID)
        let watched = (logs.first?.accessEvents ?? []).compactMap(\.durationWatched).reduce(Duration.zero, +)
        #expect(watched > .milliseconds(1900) && watched < .milliseconds(2300))
    }
}
