import Glibc
import LinuxSupport
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("Records on the disk")
@MainActor
struct RecordFolderTests {
    private func bytes(of folder: String) -> [(path: String, bytes: [UInt8])] {
        Folder.names(folder).map { ("\(folder)/\($0)", fileBytes("\(folder)/\($0)") ?? []) }
    }

    @Test("a record that is torn at any byte is absent, those before it stay, and the next one takes its number")
    func torn() throws {
        let scratch = ScratchFolder("records-torn")
        let path = scratch.path + "/r"
        #expect(RecordFolder(path).append(["one", "two: with spaces", ""]) == 1)
        let before = try #require(bytes(of: path).first)
        #expect(RecordFolder(path).append(["four\nlines"]) == 4)
        let after = try #require(bytes(of: path).first).bytes
        for length in before.bytes.count...after.count {
            for filler: [UInt8] in [[], [0, 0, 0], [0x0A], Array("garbage\n".utf8)] where length < after.count {
                #expect(WholeFile.write(Array(after.prefix(length)) + filler, to: before.path, isSynced: false))
                // A line feed alone makes a record whole whose last byte was all that was missing.
                let isWhole = length == after.count - 1 && filler == [0x0A]
                let folder = RecordFolder(path)
                #expect(folder.records().map(\.text) == ["one", "two: with spaces", ""] + (isWhole ? ["four lines"] : []))
                #expect(folder.append(["new"]) == (isWhole ? 5 : 4))
                #expect(RecordFolder(path).records(from: 3).map(\.text) == [""] + (isWhole ? ["four lines"] : []) + ["new"])
            }
        }
    }

    @Test("the oldest files are deleted, numbers go on, and what is asked for from a number on is found in any file")
    func bounded() throws {
        let scratch = ScratchFolder("records-bounded")
        let path = scratch.path + "/r"
        let limits = RecordFolder.Limits(fileLength: 200, mostFiles: 3)
        for number in 1...100 { #expect(RecordFolder(path, limits: limits).append(["record \(number)"]) == UInt64(number)) }
        let records = RecordFolder(path, limits: limits).records()
        #expect(bytes(of: path).count == 3 && bytes(of: path).allSatisfy { $0.bytes.count < 260 })
        #expect(records.last?.number == 100 && records.count > 10)
        #expect(records.map(\.number) == Array(records[0].number...100))
        for record in records {
            #expect(RecordFolder(path, limits: limits).records(from: record.number, most: 1) == [record])
        }
        #expect(RecordFolder(path).records(from: 101).isEmpty && RecordFolder(path).records(from: 1) == records)
    }

    @Test("a folder that takes nothing is told, and its record does not exist; the next one does")
    func refused() throws {
        let scratch = ScratchFolder("records-refused")
        let path = scratch.path + "/r"
        #expect(WholeFile.write([], to: path))
        let folder = RecordFolder(path)
        #expect(folder.append(["lost"]) == nil)
        unlink(path)
        #expect(folder.append(["kept"]) == 1 && folder.records().map(\.text) == ["kept"])
    }
}

@Suite("The log of the box on its disk")
@MainActor
struct LogKeeperTests {
    @Test("lines are kept with level and part; those before the date was known get it from those after, in the same run only")
    func dated() throws {
        let state = ScratchFolder("log-kept")
        func run(_ date: Int64?) throws {
            let loop = try MainLoop(time: .simulated)
            let keeper = LogKeeper(in: state.path, clock: loop.clock)
            let log = LogBook(clock: loop.clock) { keeper.keep($0) }
            log.note("early", .warning)
            var isOver = false
            loop.clock.schedule(after: .seconds(10)) {
                log.wallClock = { date.map { $0 + (loop.clock.now - HostTime.zero).wholeNanoseconds } }
                log.note("late")
                isOver = true
            }
            loop.run(until: { isOver })
            keeper.close()
            keeper.close()
        }
        try run(nil)
        try run(1_000_000_000_000)
        let lines = StoredLog.lines(in: state.path)
        #expect(lines.map(\.words) == ["early", "late", "early", "late"])
        #expect(lines.map(\.level) == [.warning, .info, .warning, .info] && lines[0].part == "HousekeepingTests")
        #expect(lines.map(\.date) == [nil, nil, 1_000_000_000_000, 1_010_000_000_000])
        #expect(
            lines[3].published.text
                == #"{"date":"1970-01-01T00:16:50.000Z","uptime":10.000,"level":"info","part":"HousekeepingTests","text":"late"}"#
        )
        #expect(lines[3].text == "1970-01-01T00:16:50.000Z info HousekeepingTests: late")
        #expect(StoredLog.lines(in: state.path, since: 1_005_000_000_000).map(\.words) == ["late"])
        #expect(StoredLog.lines(in: state.path + "/absent").isEmpty)
    }
}
