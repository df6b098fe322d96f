import LinuxSupport
import MediaTime
import NetworkConditions
import Playback
import StatusModel
import TestSupport
import Testing
import WireFormats

@testable import Housekeeping

@Suite("What was played, on the disk")
@MainActor
struct PlayKeeperTests {
    private func play(
        _ id: Int, at start: Duration = .zero, shown: Int = 0, end: Play.End? = nil, date: Int64? = nil,
        span: Duration = .seconds(2)
    ) -> Play {
        var play = Play(id: id, item: "item-\(id)", starter: .queue, started: HostTime.zero + start)
        play.updated = play.started + span
        play.updatedDate = date
        (play.picturesShown, play.picturesDue, play.length, play.end) = (shown, shown + 1, span, end)
        return play
    }

    private func all(_ state: ScratchFolder) -> [StoredPlay] { PlayFile(in: state.path).page(after: 0, most: 100_000).plays }

    @Test(
        "a play that the power ended is counted at the next start as it was last written, once, and so is one that had just ended"
    )
    func interrupted() throws {
        let state = ScratchFolder("plays-cut")
        let first = PlayFile(in: state.path)
        #expect(first.begin() && first.update([play(1, shown: 5)]))
        #expect(first.keep(play(1, shown: 9, end: .completed), playing: [play(2, shown: 1)]))
        let old = try #require(fileBytes(state.path + "/plays/playing"))
        #expect(first.update([play(2, shown: 7), play(3, shown: 2)]))
        for _ in 0..<3 { #expect(PlayFile(in: state.path).begin()) }
        #expect(all(state).map(\.item) == ["item-1", "item-2", "item-3"])
        #expect(all(state).map(\.picturesShown) == [9, 7, 2] && all(state).map(\.number) == [1, 2, 3])
        #expect(all(state).map(\.end) == [.completed, .interrupted, .interrupted])
        // The power was cut before the file of what plays was replaced.
        #expect(WholeFile.write(old, to: state.path + "/plays/playing"))
        let second = PlayFile(in: state.path)
        #expect(second.begin() && second.keep(play(1, shown: 4, end: .left), playing: []))
        #expect(all(state).map(\.picturesShown) == [9, 7, 2, 4], "the first play of another run is another one")
    }

    @Test("a card that has lost the last records makes no others of numbers that a receiver has")
    func lostRecords() throws {
        let state = ScratchFolder("plays-lost")
        let file = PlayFile(in: state.path)
        #expect(file.begin())
        for id in 1...5 { #expect(file.keep(play(id, end: .completed), playing: [])) }
        #expect(file.setTold(5, .broker))
        Folder.remove(state.path + "/plays/ended")
        let later = PlayFile(in: state.path)
        #expect(later.begin() && later.keep(play(1, end: .completed), playing: []))
        #expect(all(state).map(\.number) == [6])
    }

    @Test("plays of a run that did not know the date have one as soon as that run knows it")
    func dated() throws {
        let state = ScratchFolder("plays-dated")
        let file = PlayFile(in: state.path)
        #expect(file.begin())
        #expect(file.keep(play(1, at: .seconds(10), end: .completed), playing: []))
        #expect(file.page(after: 0, most: 9).plays[0].start == nil)
        let now: (Duration, Int64) = (.seconds(100), 1_000_000_000_000)
        #expect(file.page(after: 0, most: 9, now: now).plays.map(\.start) == [910_000_000_000])
        #expect(file.keep(play(2, at: .seconds(20), end: .completed, date: 922_000_000_000), playing: []))
        #expect(file.page(after: 0, most: 9).plays.map(\.start) == [910_000_000_000, 920_000_000_000])
        #expect(file.page(after: 0, most: 1).plays.map(\.start) == [910_000_000_000], "the date is behind the page")
        #expect(file.page(after: 0, most: 1).hasMore && !file.page(after: 1, most: 1).hasMore)
        #expect(file.page(after: .max, most: 9).plays.isEmpty)
        // Another run knows nothing of the dates of this one.
        #expect(file.keep(play(3, at: .seconds(30), end: .completed), playing: []))
        let later = PlayFile(in: state.path)
        #expect(
            later.begin() && later.page(after: 2, most: 9, now: (.seconds(500), 9_000_000_000_000)).plays.map(\.start) == [nil])
    }

    @Test("plays as JSON and as CSV; what is not known is left out, and no cell is a formula")
    func forms() throws {
        var play = play(1, shown: 48, end: .completed, date: 1_800_000_002_000_000_000)
        (play.item, play.channel, play.advertisement) = ("=cmd(\"x\"),1", "lobby", "ad")
        (play.from, play.screenOffLength) = (.milliseconds(1500), .milliseconds(500))
        var stored = StoredPlay(play, run: 1)
        stored.number = 7
        #expect(
            stored.published(by: nil).text
                == #"{"number":7,"item":"=cmd(\"x\"),1","channel":"lobby","advertisement":"ad","start":"2027-01-15T08:00:00.000Z","#
                + #""from":1.500,"seconds":2.000,"picturesShown":48,"picturesDue":49,"completed":true,"end":"completed","#
                + #""screen":"partly","screenOffSeconds":0.500,"startedBy":"queue"}"#)
        #expect(
            stored.row(by: nil)
                == #"7,"'=cmd(""x""),1",lobby,ad,2027-01-15T08:00:00.000Z,1.500,2.000,48,49,true,completed,,partly,0.500,queue"#)
        #expect(StoredPlay.header(isSigned: false).split(separator: ",").count == 15)
        #expect(StoredPlay(json: stored.json.text, number: 7) == stored)
    }

    @Test(
        "a report has the plays that its receiver does not have; it acknowledges by number, and a lost answer brings the same again"
    )
    func reported() throws {
        let (loop, state, script) = (try MainLoop(time: .simulated), ScratchFolder("plays-report"), OriginScript())
        let log = LogBook(clock: loop.clock)
        let keeper = PlayKeeper(in: state.path, clock: loop.clock, log: log) { 1_800_000_000_000_000_000 }
        for id in 1...(PlayKeeper.mostPlays + 10) { keeper.keep(play(id, end: .completed), playing: []) }
        func report(_ answer: String, for length: Duration) -> [(first: Int, last: Int)?] {
            script.put(answer, at: "/report")
            let before = script.requests.count
            let sender = ReportSender(
                to: .init(address: "https://operator.example/report", interval: .seconds(86_400), seed: 1),
                loader: SimulatedOrigin(clock: loop.clock, script: script), clock: loop.clock, log: log, stateFolder: nil,
                plays: keeper, isBusy: { false }, describe: { BoxReport(box: "b", version: "1") })
            sender.start()
            loop.run(within: length, until: { false })
            sender.close()
            return script.requests.dropFirst(before).map { request in
                let numbers = Self.numbers(in: request.body ?? [])
                return numbers.first.map { ($0, numbers[numbers.count - 1]) }
            }
        }
        // The first comes within an hour, the next a day later.
        let long = Duration.seconds(3700)
        #expect(report("", for: long).map { $0?.last } == [50])
        #expect(log.tail(9).filter { $0.contains("does not acknowledge plays") }.count == 1)
        #expect(report(#"{"plays": 20}"#, for: long).map { $0?.first } == [1])
        #expect(report(#"{"plays": -1}"#, for: long).map { $0?.first } == [21])
        // A receiver that has everything is not sent more; one that claims what it was not sent has what it was sent.
        let rest = report(#"{"plays": 99999}"#, for: long)
        #expect(rest.map { $0?.first } == [21] && rest.map { $0?.last } == [60])
        #expect(report(#"{"plays": 99999}"#, for: long).allSatisfy { $0 == nil })
        keeper.close()
    }

    private static func numbers(in body: [UInt8]) -> [Int] {
        var reader = JSONReader(body, maximumDepth: 8)
        guard let node = try? reader.read(), case .object(let report) = node.value,
            case .object(let plays)? = report["plays"]?.value,
            case .array(let list)? = plays["plays"]?.value
        else { return [] }
        return list.compactMap { play in
            if case .object(let play) = play.value, case .number(let number)? = play["number"]?.value { Int(number) } else { nil }
        }
    }
}
