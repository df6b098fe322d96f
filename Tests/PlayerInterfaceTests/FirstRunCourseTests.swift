import BoxModel
import Testing

@testable import Viewing

/// The order of the steps of the first run.
@Suite struct FirstRunCourseTests {
    private static let all = FirstRunStep.allCases

    private func begun(_ steps: [FirstRunStep] = all, at step: FirstRunStep? = nil) -> FirstRunCourse {
        var course = FirstRunCourse()
        _ = course.handle(.told(FirstRunFacts(steps: steps)))
        while let step, course.step != step, course.handle(.next) != nil {}
        return course
    }

    @Test func everyStepComesOnceInItsOrder() {
        for steps in [Self.all, [.network, .channels], [.pin]] {
            var course = begun(steps)
            for (index, step) in steps.enumerated() {
                #expect(course.step == step && course.progress?.number == index + 1 && course.progress?.count == steps.count)
                #expect(course.handle(.next) == (index + 1 < steps.count ? [] : [.end]))
            }
            #expect(course.step == nil && course.facts == nil && course.progress == nil)
            #expect(course.handle(.next) == nil && course.handle(.back) == nil, "it is over")
        }
    }

    @Test func backLeadsThroughAllStepsAndOutOfTheFirst() {
        var course = begun(at: .pin)
        for step in Self.all.dropLast().reversed() {
            #expect(course.handle(.back) == [] && course.step == step)
        }
        #expect(course.handle(.back) == [.end] && course.step == nil)
    }

    @Test func aStepThatGoesAwayIsLeftAndOneBeforeItIsNotShownAgain() {
        var course = begun(at: .network)
        #expect(course.handle(.told(FirstRunFacts(steps: [.language, .channels, .pin]))) == [] && course.step == .channels)
        #expect(course.handle(.told(FirstRunFacts(steps: Self.all))) == [] && course.step == .channels)
        #expect(course.handle(.back) == [] && course.step == .network)
        #expect(course.handle(.told(FirstRunFacts(steps: []))) == [.end] && course.step == nil)
    }

    @Test func whoeverLeavesTheChannelsDoesNotWaitForThem() {
        for event in [FirstRunCourse.Event.next, .back] {
            var course = begun(at: .channels)
            var other = course
            #expect(other.handle(event) == [])
            #expect(course.handle(.told(FirstRunFacts(steps: Self.all, check: .running))) == [])
            #expect(course.handle(event) == [.giveUp])
        }
    }

    @Test func anyOrderOfEventsStaysWithinTheStepsOfTheBox() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var course = FirstRunCourse()
            for _ in 0..<40 {
                let steps = Self.all.filter { _ in Bool.random(using: &random) }
                let event: FirstRunCourse.Event = [.next, .back, .told(FirstRunFacts(steps: steps))].randomElement()!
                let requests = course.handle(event)
                #expect((course.step == nil) == (course.facts == nil))
                if let step = course.step { #expect(course.facts?.steps.contains(step) == true) }
                #expect(requests?.contains(.end) != true || course.step == nil)
            }
        }
    }
}
