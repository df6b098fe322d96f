import Glibc
import LinuxSupport
import Testing

@testable import Supervision

/// What the child processes of these tests do before they crash. The folder is named by the parent's process id.
func beginFlight(_ name: String, of parent: pid_t) {
    let folder = "/tmp/marquee-crash-\(parent)-\(name)"
    FlightRecorder.open(path: folder + "/flight")
    try! FlightRecorder.catchCrashes(into: folder, version: "9.8.7")
    for number in 1...250 { FlightRecorder.log("line \(number)") }
    for number in 1...400 { FlightRecorder.presented("frame \(number)") }
    FlightRecorder.playing("e101")
}

/// A folder for one test, removed with its contents.
final class CrashTestFolder {
    let path: String
    init(_ name: String) {
        path = "/tmp/marquee-crash-\(getpid())-\(name)"
        mkdir(path, 0o700)
        // A run that was killed may have left one with the same process id.
        CrashFolder(path).clear()
        unlink(path + "/flight")
    }
    deinit {
        CrashFolder(path).clear()
        unlink(path + "/flight")
        rmdir(path)
    }
}

@Suite("Crash records", .serialized)
struct CrashTests {
    @Test("a process that accesses unmapped memory leaves a record: build, frames, log, shown frames, what was played")
    func segmentationFault() async throws {
        let folder = CrashTestFolder("segv")
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            beginFlight("segv", of: getppid())
            UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1
        }
        let records = CrashFolder(folder.path).records
        let record = try #require(records.first)
        #expect(records.count == 1)
        #expect(record.isWhole)
        #expect(record.signal == "SIGSEGV")
        #expect(!record.wasSent)
        #expect(record.version == "9.8.7")
        #expect(record.build == FlightRecorder.buildID)
        #expect(record.item == "e101")
        #expect(record.log == (51...250).map { "line \($0)" })
        #expect(record.presentation == (81...400).map { "frame \($0)" })
        #expect(record.frames.count > 2)
        #expect(record.frames.contains { $0.contains("+0x") })
        #expect(record.boot == MachineInstant.now().boot)
        #expect((Duration.zero..<Duration.seconds(600)).contains(MachineInstant.now().age(of: record)))
        #expect(record.summary.hasPrefix("the player ended by SIGSEGV while e101 was played"))
    }

    @Test("a Swift runtime trap leaves one too")
    func trap() async throws {
        let folder = CrashTestFolder("trap")
        await #expect(processExitsWith: .failure) {
            beginFlight("trap", of: getppid())
            let numbers = [Int](repeating: 0, count: Int(getpid() > 0 ? 1 : 2))
            _ = numbers[numbers.count + 3]
        }
        let record = try #require(CrashFolder(folder.path).records.first)
        #expect(record.signal == "SIGILL" || record.signal == "SIGTRAP")
        #expect(record.isWhole)
    }

    @Test("the watchdog's signal is distinguished from a crash of the program")
    func watchdog() async throws {
        let folder = CrashTestFolder("abrt")
        await #expect(processExitsWith: .signal(SIGABRT)) {
            beginFlight("abrt", of: getppid())
            kill(getpid(), SIGABRT)
            // Whichever thread receives it must not end the process first.
            while true { pause() }
        }
        let record = try #require(CrashFolder(folder.path).records.first)
        #expect(record.wasSent)
        #expect(record.summary.hasPrefix("the player was stopped by its watchdog"))
    }

    // From version 2.41 of the C library on, abort() begins with just this call; before it, abort() unblocked the signal.
    @Test("a thread of the pool of tasks, which is Dispatch's and blocks all signals, leaves one when it aborts")
    func dispatch() async throws {
        let folder = CrashTestFolder("pool")
        await #expect(processExitsWith: .signal(SIGABRT)) {
            beginFlight("pool", of: getppid())
            // On such a thread.
            raise(SIGABRT)
            exit(9)
        }
        let record = try #require(CrashFolder(folder.path).records.first)
        #expect(record.signal == "SIGABRT" && record.isWhole && record.frames.count > 2)
    }

    @Test("so does a thread that blocks all signals itself, as those of C libraries do; other signals stay blocked")
    func blocked() async throws {
        let folder = CrashTestFolder("mask")
        await #expect(processExitsWith: .signal(SIGABRT)) {
            beginFlight("mask", of: getppid())
            let thread = WorkerThread(name: "mask")
            thread.perform {
                var (all, held) = (sigset_t(), sigset_t())
                sigfillset(&all)
                for change in [pthread_sigmask, sigprocmask] {
                    for how in [SIG_BLOCK, SIG_SETMASK] where change(Int32(how), &all, nil) != 0 { exit(8) }
                }
                pthread_sigmask(SIG_BLOCK, nil, &held)
                guard sigismember(&held, SIGTERM) == 1, sigismember(&held, SIGHUP) == 1 else { exit(7) }
                raise(SIGABRT)
                exit(9)
            }
            while true { pause() }
        }
        let record = try #require(CrashFolder(folder.path).records.first)
        #expect(record.signal == "SIGABRT" && record.isWhole && record.thread == "mask")
    }

    @Test("a process that is killed without a record is reported by the next")
    func killed() async throws {
        let folder = CrashTestFolder("kill")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            beginFlight("kill", of: getppid())
            kill(getpid(), SIGKILL)
        }
        let crashes = CrashFolder(folder.path)
        #expect(crashes.records.isEmpty)
        try crashes.prepare(recorder: folder.path + "/flight")
        let record = try #require(crashes.records.first)
        #expect(record.signal == "SIGKILL")
        #expect(record.item == "e101")
        #expect(record.log.last == "line 250")
        #expect(record.isWhole)
    }

    @Test("a process that must restart leaves a record that counts, and ends with the exit code that requests a restart")
    func gaveUp() async throws {
        let folder = CrashTestFolder("restart")
        await #expect(processExitsWith: .exitCode(75)) {
            beginFlight("restart", of: getppid())
            SelfRestart.now(because: "Three threads hang.")
        }
        let crashes = CrashFolder(folder.path)
        try crashes.prepare(recorder: folder.path + "/flight")
        let record = try #require(crashes.records.first)
        #expect(crashes.records.count == 1, "its recorder is not taken for another crash")
        #expect(record.signal == "RESTART" && record.item == "e101" && record.isWhole)
        #expect(record.log.last == "Three threads hang.")
        #expect(record.summary == "the player restarted itself while e101 was played")
    }

    @Test("a process that ends in order, or has left a record, is not reported again")
    func ended() async throws {
        let folder = CrashTestFolder("exit")
        await #expect(processExitsWith: .exitCode(7)) {
            beginFlight("exit", of: getppid())
            FlightRecorder.close()
            exit(7)
        }
        let crashes = CrashFolder(folder.path)
        try crashes.prepare(recorder: folder.path + "/flight")
        #expect(crashes.records.isEmpty)
    }

    @Test("at most eight records are kept, the newest ones")
    func bounded() throws {
        let folder = CrashTestFolder("many")
        let crashes = CrashFolder(folder.path)
        for number in 1...12 {
            let path = "\(folder.path)/crash-\(number).crash"
            let file = try #require(fopen(path, "wb"))
            fputs("marquee crash 1\npid \(number)\nend\n", file)
            fclose(file)
            var times = [timespec(tv_sec: 1000 + number, tv_nsec: 0), timespec(tv_sec: 1000 + number, tv_nsec: 0)]
            utimensat(AT_FDCWD, path, &times, 0)
        }
        try crashes.prepare(recorder: nil)
        #expect(crashes.records.map(\.pid) == Array(5...12))
        crashes.clear()
        #expect(crashes.records.isEmpty)
    }

    @Test("a truncated record gives its complete parts, and other text gives nothing")
    func cut() throws {
        let record = try #require(CrashRecord("marquee crash 1\nversion 1\nsignal 11 SIGSEGV\nframes\n0x1 a+0x1\nlog\nhalf a li"))
        #expect(!record.isWhole)
        #expect(record.frames == ["0x1 a+0x1"])
        #expect(record.log == ["half a li"])
        #expect(CrashRecord("something else\n") == nil)
        #expect(CrashRecord("") == nil)
    }
}
