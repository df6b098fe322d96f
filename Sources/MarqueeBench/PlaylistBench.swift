import ArgumentParser
import Glibc
import HLSPlaylist
import LinuxSupport
import WireFormats

/// `MarqueeBench playlist`: how long parsing a playlist takes, and how much memory the result keeps.
struct PlaylistBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlist",
        abstract:
            "Read a playlist several times; print the seconds of the fastest read and the bytes kept for each segment, without its URLs."
    )

    @Argument(help: "A media playlist.")
    var file: String

    @Option(help: "How many times to read it.")
    var runs = 15

    @Option(help: ArgumentHelp("Read this playlist after it, as a reload, and print the time of the reload.", valueName: "FILE"))
    var reload: String?

    func run() throws {
        let bytes = try read(file)
        let later = try reload.map { try read($0) }
        let clock = try MainActor.assumeIsolated { try MainLoop(time: .real).clock }
        var quickest = Duration.seconds(3600)
        for _ in 0..<max(runs, 1) {
            let took = later.map { Self.reloading(bytes, $0, clock) } ?? Self.reading(bytes, clock)
            quickest = min(quickest, took)
        }
        let before = MemoryUse.allocatedBytes
        guard case .media(let playlist) = PlaylistParser().parse(bytes).playlist else {
            throw BenchFailure("\(file) is not a media playlist.")
        }
        // The text itself is in memory at both measurements.
        let after = withExtendedLifetime(bytes) { MemoryUse.allocatedBytes }
        let count = playlist.segments.count
        let addresses = playlist.segments.reduce(0) { $0 + $1.uri.utf8.count }
        let retained = Double(after - before - addresses) / Double(max(count, 1))
        print(
            JSONText.object([
                ("segments", .number(String(count))), ("seconds", .number(String(Double(quickest.wholeNanoseconds) / 1e9))),
                ("retainedBytesPerSegment", .number(String((retained * 100).rounded() / 100))),
            ]).text)
    }

    private func read(_ path: String) throws -> [UInt8] {
        guard let bytes = WholeFile.read(path) else {
            throw BenchFailure("\(path) could not be read: \(String(cString: strerror(errno))).")
        }
        return bytes
    }

    private static func reading(_ bytes: [UInt8], _ clock: any HostClock) -> Duration {
        let start = clock.now
        let parsed = PlaylistParser().parse(bytes)
        let end = clock.now
        return withExtendedLifetime(parsed) { end - start }
    }

    private static func reloading(_ bytes: [UInt8], _ later: [UInt8], _ clock: any HostClock) -> Duration {
        guard case .media(let first) = PlaylistParser().parse(bytes).playlist else { return .seconds(3600) }
        let start = clock.now
        let parsed = PlaylistParser().parse(later, reusing: first)
        let end = clock.now
        return withExtendedLifetime(parsed) { end - start }
    }
}
