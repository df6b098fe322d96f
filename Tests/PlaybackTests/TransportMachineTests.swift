import MediaTime
import Testing

@testable import Playback

@Suite("Start-up, stall and recovery are one state machine")
struct TransportMachineTests {
    private func machine(_ events: [TransportMachine.Event]) -> (TransportMachine, [TransportMachine.Effect]) {
        var machine = TransportMachine()
        let effects = events.flatMap { machine.handle($0) }
        return (machine, effects)
    }

    @Test("an early play request starts once everything is ready, and has its waiting reason until then")
    func start() {
        var machine = TransportMachine()
        #expect(machine.handle(.opened) == [])
        #expect(machine.handle(.rateAsked(.one)) == [])
        #expect(machine.status == .waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate))
        #expect(machine.handle(.runBegan) == [])
        #expect(machine.status == .waitingToPlayAtSpecifiedRate(.seeking))
        #expect(machine.handle(.prerolled) == [.startClock])
        #expect(machine.status == .playing)
        #expect(machine.handle(.starved) == [.stopClock, .countStall])
        #expect(machine.status == .waitingToPlayAtSpecifiedRate(.toMinimizeStalls))
        #expect(machine.handle(.recovered) == [.startClock])
        #expect(machine.handle(.reachedEnd) == [.stopClock, .tellEnd])
        #expect(machine.status == .paused && machine.rate == .zero)
    }

    @Test("at the end forward play does nothing, but backward play works")
    func end() {
        var (machine, _) = machine([.opened, .runBegan, .prerolled, .rateAsked(.one), .reachedEnd])
        #expect(machine.handle(.rateAsked(.one)) == [] && machine.rate == .zero)
        #expect(machine.handle(.rateAsked(Ratio(-1))) == [] && machine.rate == Ratio(-1))
        #expect(machine.handle(.runBegan) == [])
        #expect(machine.handle(.prerolled) == [.startClock])
        #expect(machine.handle(.reachedStart) == [.stopClock])
        #expect(machine.status == .paused)
    }

    @Test("a pause during a stall is kept; the rate survives a seek and ends with a failure")
    func wishes() {
        var (machine, _) = machine([.opened, .runBegan, .prerolled, .rateAsked(.one), .starved, .rateAsked(.zero)])
        #expect(machine.handle(.recovered) == [] && machine.status == .paused)
        #expect(machine.handle(.rateAsked(Ratio(2))) == [.startClock])
        #expect(machine.handle(.rateAsked(.one)) == [.changeClock])
        #expect(machine.handle(.runBegan) == [.stopClock] && machine.rate == .one)
        #expect(machine.handle(.failed) == [] && machine.status == .paused && machine.rate == .zero)
    }

    @Test(
        "for any order of events the clock starts and stops alternately, and runs exactly while playback is ready at a rate"
    )
    func property() {
        let events: [TransportMachine.Event] = [
            .opened, .closed, .runBegan, .prerolled, .starved, .recovered, .reachedEnd, .reachedStart, .failed, .rateAsked(.zero),
            .rateAsked(.one), .rateAsked(Ratio(2)), .rateAsked(Ratio(-1)),
        ]
        var state: UInt64 = 7
        var machine = TransportMachine()
        var isRunning = false
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for effect in machine.handle(events[Int(state >> 33) % events.count]) {
                switch effect {
                case .startClock:
                    #expect(!isRunning)
                    isRunning = true
                case .stopClock:
                    #expect(isRunning)
                    isRunning = false
                case .changeClock: #expect(isRunning)
                case .countStall, .tellEnd: #expect(!isRunning)
                }
            }
            #expect(isRunning == (machine.phase == .ready && machine.rate != .zero))
            #expect((machine.status == .playing) == isRunning)
        }
    }
}
