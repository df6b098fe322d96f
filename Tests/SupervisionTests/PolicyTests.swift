import Testing

@testable import Supervision

@Suite("The policy for crashes")
struct CrashPolicyTests {
    private func crashes(_ list: [(String?, Int)]) -> [CrashPolicy.Crash] {
        list.map { CrashPolicy.Crash(item: $0.0, age: .seconds($0.1), build: "b1") }
    }

    @Test("few crashes, or crashes far apart, change nothing")
    func few() {
        let policy = CrashPolicy()
        #expect(policy.decide([], build: "b1") == .init())
        #expect(policy.decide(crashes([("e1", 10), ("e1", 20), ("e2", 30), (nil, 40)]), build: "b1") == .init())
        #expect(policy.decide(crashes([("e1", 10), ("e1", 620), ("e1", 1300)]), build: "b1") == .init())
    }

    @Test("three on one item within ten minutes exclude it for a day, with no other effect")
    func item() {
        let policy = CrashPolicy()
        #expect(policy.decide(crashes([("e1", 10), ("e1", 300), ("e1", 610), ("e2", 5)]), build: "b1") == .init(skipped: ["e1"]))
        #expect(policy.decide(crashes([("e1", 80_000), ("e1", 80_100), ("e1", 80_200)]), build: "b1") == .init(skipped: ["e1"]))
        #expect(policy.decide(crashes([("e1", 86_400), ("e1", 86_500), ("e1", 86_600)]), build: "b1") == .init())
        #expect(
            policy.decide(crashes([("e1", 50), ("e1", 5000), ("e1", 5100), ("e1", 5200)]), build: "b1") == .init(skipped: ["e1"]),
            "any three within ten minutes count")
    }

    @Test("five in all within ten minutes put the box in safe mode until there are fewer")
    func all() {
        let policy = CrashPolicy()
        let five = crashes([("e1", 10), (nil, 100), ("e2", 200), ("e1", 300), (nil, 590)])
        #expect(policy.decide(five, build: "b1") == .init(staysSafe: true, triesAgainAfter: .seconds(10)))
        #expect(policy.decide(five.map { .init(item: $0.item, age: $0.age + .seconds(11), build: "b1") }, build: "b1") == .init())
        let six = crashes([(nil, 1), (nil, 2), (nil, 3), (nil, 4), (nil, 5), (nil, 6)])
        #expect(policy.decide(six, build: "b1").triesAgainAfter == .seconds(595))
    }

    @Test("another build starts with no crashes")
    func build() {
        let crashes = crashes([("e1", 1), ("e1", 2), ("e1", 3), ("e1", 4), ("e1", 5)])
        #expect(CrashPolicy().decide(crashes, build: "b2") == .init())
        #expect(CrashPolicy().decide(crashes, build: "b1").staysSafe)
    }

    @Test("ages are exact within a boot and use the date between boots")
    func ages() throws {
        let record = try #require(CrashRecord("marquee crash 1\nboot abc\nuptime 5000000000\nwall 1000\nend\n"))
        #expect(MachineInstant(boot: "abc", uptime: .seconds(9), wall: 0).age(of: record) == .seconds(4))
        #expect(MachineInstant(boot: "def", uptime: .seconds(9), wall: 1600).age(of: record) == .seconds(600))
        #expect(
            MachineInstant(boot: "def", uptime: .seconds(9), wall: 5).age(of: record) == .zero,
            "a date that went back is not used")
    }
}

@Suite("What feeds the watchdog")
struct FlipPulseTests {
    @Test("a flip since the last beat feeds it, no flip does not, and a late flip feeds it again")
    func flips() {
        var pulse = FlipPulse()
        #expect(pulse.beat(flips: 0, answers: 0, isScreenLost: false) == .init(feeds: true, asks: .flip))
        #expect(pulse.beat(flips: 1, answers: 0, isScreenLost: false).feeds)
        #expect(!pulse.beat(flips: 1, answers: 0, isScreenLost: false).feeds)
        #expect(!pulse.beat(flips: 1, answers: 0, isScreenLost: false).feeds)
        #expect(pulse.beat(flips: 2, answers: 0, isScreenLost: false).feeds)
    }

    @Test("without a screen the replies of the display's thread feed it")
    func lost() {
        var pulse = FlipPulse()
        _ = pulse.beat(flips: 7, answers: 0, isScreenLost: false)
        #expect(pulse.beat(flips: 7, answers: 0, isScreenLost: true) == .init(feeds: false, asks: .answer))
        #expect(pulse.beat(flips: 7, answers: 1, isScreenLost: true) == .init(feeds: true, asks: .answer))
        #expect(!pulse.beat(flips: 7, answers: 1, isScreenLost: true).feeds)
        #expect(pulse.beat(flips: 8, answers: 1, isScreenLost: false).asks == .flip)
    }

    @Test("it beats four times per watchdog interval")
    func interval() { #expect(FlipPulse.interval(for: .seconds(10)) == .milliseconds(2500)) }
}

@Suite("The time stamps of a boot")
struct BootStampsTests {
    @Test("each step is recorded once, and the file is read back unchanged")
    func steps() throws {
        var stamps = BootStamps()
        stamps.reach(.main)
        stamps.reach(.flip)
        let first = try #require(stamps.nanoseconds[.main])
        stamps.reach(.main)
        #expect(stamps.nanoseconds[.main] == first)
        #expect(BootStamps(stamps.text + "nonsense\nflip\n") == stamps)
        #expect(stamps.text.hasPrefix("main \(first)\nflip "))
    }
}
