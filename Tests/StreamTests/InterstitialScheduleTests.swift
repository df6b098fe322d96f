import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

@Suite("The schedule of interstitials")
struct InterstitialScheduleTests {
    private func event(
        _ id: String, at seconds: Int64, cue: Interstitial.Cue = [], once: Bool = false, offset: MediaTime? = nil,
        restrictions: Interstitial.Restrictions = [], snaps: Bool = false
    ) -> Interstitial {
        let event = Interstitial.Event(
            time: .seconds(seconds), cue: cue, assets: .asset(url: id), resumptionOffset: offset,
            alignsResumptionWithSegmentBoundary: snaps)
        return Interstitial(id: id, event: event, restrictions: restrictions, repetition: once ? .once : .always)
    }

    private func schedule(_ interstitials: [Interstitial]) -> InterstitialSchedule {
        var schedule = InterstitialSchedule()
        schedule.update(interstitials)
        return schedule
    }

    @Test("the next event is at or after the position, ordered by time and then by name")
    func next() {
        let schedule = schedule([event("c", at: 20), event("b", at: 10), event("a", at: 10), event("pre", at: 0, cue: .joinCue)])
        #expect(schedule.next(from: .zero)?.id == "a")
        #expect(schedule.next(from: .seconds(10))?.id == "a")
        #expect(schedule.next(from: .seconds(11))?.id == "c")
        #expect(schedule.next(from: .seconds(21)) == nil)
        #expect(schedule.beforeStart?.id == "pre")
    }

    @Test("a played event does not start again from its own position, but is due again after a jump back, unless it plays once")
    func again() {
        var schedule = schedule([event("a", at: 10), event("b", at: 10, once: true)])
        let (a, b) = (schedule.interstitials[0], schedule.interstitials[1])
        schedule.finish(a)
        #expect(schedule.next(from: .seconds(10))?.id == "b")
        schedule.finish(b)
        #expect(schedule.next(from: .seconds(10)) == nil)
        schedule.jump()
        #expect(schedule.next(from: .zero)?.id == "a")
        schedule.finish(a)
        #expect(schedule.next(from: .zero) == nil)
    }

    @Test("a jump forward leads first to the last event that may not be jumped over")
    func jumps() {
        let schedule = schedule([
            event("a", at: 10, restrictions: .constrainsSeekingForwardInPrimaryContent),
            event("b", at: 20, restrictions: .constrainsSeekingForwardInPrimaryContent), event("c", at: 30),
        ])
        #expect(schedule.blocking(jumpFrom: .zero, to: .seconds(40))?.id == "b")
        #expect(schedule.blocking(jumpFrom: .zero, to: .seconds(15))?.id == "a")
        #expect(schedule.blocking(jumpFrom: .seconds(25), to: .seconds(40)) == nil)
    }

    @Test("a jump over several events that touch plays all of them, in their order")
    func pod() {
        let required = Interstitial.Restrictions.constrainsSeekingForwardInPrimaryContent
        let samePlace = ["a", "b", "c"].map { event($0, at: 20, restrictions: required) }
        let replacing = [("a", 20), ("b", 30), ("c", 40)].map { event($0, at: $1, offset: .seconds(10), restrictions: required) }
        for pod in [samePlace, replacing] {
            var schedule = schedule([event("x", at: 10, restrictions: required)] + pod)
            var played: [String] = []
            var next = schedule.blocking(jumpFrom: .zero, to: .seconds(60))
            while let current = next, played.count < 9 {
                played.append(current.id)
                schedule.finish(current)
                next = schedule.next(after: current, jumpTo: .seconds(60))
            }
            #expect(played == ["a", "b", "c"])
        }
    }

    @Test("the presentation resumes after the offset, or after the event's duration, at a segment boundary if requested")
    func resumption() {
        func resume(_ event: Interstitial, played: Int64, left: Int64) -> MediaTime {
            InterstitialSchedule.resumption(of: event, played: .seconds(played), left: .seconds(left)) { time in
                .seconds((time.units(of: 1) + 2) / 4 * 4)
            }
        }
        #expect(resume(event("a", at: 10, offset: .zero), played: 15, left: 10) == .seconds(10))
        #expect(resume(event("a", at: 10, offset: .seconds(6)), played: 15, left: 10) == .seconds(16))
        #expect(resume(event("a", at: 10), played: 15, left: 10) == .seconds(25))
        #expect(resume(event("a", at: 10, offset: .seconds(5), snaps: true), played: 15, left: 10) == .seconds(16))
        // An event before the start does not move the viewer's start position.
        #expect(resume(event("a", at: 0, cue: .joinCue), played: 15, left: 300) == .seconds(300))
        #expect(resume(event("a", at: 60, cue: .leaveCue), played: 15, left: 60) == .seconds(60))
    }

    @Test("with any schedule, playback ends, plays each due event once, and only moves forward if the offsets do")
    func walks() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let count = Int(generator.next() % 12)
            let events = (0..<count).map { index in
                event(
                    "e\(index)", at: Int64(generator.next() % 60), cue: generator.next() % 6 == 0 ? .joinCue : [],
                    once: generator.next() % 2 == 0,
                    offset: generator.next() % 3 == 0 ? nil : .seconds(Int64(generator.next() % 20)),
                    restrictions: [], snaps: generator.next() % 2 == 0)
            }
            var schedule = schedule(events)
            var place = MediaTime.zero
            var played: [String] = []
            while let first = schedule.beforeStart {
                played.append(first.id)
                schedule.finish(first)
            }
            while let next = schedule.next(from: place) {
                #expect(next.time >= place)
                played.append(next.id)
                schedule.finish(next)
                let after = InterstitialSchedule.resumption(of: next, played: .seconds(9), left: next.time) { $0 }
                #expect(after >= place)
                place = after
                guard played.count <= count else { break }
            }
            #expect(Set(played).count == played.count)
            // An update with the same events changes nothing.
            var same = schedule
            same.update(events.reversed())
            #expect(same == schedule)
        }
    }
}
