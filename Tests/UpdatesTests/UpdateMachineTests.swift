import LinuxSupport
import MediaTime
import Testing

@testable import Updates

@Suite("The course of an update")
struct UpdateMachineTests {
    private let policy = UpdatePolicy(window: DailyWindow("02:00-05:00")!, spread: 0)

    /// A good moment at 03:00, `hours` after the start.
    private func night(_ hours: Double = 100) -> UpdateSurroundings {
        UpdateSurroundings(
            now: .zero + .seconds(hours * 3600), timeOfDay: 3 * 3600, lastKey: nil, hasNetwork: true, isMetered: false,
            freeBytes: 1 << 30, temperature: 50_000)
    }

    private func isInstall(_ effects: [UpdateMachine.Effect]) -> Bool {
        effects.contains { if case .install = $0 { true } else { false } }
    }

    @Test("offer, installation, restart")
    func whole() throws {
        var machine = UpdateMachine(candidate(), policy: policy)
        let effects = machine.take(try notice(), night())
        #expect(
            effects.contains(.install(version: "0.2.0", bundle: "https://cdn.example/boxes/marquee-raspberrypi-0.2.0.raucb")))
        #expect(machine.take(.progress(percent: 40), of: "0.2.0", night()) == [])
        #expect(machine.state == .installing(try notice(), percent: 40))
        // A report of another version is of an installation that was given up.
        #expect(machine.take(.installed, of: "0.1.9", night()) == [])
        #expect(machine.take(.installed, of: "0.2.0", night()).contains(.restart))
        // The restart takes its time, and is asked for again if it does not come.
        #expect(machine.look(night(100.01)) == [])
        #expect(machine.look(night(100.1)).contains(.restart))
    }

    @Test(
        "it waits for what it needs, and says which",
        arguments: [
            (\UpdateSurroundings.hasNetwork, false, UpdateHindrance.noNetwork), (\.isMetered, true, .metered),
        ])
    func truths(path: WritableKeyPath<UpdateSurroundings, Bool> & Sendable, value: Bool, hindrance: UpdateHindrance) throws {
        try check(hindrance, holdsForCritical: true) { $0[keyPath: path] = value }
    }

    @Test("and for space, a cool processor, the date, the window, and an evening without viewers")
    func others() throws {
        try check(.lowSpace, holdsForCritical: true) { $0.freeBytes = 1 << 20 }
        try check(.heat, holdsForCritical: true) { $0.temperature = 81_000 }
        try check(.dateUnknown, holdsForCritical: false) { $0.timeOfDay = nil }
        try check(.outsideWindow, holdsForCritical: false) { $0.timeOfDay = 20 * 3600 }
        try check(.watched, holdsForCritical: false) { $0.lastKey = $0.now - .seconds(1799) }
    }

    @Test("what the operator asks for now waits neither for hours nor for viewers, until another release is offered")
    func asked() throws {
        var evening = night()
        (evening.timeOfDay, evening.lastKey) = (20 * 3600, evening.now)
        var machine = UpdateMachine(candidate(), policy: policy)
        #expect(!isInstall(machine.take(try notice(), evening)))
        #expect(isInstall(machine.take(try notice(), isAsked: true, evening)), "the same offer")
        // The next answer to a poll does not take it back.
        #expect(machine.take(try notice(), evening) == [])
        let failed = machine.take(.failed("no"), of: "0.2.0", evening)
        #expect(!isInstall(failed))
        #expect(
            isInstall(machine.take(try notice(), isAsked: true, evening)), "asked again, it does not wait for the next attempt")
        #expect(machine.take(.installed, of: "0.2.0", evening).contains(.restart))
        // What hinders the machine itself still does.
        for path in [\UpdateSurroundings.isMetered] {
            var hindered = evening
            hindered[keyPath: path] = true
            var other = UpdateMachine(candidate(), policy: policy)
            #expect(!isInstall(other.take(try notice(), isAsked: true, hindered)))
            #expect(isInstall(other.look(evening)))
        }
        #expect(!isInstall(machine.take(try notice("0.3.0"), evening)), "another release waits for the night again")
    }

    /// The hindrance keeps an installation from beginning, and ends one; without it the update goes on.
    private func check(
        _ hindrance: UpdateHindrance, holdsForCritical: Bool, change: (inout UpdateSurroundings) -> Void
    ) throws {
        for isCritical in [false, true] {
            var machine = UpdateMachine(candidate(), policy: policy)
            var bad = night()
            change(&bad)
            let offer = try notice("0.2.0", isCritical ? #","critical":true"# : "")
            let waits = !isCritical || holdsForCritical
            #expect(isInstall(machine.take(offer, bad)) != waits, "\(hindrance) \(isCritical)")
            guard waits else { continue }
            #expect(machine.state == .waiting(offer, hindrance))
            #expect(isInstall(machine.look(night())))
            #expect(machine.take(.progress(percent: 90), of: "0.2.0", bad).contains(.cancel))
            #expect(machine.state == .waiting(offer, hindrance))
            #expect(isInstall(machine.look(night(101))))
        }
    }

    @Test("a restart needs no network, and waits for the night")
    func restart() throws {
        var machine = UpdateMachine(candidate(), policy: policy)
        _ = machine.take(try notice(), night())
        var evening = night(117)
        evening.timeOfDay = 20 * 3600
        evening.hasNetwork = false
        #expect(!machine.take(.installed, of: "0.2.0", evening).contains(.restart))
        #expect(machine.state == .installed(try notice(), .outsideWindow))
        var next = night(124)
        next.hasNetwork = false
        next.lastKey = next.now - .seconds(60)
        #expect(machine.look(next) == [])
        next.lastKey = nil
        #expect(machine.look(next).contains(.restart))
    }

    @Test("a failed one is tried again at growing intervals, and the reason is kept until one succeeds")
    func failures() throws {
        var machine = UpdateMachine(candidate(), policy: policy)
        var now = night(0)
        _ = machine.take(try notice(), now)
        for wait in [900.0, 1800, 3600, 7200] {
            #expect(!isInstall(machine.take(.failed("the bundle is cut off"), of: "0.2.0", now)))
            #expect(machine.state == .waiting(try notice(), .retry) && machine.lastFailure == "the bundle is cut off")
            now.now = now.now + .seconds(wait - 1)
            #expect(!isInstall(machine.look(now)))
            now.now = now.now + .seconds(1)
            #expect(isInstall(machine.look(now)))
        }
        for _ in 0..<100 {
            _ = machine.take(.failed("x"), of: "0.2.0", now)
            now.now = now.now + .seconds(86_400)
            #expect(isInstall(machine.look(now)))
        }
        _ = machine.take(.installed, of: "0.2.0", now)
        #expect(machine.failures == 0 && machine.lastFailure == nil)
    }

    @Test("an installer that reports nothing has failed after half an hour")
    func silence() throws {
        var machine = UpdateMachine(candidate(), policy: policy)
        _ = machine.take(try notice(), night(0))
        _ = machine.take(.progress(percent: 3), of: "0.2.0", night(0.4))
        #expect(machine.look(night(0.8)) == [])
        #expect(machine.look(night(0.9)).contains(.cancel))
        #expect(machine.state == .waiting(try notice(), .retry) && machine.lastFailure?.contains("half an hour") == true)
    }

    @Test("an offer that is halted or replaced is given up, also when it is installed and not started")
    func withdrawn() throws {
        for isInstalled in [false, true] {
            var machine = UpdateMachine(candidate(), policy: policy)
            var now = night()
            _ = machine.take(try notice(), now)
            now.timeOfDay = 12 * 3600
            if isInstalled { _ = machine.take(.installed, of: "0.2.0", now) }
            #expect(machine.take(try notice("0.2.0", #","share":0"#), now).contains(.cancel))
            #expect(machine.state == .idle(.outsideShare))
            // Halted is said once.
            #expect(machine.take(try notice("0.2.0", #","share":0"#), now) == [])
        }
        var machine = UpdateMachine(candidate(), policy: policy)
        _ = machine.take(try notice(), night())
        let effects = machine.take(try notice("0.2.1"), night())
        #expect(effects.contains(.cancel) && isInstall(effects))
        // The installer first ends what it does.
        #expect(effects.firstIndex(of: .cancel)! < effects.firstIndex { isInstall([$0]) }!)
    }

    @Test("the same offer for more boxes, or as a critical one, does not begin again")
    func raised() throws {
        var machine = UpdateMachine(candidate(), policy: policy)
        _ = machine.take(try notice("0.2.0", #","share":99"#), night())
        _ = machine.take(.progress(percent: 40), of: "0.2.0", night())
        var noon = night(100.2)
        noon.timeOfDay = 12 * 3600
        #expect(machine.take(try notice("0.2.0", #","critical":true"#), noon) == [])
        #expect(machine.state == .installing(try notice("0.2.0", #","critical":true"#), percent: 40))
        #expect(machine.take(.installed, of: "0.2.0", noon).contains(.restart))
    }

    @Test("what was installed before a restart of the player is not installed again")
    func written() throws {
        var machine = UpdateMachine(candidate(), policy: policy, written: "0.2.0")
        let effects = machine.take(try notice(), night())
        #expect(effects.contains(.restart) && !isInstall(effects))
    }

    @Test("random events: one installation at a time, none in a bad moment, and no restart without one", arguments: 0..<200)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var machine = UpdateMachine(candidate(refused: [version("0.4.0"): "x"]), policy: policy)
        let offers = try [
            notice(), notice("0.2.0", #","share":0"#), notice("0.3.0"), notice("0.3.0", #","critical":true"#), notice("0.4.0"),
            notice("0.1.0"),
        ]
        var (now, running, installed) = (night(0), String?.none, String?.none)
        for _ in 0..<400 {
            now.now = now.now + .seconds(Int(random.next() % 4000))
            now.timeOfDay = random.next() % 10 == 0 ? nil : Int(random.next() % 86_400)
            now.lastKey = random.next() % 3 == 0 ? now.now - .seconds(Int(random.next() % 4000)) : now.lastKey
            now.hasNetwork = random.next() % 10 != 0
            now.isMetered = random.next() % 10 == 0
            let effects: [UpdateMachine.Effect]
            switch random.next() % 5 {
            case 0: effects = machine.take(offers[Int(random.next() % UInt64(offers.count))], now)
            case 1:
                let report: UpdateMachine.Report =
                    switch random.next() % 4 {
                    case 0: .installed
                    case 1: .failed("x")
                    default: .progress(percent: Int(random.next() % 200))
                    }
                // Without an installation it is a late report of one that was cancelled.
                let version = running ?? "9.9.9"
                if report == .installed, running != nil { (installed, running) = (running, nil) }
                if case .failed = report { running = nil }
                effects = machine.take(report, of: version, now)
            default: effects = machine.look(now)
            }
            for effect in effects {
                switch effect {
                case .cancel: (running, installed) = (nil, nil)
                case .install(let version, _):
                    #expect(running == nil)
                    #expect(now.hasNetwork && !now.isMetered && version != "0.4.0" && version != "0.1.0")
                    running = version
                case .restart: #expect(installed != nil)
                case .note(let text): #expect(!text.contains("\n"))
                }
            }
        }
    }
}
