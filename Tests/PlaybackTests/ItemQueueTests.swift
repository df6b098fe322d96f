import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("A queue plays one item after another")
@MainActor
struct ItemQueueTests {
    /// A rig with films of these numbers of frames in its queue.
    private func rig(_ films: [FakeMedia]) throws -> (rig: PlayerRig, queue: Player, items: [PlayerItem]) {
        let rig = try PlayerRig(isQueue: true)
        let queue = rig.player
        var items: [PlayerItem] = []
        for (number, film) in films.enumerated() {
            rig.loader.put(film, at: "film-\(number)")
            let item = PlayerItem(asset: Asset(url: "film-\(number)", services: rig.player.services))
            queue.insert(item, after: nil)
            items.append(item)
        }
        return (rig, queue, items)
    }

    private func film(_ frames: Int, sound: MediaTime? = nil) -> FakeMedia {
        FakeMedia(frameCount: frames, soundDuration: sound ?? MediaTime(Int64(frames), 25))
    }

    private func frames(_ counts: Int...) -> [MediaTime] { counts.flatMap { (0..<$0).map { MediaTime(Int64($0), 25) } } }

    /// Reports of the player, except frames, sound and positions, as text.
    private func words(_ rig: PlayerRig) -> [String] {
        rig.events.compactMap { entry in
            switch entry.event {
            case .state(let state): "\(state.itemStatus.map { "\($0)" } ?? "none") rate=\(state.rate) \(state.timeControlStatus)"
            case .currentItem(let item): "item \(item?.asset.url ?? "none")"
            case .didPlayToEnd: "end"
            case .itemSkipped(let item, _): "skipped \(item.asset.url)"
            default: nil
            }
        }
    }

    private func longestStandstill(_ rig: PlayerRig) -> Duration {
        zip(rig.frames, rig.frames.dropFirst()).map { $1.flip - $0.flip }.max() ?? .zero
    }

    @Test("no sample and no frame is lost or repeated, and no frame is shown longer than others")
    func gapless() throws {
        let (rig, queue, items) = try rig([film(75), film(50), film(60)])
        defer { rig.close() }
        let flushes = rig.sink.flushes
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), frames(75, 50, 60)) == nil)
        #expect(
            firstDifference(Array(rig.sink.enqueued.prefix(355_200)), ramp(0..<144_000) + ramp(0..<96_000) + ramp(0..<115_200))
                == nil)
        #expect(rig.sink.flushes - flushes <= 2, "the sink was emptied between two items")
        #expect(longestStandstill(rig) <= .milliseconds(51), "a frame stood for \(longestStandstill(rig))")
        #expect(rig.frames.compactMap { $0.soundDelay?.magnitude }.max()! <= .milliseconds(20))
        #expect(rig.endCount == 3)
        #expect(rig.player.state.stallCount == 0)
        #expect(queue.items().count == 1 && queue.currentItem === items[2])
    }

    @Test("reports come in this order: the end, the next item, its state; an unchanged rate is not reported again")
    func order() throws {
        let (rig, _, _) = try rig([film(30), film(30)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        let reason = "waitingToPlayAtSpecifiedRate(Playback.WaitingReason"
        #expect(
            words(rig) == [
                "item film-0", "unknown rate=0 paused", "unknown rate=1 \(reason).evaluatingBufferingRate)",
                "readyToPlay rate=1 \(reason).evaluatingBufferingRate)", "readyToPlay rate=1 \(reason).seeking)",
                "readyToPlay rate=1 \(reason).seeking)", "readyToPlay rate=1 playing", "end", "item film-1",
                "readyToPlay rate=0 paused", "end",
            ])
    }

    @Test(
        "sound slightly longer or shorter than the pictures is joined whole; when it is much shorter, silence fills up to their end"
    )
    func unequal() throws {
        for (sound, silent) in [
            (MediaTime(96_480, 48_000), 0), (MediaTime(95_600, 48_000), 0), (MediaTime(48_000, 48_000), 48_000),
        ] {
            let (rig, _, _) = try rig([film(50, sound: sound), film(50)])
            rig.player.play()
            #expect(rig.run(until: { rig.isAtEnd }))
            let count = Int(sound.units(of: 48_000))
            let wanted = ramp(0..<count) + [Float](repeating: 0, count: silent) + ramp(0..<96_000)
            #expect(firstDifference(Array(rig.sink.enqueued.prefix(wanted.count)), wanted) == nil)
            #expect(firstDifference(rig.frames.map(\.time), frames(50, 50)) == nil)
            #expect(longestStandstill(rig) <= .milliseconds(80))
            rig.close()
        }
    }

    @Test("items without sound or without pictures lose nothing either")
    func oneKind() throws {
        var silent = film(40)
        silent.soundDuration = nil
        let (rig, _, _) = try rig([silent, silent])
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), frames(40, 40)) == nil)
        #expect(longestStandstill(rig) <= .milliseconds(51))
        rig.close()
        let (other, _, _) = try self.rig([film(0, sound: .seconds(2)), film(0, sound: .seconds(1))])
        defer { other.close() }
        other.player.play()
        #expect(other.run(until: { other.isAtEnd }))
        #expect(firstDifference(Array(other.sink.enqueued.prefix(144_000)), ramp(0..<96_000) + ramp(0..<48_000)) == nil)
        #expect(other.endCount == 2)
    }

    @Test("pictures after an audio-only item appear within half a second")
    func otherKind() throws {
        let (rig, _, _) = try rig([film(0, sound: .seconds(1)), film(30)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.endCount == 1 }))
        let end = rig.clock.now
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        #expect(rig.clock.now - end <= .milliseconds(500))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.endCount == 2)
    }

    @Test("a trimmed item ends exactly at its trim, and the next starts exactly at its own")
    func trimmed() throws {
        let (rig, _, items) = try rig([film(75), film(75)])
        defer { rig.close() }
        items[0].forwardPlaybackEndTime = seconds(1)
        items[1].startTime = seconds(2)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), frames(25) + (50..<75).map { MediaTime(Int64($0), 25) }) == nil)
        #expect(firstDifference(Array(rig.sink.enqueued.prefix(96_000)), ramp(0..<48_000) + ramp(96_000..<144_000)) == nil)
        #expect(longestStandstill(rig) <= .milliseconds(51))
        #expect(rig.endCount == 2)
    }

    @Test(
        "sound shaping that changes before the joint applies to the next item, however far it has been read",
        arguments: [1000, 2000, 2500, 2900])
    func shapingBeforeTheJoint(_ milliseconds: Int) throws {
        let (rig, _, _) = try rig([film(75), film(50)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= .milliseconds(Int64(milliseconds)) }))
        try rig.player.setSoundShaping(SoundShaping(reducesLoudSounds: true))
        #expect(rig.run(until: { rig.isAtEnd }))
        // Samples are their own numbers, and negative ones are shaped.
        #expect(rig.sink.enqueued.last { $0 != 0 } == -95_999)
        #expect(!rig.sink.enqueued.suffix(96_000).contains { $0 > 0 })
    }

    @Test("the queue can be edited during playback without affecting the current item")
    func editing() throws {
        let (rig, queue, items) = try rig([film(75), film(50)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(1) }))
        rig.loader.put(film(60), at: "other")
        let other = PlayerItem(asset: Asset(url: "other", services: rig.player.services))
        #expect(!queue.canInsert(items[0], after: nil) && !queue.canInsert(items[1], after: items[0]))
        #expect(queue.canInsert(other, after: items[0]) && !queue.canInsert(other, after: PlayerItem(asset: items[0].asset)))
        queue.insert(other, after: items[0])
        #expect(queue.items().map(\.asset.url) == ["film-0", "other", "film-1"])
        queue.remove(items[1])
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), frames(75, 60)) == nil)
        #expect(longestStandstill(rig) <= .milliseconds(51))
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("advancing starts the next item at once and keeps playing; after the last item playback stops")
    func advancing() throws {
        let (rig, queue, items) = try rig([film(75), film(50)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(1) }))
        let asked = rig.clock.now
        rig.forget()
        queue.advanceToNextItem()
        #expect(queue.currentItem === items[1] && queue.items().count == 1)
        #expect(rig.run(until: { !rig.frames.isEmpty && rig.isPlaying }))
        #expect(rig.clock.now - asked <= .milliseconds(500))
        queue.removeAllItems()
        #expect(queue.items().isEmpty && queue.currentItem == nil)
    }

    @Test(
        "an item that cannot be opened is skipped, its error is logged and reported, and the following item joins without a stop")
    func failing() throws {
        let (rig, queue, items) = try rig([film(50), film(50), film(50)])
        defer { rig.close() }
        let error = MediaError(.sourceFormat, "It was made to fail.")
        rig.loader.put(FakeMedia(failure: error), at: "film-1")
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(words(rig).filter { $0.hasPrefix("skipped") } == ["skipped film-1"])
        #expect(items[1].status == .failed(error))
        #expect(items[1].log?.errorEvents.count == 1)
        #expect(firstDifference(rig.frames.map(\.time), frames(50, 50)) == nil)
        #expect(longestStandstill(rig) <= .milliseconds(51))
        #expect(queue.currentItem === items[2])
    }

    @Test("an item that fails during playback is replaced by the next")
    func breaking() throws {
        var broken = film(50)
        broken.brokenFrame = 20
        let (rig, queue, items) = try rig([broken, film(30)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd && queue.currentItem === items[1] }))
        #expect(words(rig).contains("skipped film-0"))
        #expect(rig.frames.last?.time == MediaTime(29, 25))
    }

    @Test("the action at the end is obeyed: advance, pause, or none, after which a seek resumes")
    func actions() throws {
        let (rig, queue, items) = try rig([film(30), film(30)])
        defer { rig.close() }
        queue.actionAtItemEnd = .pause
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(queue.currentItem === items[0] && rig.player.state.rate == .zero)
        queue.actionAtItemEnd = .none
        #expect(rig.seek(to: .zero) == true)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(queue.currentItem === items[0] && rig.player.state.rate == .one)
        #expect(rig.seek(to: .zero) == true)
        #expect(rig.run(until: { rig.isPlaying }))
        queue.actionAtItemEnd = .advance
        #expect(rig.run(until: { rig.isAtEnd && queue.currentItem === items[1] }))
    }

    @Test("a seek, a pause and a rate change shortly before the joint do no harm", arguments: [0, 1, 2, 3])
    func disturbed(by what: Int) throws {
        let (rig, queue, items) = try rig([film(75), film(50)])
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(until: { rig.player.sessions.upcoming.next?.isArranged == true }))
        switch what {
        case 0: #expect(rig.seek(to: seconds(1)) == true)
        case 1:
            rig.player.pause()
            rig.run(for: .seconds(2))
            rig.player.play()
        case 2: try rig.player.playImmediately(atRate: Ratio(3, 2))
        default: rig.player.setForwardBoundary(seconds(2, 960))
        }
        if what == 3 {
            #expect(rig.run(until: { rig.events.contains { if case .reachedBoundary = $0.event { true } else { false } } }))
            rig.player.setForwardBoundary(nil)
        }
        #expect(rig.run(until: { rig.isAtEnd && queue.currentItem === items[1] }))
        #expect(rig.endCount == 2)
        #expect(firstDifference(Array(rig.frames.map(\.time).suffix(50)), frames(50)) == nil)
        #expect(rig.frames.contains { $0.time == MediaTime(74, 25) })
        #expect(rig.frames.compactMap { $0.soundDelay?.magnitude }.max()! <= .milliseconds(40))
    }

    @Test("sixty consecutive items keep picture and sound in sync")
    func many() throws {
        let (rig, _, _) = try rig((0..<60).map { _ in film(26, sound: MediaTime(49_900, 48_000)) })
        defer { rig.close() }
        rig.player.play()
        #expect(rig.run(within: .seconds(120), until: { rig.endCount == 60 }))
        #expect(rig.frames.count == 60 * 26)
        #expect(rig.frames.compactMap { $0.soundDelay?.magnitude }.max()! <= .milliseconds(40))
    }
}
