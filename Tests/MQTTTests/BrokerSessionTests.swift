import ChannelFeed
import LinuxSupport
import StatusModel
import TestSupport
import Testing
import WireFormats

@testable import MQTT

private typealias Rig = BrokerRig

@Suite("The session with the operator's broker")
@MainActor
struct BrokerSessionTests {
    @Test("plays are sent one message after the other, each when somebody has got the one before; what nobody gets comes again")
    func plays() throws {
        let rig = try Rig(plays: 1...5)
        let topic = "m/box/b1/plays"
        rig.link.onEvent?(.connected)
        rig.pass(.seconds(1))
        #expect(rig.link.texts(topic) == ["1-2"] && rig.acknowledged.isEmpty)
        rig.session.playsMayHaveChanged()
        rig.pass(.seconds(1))
        #expect(rig.link.texts(topic) == ["1-2"], "one is under way")
        rig.link.onEvent?(.delivered(id: 99, isTaken: true))
        #expect(rig.acknowledged.isEmpty, "another publication was confirmed")
        rig.link.onEvent?(.delivered(id: 1, isTaken: true))
        rig.pass(.seconds(1))
        #expect(rig.acknowledged == [2] && rig.link.texts(topic) == ["1-2", "3-4"])
        // Nobody has subscribed.
        rig.link.onEvent?(.delivered(id: 2, isTaken: false))
        rig.pass(.seconds(1))
        #expect(rig.link.texts(topic).count == 2)
        rig.session.playsMayHaveChanged()
        rig.pass(.seconds(1))
        #expect(rig.link.texts(topic).last == "3-4" && rig.link.texts(topic).count == 3)
        // The connection ends before the broker has confirmed it.
        rig.link.onEvent?(.ended(reason: "gone"))
        rig.session.playsMayHaveChanged()
        rig.link.onEvent?(.delivered(id: 3, isTaken: true))
        rig.pass(.seconds(10))
        rig.link.onEvent?(.connected)
        rig.pass(.seconds(1))
        #expect(rig.link.texts(topic).dropFirst(3) == ["3-4"] && rig.acknowledged == [2])
        rig.link.onEvent?(.delivered(id: 4, isTaken: true))
        rig.pass(.seconds(1))
        rig.link.onEvent?(.delivered(id: 5, isTaken: true))
        rig.pass(.seconds(1))
        #expect(rig.acknowledged == [2, 4, 5] && rig.link.texts(topic).dropFirst(4) == ["5-5"])
        // Without a date there is nothing to tell yet; the next report asks again.
        rig.plays = nil
        rig.session.playsMayHaveChanged()
        rig.plays = 1...6
        rig.pass(.seconds(61))
        #expect(rig.link.texts(topic).last == "6-6")
        rig.session.close()
    }

    @Test(
        "it asks for commands of the box, of its group and for all, and tells its state when it is accepted and when it changes")
    func connects() throws {
        let rig = try Rig()
        #expect(rig.link.connections == 1 && rig.link.published.isEmpty)
        rig.link.onEvent?(.connected)
        #expect(rig.link.topics == ["m/box/b1/command", "m/all/command", "m/group/lobby/command"])
        let first = try #require(rig.link.published.first)
        #expect(first.topic == "m/box/b1/status" && first.isRetained && first.isAssured)
        rig.session.statusMayHaveChanged()
        rig.pass(.seconds(1))
        #expect(rig.link.texts("m/box/b1/status").count == 1, "nothing has changed")
        rig.status = #"{"online":true,"state":"playing"}"#
        for _ in 0..<20 { rig.session.statusMayHaveChanged() }
        rig.pass(.seconds(1))
        #expect(rig.link.texts("m/box/b1/status").count == 2, "changes come in groups")
        rig.pass(.seconds(130))
        #expect(
            rig.link.texts("m/box/b1/report") == Array(repeating: #"{"report":1}"#, count: 3),
            "with the connection, and twice since")
        rig.session.tell("now", "{}")
        #expect(rig.link.texts("m/box/b1/event/now") == ["{}"])
        rig.session.close()
        #expect(rig.link.texts("m/box/b1/status").last == #"{"online":false}"# && rig.link.isClosed)
    }

    @Test("a broker that is away for a week costs a connection every five minutes at most, and one line of the log")
    func away() throws {
        let rig = try Rig()
        let link = rig.link
        for _ in 0..<3000 where rig.loop.clock.now < HostTime(nanoseconds: 7 * 86_400 * 1_000_000_000) {
            let before = link.connections
            link.onEvent?(.ended(reason: "Connection refused"))
            rig.loop.run { link.connections > before }
        }
        #expect(link.connections < 7 * 86_400 / 150 + 20 && link.connections > 7 * 86_400 / 300)
        #expect(rig.log.tail(10).count == 1)
        link.onEvent?(.connected)
        #expect(rig.log.tail(1)[0].hasSuffix("broker: connected"))
        rig.session.close()
    }

    @Test("a command is carried out and answered where its sender wants it; the same id is not done twice, also after a restart")
    func once() throws {
        let folder = ScratchFolder("broker")
        let file = folder.path + "/commands"
        let rig = try Rig(memoryFile: file)
        rig.link.onEvent?(.connected)
        let order = #"{"id":"a-1","path":"/v1/play","body":{"id":"e1"}}"#
        rig.link.deliver(order, to: "desk/replies", [1, 2, 3])
        rig.pass(.seconds(1))
        let done = rig.done
        #expect(done.count == 1 && done[0].method == "POST" && done[0].path == "/v1/play")
        #expect(String(decoding: done[0].body, as: UTF8.self) == #"{"id":"e1"}"#)
        let reply = try #require(rig.link.published.last)
        #expect(reply.correlation == [1, 2, 3] && reply.isAssured && !reply.isRetained)
        #expect(rig.link.texts("desk/replies") == [#"{"id":"a-1","box":"b1","status":200,"answer":{"result":"success"}}"#])
        rig.link.deliver(order)
        #expect(rig.answers.count == 1 && rig.answers[0].contains("\"status\":409"))
        rig.session.close()

        let second = try Rig(memoryFile: file)
        second.link.onEvent?(.connected)
        second.link.deliver(order)
        second.pass(.seconds(1))
        #expect(second.done.isEmpty && second.answers[0].contains("\"status\":409"))
        second.session.close()
    }

    @Test("a command that is late, or may be late for all that the box knows, is not done")
    func late() throws {
        let rig = try Rig()
        rig.link.onEvent?(.connected)
        let order = { (id: String) in #"{"id":"\#(id)","path":"/v1/standby","body":{},"until":"2026-11-28T18:00:00Z"}"# }
        rig.link.deliver(order("1"))
        rig.date = FeedDate("2026-11-28T18:00:01Z")
        rig.link.deliver(order("2"))
        rig.date = FeedDate("2026-11-28T17:59:59Z")
        rig.link.deliver(order("3"))
        rig.pass(.seconds(1))
        #expect(rig.answers.map { $0.contains("\"status\":503") } == [true, false, false])
        #expect(rig.answers[1].contains("\"status\":408") && rig.answers[2].contains("\"status\":200"))
        #expect(rig.done.map(\.id) == ["3"])
        rig.session.close()
    }

    @Test(
        "what is no command is refused in words",
        arguments: [
            "", "nonsense", "[]", #"{"path":"/v1/now"}"#, #"{"id":"1"}"#, #"{"id":"1","path":"v1/now"}"#,
            #"{"id":"1","id":"2","path":"/v1/now"}"#,
            #"{"id":"1","path":"/v1/now","until":"tomorrow"}"#, #"{"id":"1","path":"/v1/now","method":"DELETE"}"#,
            #"{"id":"a b","path":"/v1/now"}"#,
            String(repeating: "[", count: 100_000), "\"" + String(repeating: "x", count: 1 << 20) + "\"",
            "{\"id\":\"\u{0}\",\"path\":\"/\"}",
        ])
    func refused(_ text: String) throws {
        let rig = try Rig()
        rig.link.onEvent?(.connected)
        rig.link.deliver(text)
        #expect(rig.answers.count == 1 && rig.answers[0].contains("\"status\":400"))
        rig.pass(.seconds(1))
        #expect(rig.done.isEmpty)
        rig.session.close()
    }

    @Test("commands are done in their order, one at a time; a flood of them is refused and costs a bounded number")
    func flood() throws {
        let rig = try Rig()
        rig.link.onEvent?(.connected)
        for number in 0..<100 { rig.link.deliver(#"{"id":"\#(number)","path":"/v1/now"}"#) }
        rig.pass(.seconds(1))
        let done = rig.done.map(\.id)
        #expect(done == (0..<17).map(String.init))
        #expect(rig.answers.count { $0.contains("\"status\":503") } == 83)
        rig.session.close()
    }

    @Test("answers that no connection takes are kept for the next one, and no more than sixteen of them")
    func unsent() throws {
        let rig = try Rig()
        rig.link.onEvent?(.connected)
        rig.link.onEvent?(.ended(reason: "gone"))
        for number in 0..<20 { rig.link.deliver("\(number)") }
        #expect(rig.answers.isEmpty)
        rig.link.onEvent?(.connected)
        #expect(rig.answers.count == 16)
        rig.session.close()
    }
}

@Suite("Reconnection and memory")
struct BrokerValueTests {
    @Test("waits double up to five minutes, and differ between boxes")
    func waits() {
        var one = Reconnection(seed: 1)
        var other = Reconnection(seed: 2)
        let waits = (0..<40).map { _ in one.failed() }
        #expect(waits != (0..<40).map { _ in other.failed() })
        for (number, wait) in waits.enumerated() {
            let length = min(Duration.seconds(2) * (1 << min(number, 10)), .seconds(300))
            #expect(wait >= length / 2 && wait <= length)
        }
        one.succeeded()
        #expect(one.failed() <= .seconds(2))
    }

    @Test("the memory keeps the last ids, and reads what it wrote")
    func memory() {
        var memory = CommandMemory()
        for number in 0..<2000 { memory.insert("id-\(number)") }
        #expect(!memory.contains("id-1487") && memory.contains("id-1488") && memory.contains("id-1999"))
        #expect(CommandMemory(memory.text) == memory)
    }
}
