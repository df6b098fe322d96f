import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("Reports to the operator", .serialized)
@MainActor
struct ReportTests {
    /// A playback of this many seconds with some faults.
    private func log(
        _ session: String, watched: Int, errors: [MediaError] = [], url: String = "https://cdn.example/a.m3u8?token=S"
    ) -> PlaybackLog {
        var log = PlaybackLog(sessionID: session)
        log.begin(RenditionFacts(url: url), type: "VOD", date: nil, offset: .zero)
        log.started(after: .milliseconds(700 + watched))
        log.watched(.seconds(watched))
        log.stalled()
        log.dropped(3)
        for error in errors { log.note(error, url: url, date: nil, isFatal: error.code == .sourceMissing) }
        log.close()
        return log
    }

    @Test("a report is one JSON object; unknown values are null")
    func text() {
        let tally = PlaybackTally(next: nil)
        tally.keep(PlaybackLog(sessionID: "empty"))
        tally.keep(
            log(
                "1", watched: 60,
                errors: [MediaError(.sourceTimeout, "Slow.", fault: .status(504)), MediaError(.sourceMissing, "Gone.")]))
        var report = BoxReport(box: "room \"7\"", version: "1.2.3")
        report.feed = ("acme", 412)
        report.state.word = "playing"
        report.playerUptime = .milliseconds(61_005)
        report.health = BoxHealth(faults: [.screenLost])
        report.machine.temperature = 52_340
        report.playback = tally.sum(with: log("2", watched: 30, errors: [MediaError(.sourceTimeout, "Slow.")]))
        let build = report.text.firstRange(of: "\"build\":").map { report.text[$0.upperBound...].prefix { $0 != "," } } ?? ""
        #expect(
            report.text == """
                {"report":1,"box":"room \\"7\\"","group":null,"board":null,"interval":null,"date":null,"version":"1.2.3","build":\(build),"uptime":null,\
                "playerUptime":61.005,"memory":{"total":null,"available":null,"player":null},"storage":{"total":null,"free":null},\
                "temperature":52.3,"crashes":0,"metered":false,"screen":"","sound":"","feed":{"id":"acme","revision":412,"trouble":null},\
                "update":null,"settings":null,"playsKey":null,"state":"playing","screenOff":false,"health":"failing","faults":["screenLost"],"playback":{"sessions":2,"watched":90.000,"startups":2,"startup":1.490,"longestStartup":0.760,"stalls":2,\
                "droppedFrames":6,"bytes":0,"errors":[{"code":"SRC-TIMEOUT","count":2,"fatal":0,"status":null,\
                "uri":"https://cdn.example/a.m3u8?token=REDACTED","session":"2"},{"code":"SRC-404","count":1,"fatal":1,"status":null,\
                "uri":"https://cdn.example/a.m3u8?token=REDACTED","session":"1"}]}}
                """)
    }

    @Test("a report is short, however long names are and however many faults there were")
    func bounded() {
        let long = String(repeating: "\u{1}", count: 5000)
        var report = BoxReport(box: long, version: "1")
        report.group = long
        report.screen = long
        report.sound = long
        report.feed = (long, 1)
        let tally = PlaybackTally(next: nil)
        let codes = [ErrorCode.sourceTimeout, .sourceMissing, .sourceFormat, .networkDown, .internal]
        for code in codes {
            tally.keep(log("x", watched: 1, errors: [MediaError(code, long)], url: "https://cdn.example/" + long))
        }
        report.playback = tally.sum(with: nil)
        for number in 0..<100 {
            report.playback.errors["A-\(number)"] = report.playback.errors["SRC-TIMEOUT"]
        }
        #expect(report.text.utf8.count <= BoxReport.longest)
        #expect(report.text.hasSuffix("}]}}") && report.text.contains(#"{"code":"SRC-404","count":1,"fatal":1,"#) == false)
    }

    @Test("facts about the machine are read from the kernel's files, and missing ones are omitted")
    func machine() {
        let folder = ScratchFolder("machine")
        let memory =
            "MemTotal:        2000 kB\nMemFree:  100 kB\nActive(file):    300 kB\nInactive(file): 1000 kB\nSReclaimable: 100 kB\n"
        folder.put(memory, "proc/meminfo")
        folder.put("Name:\tmarquee\nVmRSS:\t   80 kB\n", "proc/self/status")
        folder.put("41000\n", "sys/class/thermal/thermal_zone0/temp")
        folder.put("52340\n", "sys/class/thermal/thermal_zone3/temp")
        folder.put("not a record", "state/other")
        let state = MachineState.read(stateFolder: folder.path + "/state", root: folder.path)
        #expect((state.uptime ?? 0) > 0)
        #expect(state.memory == 2_048_000 && state.availableMemory == 1_536_000 && state.playerMemory == 81_920)
        #expect(state.temperature == 52_340)
        #expect((state.storage ?? 0) > 0 && (state.freeStorage ?? -1) >= 0 && state.crashes == 0)
        let hidden = memory.split(separator: "\n").map { "Node 0 \($0)\n" }.joined()
        folder.put(hidden, "other/sys/devices/system/node/node0/meminfo")
        let other = MachineState.read(stateFolder: nil, root: folder.path + "/other")
        #expect(other.memory == 2_048_000 && other.availableMemory == 1_536_000)
        let nothing = MachineState.read(stateFolder: nil, root: folder.path + "/none")
        #expect(nothing.memory == nil && nothing.temperature == nil && nothing.storage == nil)
    }

    /// A sender and an origin on the simulated clock.
    private struct Rig {
        let loop: MainLoop
        let script = OriginScript()
        let log: LogBook
        let sender: ReportSender

        @MainActor init(interval: Int, seed: UInt64 = 1, isBusy: @escaping @MainActor (HostTime) -> Bool = { _ in false }) throws
        {
            loop = try MainLoop(time: .simulated)
            log = LogBook(clock: loop.clock)
            script.put("", at: "/report")
            sender = ReportSender(
                to: .init(
                    address: "https://operator.example/report", interval: .seconds(interval), headers: ["X-Marquee-Box: b"],
                    seed: seed),
                loader: SimulatedOrigin(clock: loop.clock, script: script), clock: loop.clock, log: log, stateFolder: nil,
                plays: nil,
                isBusy: { [clock = loop.clock] in isBusy(clock.now) }, describe: { BoxReport(box: "b", version: "1") }
            )
        }

        @MainActor func run(for length: Duration) { loop.run(within: length, until: { false }) }
        /// When reports came, in seconds after the start.
        var times: [Int] { script.requests.map { Int($0.elapsed / .seconds(1)) } }
    }

    @Test("they are sent at the interval with a tenth of jitter, and at different times on different boxes")
    func interval() throws {
        var all: [[Int]] = []
        for seed in [1, 2] as [UInt64] {
            let rig = try Rig(interval: 100, seed: seed)
            rig.sender.start()
            rig.run(for: .seconds(1000))
            rig.sender.close()
            let times = rig.times
            #expect((30...130).contains(times.first ?? 0))
            #expect(zip(times, times.dropFirst()).allSatisfy { (89...111).contains($1 - $0) }, "\(times)")
            let request = try #require(rig.script.requests.first)
            #expect(request.headers == ["X-Marquee-Box: b", "Content-Type: application/json"])
            #expect(request.body.map { String(decoding: $0, as: UTF8.self).hasPrefix(#"{"report":1,"box":"b","#) } == true)
            rig.run(for: .seconds(1000))
            #expect(rig.times == times, "after close")
            all.append(times)
        }
        #expect(all[0] != all[1])
    }

    @Test("an unreachable receiver is tried less and less often; the failure and the recovery are logged once each")
    func failing() throws {
        let rig = try Rig(interval: 60)
        rig.script.fail("/report", with: .status(500), times: 6)
        rig.sender.start()
        rig.run(for: .seconds(60 * 200))
        rig.sender.close()
        let times = rig.times
        let waits = zip(times, times.dropFirst()).map { $1 - $0 }
        for (wait, wanted) in zip(waits, [120, 240, 480, 960, 1920, 3840]) {
            #expect(abs(wait - wanted) <= wanted / 10 + 1, "\(waits)")
        }
        #expect(waits.dropFirst(6).allSatisfy { (53...67).contains($0) }, "\(waits)")
        let lines = rig.log.tail(100).filter { $0.contains("report:") }
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.last?.contains("sent, after 6 failures") == true)
    }

    @Test("a report does not disturb a starting programme, unless the start takes too long")
    func busy() throws {
        func first(_ isBusy: @escaping @MainActor (HostTime) -> Bool) throws -> Int {
            let rig = try Rig(interval: 600, isBusy: isBusy)
            rig.sender.start()
            rig.run(for: .seconds(450))
            rig.sender.close()
            return rig.times.first ?? 0
        }
        let plain = try first { _ in false }
        #expect((30...330).contains(plain))
        let until = HostTime.zero + .seconds(plain + 12)
        #expect((12...17).contains(try first { $0 < until } - plain))
        #expect((59...61).contains(try first { _ in true } - plain))
    }
}
