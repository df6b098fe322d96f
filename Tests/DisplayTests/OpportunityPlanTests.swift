import LinuxSupport
import MediaModel
import Testing

@testable import Display

@Suite("When a source is asked")
struct OpportunityPlanTests {
    private let interval = Duration.milliseconds(16)
    private let start = HostTime.zero + .seconds(5)

    /// A screen whose last flip was at `start`.
    private var blanks: BlankTimeline {
        var blanks = BlankTimeline()
        _ = blanks.flipped(at: start, sequence: 7, interval: interval)
        return blanks
    }

    /// A source that has nothing before some time after the last flip.
    private func plan(notBefore ahead: Duration?) -> OpportunityPlan {
        var plan = OpportunityPlan()
        plan.beginAsking()
        plan.take(PresentationAnswer(scene: nil, wantsNext: true, notBefore: ahead.map { start + $0 }))
        return plan
    }

    private func question(_ plan: OpportunityPlan, at now: Duration, preparing: Duration = .zero) -> Duration {
        plan.nextQuestion(at: start + now, blanks: blanks, interval: interval, preparing: preparing) - start
    }

    @Test("it is asked just after the blank before the first one for which it may have something")
    func inTime() {
        #expect(question(plan(notBefore: .milliseconds(40)), at: .zero) == .microseconds(32_200))
        #expect(question(plan(notBefore: .milliseconds(47)), at: .zero) == .microseconds(32_200))
        #expect(question(plan(notBefore: .milliseconds(9)), at: .milliseconds(1)) == .milliseconds(1))
        #expect(question(plan(notBefore: .milliseconds(-9)), at: .milliseconds(1)) == .milliseconds(1))
    }

    @Test("a blank that may be the one by the error of its time is not passed over")
    func error() {
        #expect(question(plan(notBefore: .microseconds(48_001)), at: .zero) == .microseconds(32_200))
        #expect(question(plan(notBefore: .microseconds(50_001)), at: .zero) == .microseconds(48_200))
    }

    @Test("what the CPU prepares is begun earlier, but at most two blanks and the overhead")
    func preparing() {
        let plan = plan(notBefore: .milliseconds(150))
        #expect(question(plan, at: .zero, preparing: .milliseconds(14)) == .microseconds(144_200))
        #expect(question(plan, at: .zero, preparing: .milliseconds(15)) == .microseconds(128_200))
        #expect(question(plan, at: .zero, preparing: .seconds(9)) == .microseconds(112_200))
        #expect(question(plan, at: .milliseconds(155), preparing: .seconds(9)) == .milliseconds(155))
    }

    @Test("it is asked at once when it is woken, when it does not know, when its scene was lost, and before the first flip")
    func atOnce() {
        let now = Duration.milliseconds(3)
        #expect(question(plan(notBefore: nil), at: now) == now)
        var woken = plan(notBefore: .seconds(3))
        #expect(!woken.isWoken && woken.isWanted)
        woken.wake()
        #expect(woken.isWoken && !woken.needsScene)
        #expect(question(woken, at: now) == now)
        var lost = plan(notBefore: .seconds(3))
        lost.demandScene()
        #expect(lost.isWoken && lost.needsScene)
        #expect(question(lost, at: now) == now)
        lost.sceneWasShown()
        #expect(lost.isWanted && !lost.needsScene)
        let first = plan(notBefore: .seconds(3))
            .nextQuestion(at: start, blanks: BlankTimeline(), interval: interval, preparing: .zero)
        #expect(first == start)
    }

    @Test("a source that wants nothing is not asked, and its time is forgotten")
    func nothing() {
        var plan = plan(notBefore: .seconds(3))
        plan.beginAsking()
        plan.take(PresentationAnswer(scene: nil, wantsNext: false, notBefore: start + .seconds(3)))
        #expect(!plan.isWanted && !plan.isWoken)
        plan.wake()
        #expect(question(plan, at: .zero) == .zero)
    }

    @Test("a time far away is not waited for longer than the clock of the screen is known, and extreme times do not trap")
    func extremes() {
        #expect(question(plan(notBefore: .seconds(3600)), at: .milliseconds(2)) == interval * 32 + .milliseconds(2))
        for nanoseconds in [Int64.min, -1, 0, .max] {
            var plan = OpportunityPlan()
            plan.take(PresentationAnswer(scene: nil, wantsNext: true, notBefore: HostTime(nanoseconds: nanoseconds)))
            let question = plan.nextQuestion(at: start, blanks: blanks, interval: interval, preparing: .seconds(Int64.max / 4))
            #expect(question >= start && question <= start + interval * 32)
        }
    }

    /// - Parameter shown: the blank of the scene that waits for its flip, after the last one.
    private func ahead(_ plan: OpportunityPlan, of shown: Int, at now: Duration = .milliseconds(2), preparing: Duration) -> Int64?
    {
        plan.countAhead(
            of: start + interval * shown, at: start + now, after: start, interval: interval, preparing: preparing)
    }

    @Test(
        "a scene that is prepared ahead is for a blank behind the other one that can still be met and for which there is something"
    )
    func preparedAhead() {
        #expect(ahead(plan(notBefore: nil), of: 1, preparing: .milliseconds(10)) == 2)
        #expect(ahead(plan(notBefore: nil), of: 1, preparing: .milliseconds(31)) == 3)
        #expect(ahead(plan(notBefore: nil), of: 2, preparing: .milliseconds(10)) == 3)
        #expect(ahead(plan(notBefore: nil), of: -4, preparing: .milliseconds(10)) == 1)
        #expect(ahead(plan(notBefore: .milliseconds(47)), of: 1, preparing: .milliseconds(10)) == 3)
        #expect(ahead(plan(notBefore: .milliseconds(80)), of: 1, preparing: .milliseconds(10)) == 5)
        #expect(ahead(plan(notBefore: .milliseconds(90)), of: 1, preparing: .milliseconds(10)) == nil)
        for nanoseconds in [Int64.min, -1, 0, .max] {
            var plan = OpportunityPlan()
            plan.take(PresentationAnswer(scene: nil, wantsNext: true, notBefore: HostTime(nanoseconds: nanoseconds)))
            let count = ahead(plan, of: 1, preparing: .seconds(Int64.max / 4))
            #expect(count == (nanoseconds == .max ? nil : 3))
        }
    }
}
