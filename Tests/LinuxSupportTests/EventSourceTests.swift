import Testing

@testable import LinuxSupport

@Suite("Events with several listeners")
@MainActor
struct EventSourceTests {
    @Test("each listener receives each event, in the order in which they subscribed")
    func order() {
        let source = EventSource<Int>()
        var heard: [String] = []
        let subscriptions = ["a", "b"].map { name in source.listen { heard.append("\(name)\($0)") } }
        source.send(1)
        source.send(2)
        #expect(heard == ["a1", "b1", "a2", "b2"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("an event sent by a listener is delivered after all listeners have received the current one")
    func queued() {
        let source = EventSource<Int>()
        var heard: [String] = []
        let first = source.listen {
            heard.append("a\($0)")
            if $0 < 3 { source.send($0 + 1) }
            heard.append("a\($0) done")
        }
        let second = source.listen { heard.append("b\($0)") }
        source.send(1)
        #expect(heard == ["a1", "a1 done", "b1", "a2", "a2 done", "b2", "a3", "a3 done", "b3"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("the events of a change are delivered when the outermost change is complete, also when it throws")
    func held() throws {
        struct Failure: Error {}
        let source = EventSource<Int>()
        var heard: [Int] = []
        let subscription = source.listen { heard.append($0) }
        let result = source.whileHolding {
            source.send(1)
            source.whileHolding { source.send(2) }
            #expect(heard.isEmpty)
            return 7
        }
        #expect(result == 7 && heard == [1, 2])
        #expect(throws: Failure.self) {
            try source.whileHolding {
                source.send(3)
                throw Failure()
            }
        }
        #expect(heard == [1, 2, 3])
        withExtendedLifetime(subscription) {}
    }

    @Test("a cancelled or released subscription receives nothing more, not even the event that is being delivered")
    func ended() {
        let source = EventSource<Int>()
        var heard: [String] = []
        var second: Subscription?
        let first = source.listen {
            heard.append("a\($0)")
            if $0 == 2 { second?.cancel() }
        }
        second = source.listen { heard.append("b\($0)") }
        var third: Subscription? = source.listen { heard.append("c\($0)") }
        source.send(1)
        third = nil
        source.send(2)
        second = nil
        source.send(3)
        #expect(heard == ["a1", "b1", "c1", "a2", "a3"])
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("a listener that subscribes during a delivery receives the next event")
    func late() {
        let source = EventSource<Int>()
        var heard: [String] = []
        var late: Subscription?
        let first = source.listen {
            heard.append("a\($0)")
            if late == nil { late = source.listen { heard.append("b\($0)") } }
        }
        source.send(1)
        source.send(2)
        #expect(heard == ["a1", "a2", "b2"])
        withExtendedLifetime((first, late)) {}
    }

    @Test("a call is made in order with the events")
    func calls() {
        let source = EventSource<Int>()
        var received: [String] = []
        let subscription = source.listen { event in
            received.append("\(event)")
            if event == 1 { source.call { received.append("nested") } }
        }
        defer { subscription.cancel() }
        source.whileHolding {
            source.send(1)
            source.call { received.append("call") }
            source.send(2)
            #expect(received.isEmpty)
        }
        source.call { received.append("at once") }
        #expect(received == ["1", "call", "2", "nested", "at once"])
    }
}
