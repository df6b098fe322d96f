import Foundation

/// A message bus for one test.
package final class PrivateBus: Sendable {
    package static let program = "/usr/bin/dbus-daemon"
    package static let isPresent = FileManager.default.isExecutableFile(atPath: program)

    package let address: String
    private let process: Int32

    /// Returns when the bus accepts connections.
    ///
    /// - Parameter place: the address on which it listens; nil: any.
    package init(at place: String? = nil) throws {
        let daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: Self.program)
        daemon.arguments =
            ["--session", "--nofork", "--nopidfile", "--print-address=1"] + (place.map { ["--address=\($0)"] } ?? [])
        let output = Pipe()
        daemon.standardOutput = output
        // A program that inherited the output of the tests would keep it open.
        daemon.standardInput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        process = daemon.processIdentifier
        // It prints the address when it listens.
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        address = String(decoding: line, as: UTF8.self)
        guard !line.isEmpty else { throw NoBus(place: place ?? "any address") }
    }

    /// The daemon ended before it listened.
    package struct NoBus: Error { let place: String }

    /// Ends the bus. Each test calls it. Its address is free on return: the kernel closes the connections of a process that was
    /// killed in any order, so that clients may see their end while the address is still in use.
    package func end() {
        kill(process, SIGKILL)
        // Foundation reaps the process; when it was faster, there is no such process any more (ECHILD).
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    }
}
