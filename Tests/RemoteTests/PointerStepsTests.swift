import BoxModel
import LinuxSupport
import Testing

@testable import Remote

@Suite("Motion of pointing devices")
struct PointerStepsTests {
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test(
        "a steady motion is steps in its direction",
        arguments: [
            (PointerSteps.Axis.horizontal, Int32(20), RemoteKey.right), (.horizontal, -20, .left), (.vertical, 20, .down),
            (.vertical, -20, .up),
        ])
    func direction(axis: PointerSteps.Axis, counts: Int32, key: RemoteKey) {
        var steps = PointerSteps()
        let made = (0..<40).compactMap { steps.move(axis, by: counts, at: at(Int64($0) * 40)) }
        #expect(made == Array(repeating: key, count: 10))
    }

    @Test("the trembling of a hand moves nothing")
    func trembling() {
        var steps = PointerSteps()
        var random = SeededGenerator(seed: 7)
        var made: [RemoteKey] = []
        for moment in 0..<2000 {
            let counts = Int32.random(in: -6...6, using: &random)
            made += [steps.move(moment % 2 == 0 ? .horizontal : .vertical, by: counts, at: at(Int64(moment) * 400))].compactMap {
                $0
            }
        }
        #expect(made.isEmpty)
    }

    @Test("a slanting motion is one step, in the direction in which it goes further")
    func slanting() {
        var steps = PointerSteps()
        #expect(steps.move(.vertical, by: 70, at: at(0)) == nil)
        #expect(steps.move(.horizontal, by: 79, at: at(5)) == nil)
        #expect(steps.move(.horizontal, by: 1, at: at(10)) == .right)
        #expect(steps.move(.vertical, by: 70, at: at(200)) == nil, "the rest of the motion is not another step")
    }

    @Test("steps follow one another at most every 90 ms, whatever a device reports")
    func pace() {
        var steps = PointerSteps()
        let made = (0..<900).filter { steps.move(.horizontal, by: $0 % 2 == 0 ? .max : .min, at: at(Int64($0))) != nil }
        #expect(made.count <= 10 && zip(made, made.dropFirst()).allSatisfy { $1 - $0 >= 90 })
        var wheel = PointerSteps()
        #expect(wheel.move(.wheel, by: .min, at: at(0)) == .down && wheel.move(.wheel, by: .max, at: at(90)) == .up)
        #expect(wheel.move(.wheel, by: 0, at: at(500)) == nil)
    }
}

@Suite("One press of the power key")
struct PowerGuardTests {
    private func event(_ key: RemoteKey, _ phase: KeyPhase, _ milliseconds: Int64, device: String = "event1") -> RemoteEvent {
        RemoteEvent(key: key, phase: phase, time: HostTime(nanoseconds: milliseconds * 1_000_000), device: device)
    }

    /// The milliseconds of the events that pass.
    private func passing(_ events: [RemoteEvent]) -> [Int64] {
        var power = PowerGuard()
        return events.filter { power.passes($0) }.map { $0.time.nanoseconds / 1_000_000 }
    }

    @Test("a bouncing button is one press; a second press half a second later is another one")
    func bounce() {
        let events = [
            event(.power, .press, 1000), event(.power, .release, 1030), event(.power, .press, 1060), event(.power, .repeat, 1400),
            event(.power, .release, 1450), event(.power, .press, 1500), event(.power, .release, 1600),
        ]
        #expect(passing(events) == [1000, 1030, 1500, 1600])
    }

    @Test("the same press over infrared and HDMI-CEC is one, in whichever order the devices are read")
    func twoWays() {
        let events = [
            event(.power, .press, 1040), event(.power, .press, 1000, device: "event2"), event(.power, .release, 1100),
            event(.power, .release, 1120, device: "event2"), event(.power, .press, 2000, device: "event2"),
            event(.power, .release, 2100, device: "event2"),
        ]
        #expect(passing(events) == [1040, 1100, 2000, 2100])
    }

    @Test("other keys always pass")
    func others() {
        let events = (0..<8).map { event(.right, $0 % 2 == 0 ? .press : .release, Int64($0) * 5) }
        #expect(passing(events).count == 8)
    }
}
