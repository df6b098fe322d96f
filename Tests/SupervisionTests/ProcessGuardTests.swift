import Glibc
import LinuxSupport
import Testing

@testable import Supervision

@Suite("The guard ends a process that cannot end or continue itself", .serialized)
struct ProcessGuardTests {
    /// Starts a guard in a child process. Other threads of a test's process would take a real signal, so a bell stands for it.
    @MainActor
    private static func begin(
        signal: FileDescriptor, _ change: (inout ProcessGuard.Limits) -> Void = { _ in }
    ) throws -> ProcessGuard {
        var limits = ProcessGuard.Limits()
        limits.ending = .milliseconds(200)
        limits.round = .milliseconds(50)
        change(&limits)
        return try ProcessGuard(signals: [], pending: signal, limits: limits)
    }

    @Test("a program that does not end after the signal is ended")
    func hangsAtTheEnd() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            try await MainActor.run {
                let signal = try FileDescriptor.event()
                _ = try ProcessGuardTests.begin(signal: signal)
                signal.ring()
                while true { pause() }
            }
        }
    }

    @Test("so is one that hangs because its standard error is not read")
    func hangsInStandardError() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            try await MainActor.run {
                var ends: [Int32] = [-1, -1]
                precondition(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
                let block = [UInt8](repeating: 0x20, count: 4096)
                while write(ends[1], block, block.count) > 0 {}
                precondition(fcntl(ends[1], F_SETFL, 0) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO)
                let signal = try FileDescriptor.event()
                _ = try ProcessGuardTests.begin(signal: signal)
                signal.ring()
                while true { _ = write(STDERR_FILENO, block, block.count) }
            }
        }
    }

    @Test("so is one whose main loop hangs in a call when the signal comes")
    func hangsInTheLoop() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            try await MainActor.run {
                let signal = try FileDescriptor.event()
                let processGuard = try ProcessGuardTests.begin(signal: signal) { $0.silentRounds = 1200 }
                let loop = try MainLoop(time: .real)
                processGuard.watchLoop(of: loop.clock)
                loop.clock.schedule(after: .zero) {
                    signal.ring()
                    while true { pause() }
                }
                loop.run(until: { false })
            }
        }
    }

    @Test("a program that ends in time is left alone")
    func ends() async {
        await #expect(processExitsWith: .exitCode(7)) {
            try await MainActor.run {
                let signal = try FileDescriptor.event()
                let processGuard = try ProcessGuardTests.begin(signal: signal) { $0.ending = .seconds(600) }
                signal.ring()
                processGuard.stop()
                exit(7)
            }
        }
    }

    @Test("a main loop that does not come round is aborted, and the record has the frames of its thread")
    func hangingLoop() async throws {
        let folder = CrashTestFolder("guard")
        await #expect(processExitsWith: .signal(SIGABRT)) {
            beginFlight("guard", of: getppid())
            try await MainActor.run {
                let processGuard = try ProcessGuardTests.begin(signal: try FileDescriptor.event())
                let loop = try MainLoop(time: .real)
                processGuard.watchLoop(of: loop.clock)
                loop.clock.schedule(after: .zero) { while true { pause() } }
                loop.run(until: { false })
            }
        }
        let record = try #require(CrashFolder(folder.path).records.first)
        #expect(record.signal == "SIGABRT" && record.isWhole && record.item == "e101")
        #expect(record.log.last?.hasPrefix("The main loop did not come round for ") == true)
        #expect(record.frames.count > 2 && record.thread != nil && record.thread != "guard")
    }

    @Test("a loop that comes round is not aborted, nor one that is no longer watched")
    func livingLoop() async {
        await #expect(processExitsWith: .exitCode(7)) {
            try await MainActor.run {
                // A busy machine may hold up the loop, but not for a minute.
                let processGuard = try ProcessGuardTests.begin(signal: try FileDescriptor.event()) { $0.silentRounds = 1200 }
                let loop = try MainLoop(time: .real)
                processGuard.watchLoop(of: loop.clock)
                var rounds = 0
                loop.run(until: {
                    rounds += 1
                    return rounds == 4
                })
                processGuard.leaveLoop()
                // Longer than several rounds.
                poll(nil, 0, 300)
                processGuard.stop()
                exit(7)
            }
        }
    }

    @Test("silence is counted in rounds without a beat while the loop is watched")
    func silence() {
        var silence = LoopSilence(mostRounds: 3)
        let beats: [UInt64?] = [nil, nil, nil, nil, 1, 1, 1, 1, 1, 2, 2, 2, nil, 2, 2, 2, 2]
        let verdicts = beats.map { silence.round(beats: $0) }
        let stopped = verdicts.indices.filter { verdicts[$0] }
        #expect(stopped == [7, 8, 16])
    }
}
