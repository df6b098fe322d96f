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

/// `MarqueeBench fuzz`: parses playlists with random damage.
struct PlaylistFuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz",
        abstract: "Read randomly damaged playlists; print how many were accepted, the longest time and the memory.")

    @Argument(help: "Playlists to damage.")
    var files: [String]

    @Option(help: "How many damaged playlists to read.")
    var count = 1_000_000

    @Option(help: "The same seed gives the same damage.")
    var seed: UInt64 = 1

    /// Longer texts only take longer.
    private static let longest = 32 << 10
    private static let fragments = [
        "#EXTM3U\n", "#EXTINF:", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n", "#EXT-X-BYTERANGE:9223372036854775807@1\n",
        "#EXT-X-PART:DURATION=1,URI=\"p\"\n",
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=99999999\n", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$a}\"\n", "{$a}", "-",
        "99999999999999999999", "\u{FEFF}", "\r\n", "\0",
        "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-01T00:00:00Z\",END-ON-NEXT=YES\n", "#EXT-X-STREAM-INF:BANDWIDTH=1\n", "=",
        ",", "\"", ":",
    ].map { Array($0.utf8) }

    func run() throws {
        let seeds = files.compactMap { WholeFile.read($0) }.filter { !$0.isEmpty }.map { Array($0.prefix(Self.longest)) }
        guard !seeds.isEmpty else { throw BenchFailure("None of the \(files.count) files could be read.") }
        let clock = try MainActor.assumeIsolated { try MainLoop(time: .real).clock }
        var generator = SeededGenerator(seed: seed)
        var taken = 0
        var slowest = Duration.zero
        let memoryBefore = MemoryUse.peakResidentKilobytes
        let start = clock.now
        for number in 0..<count {
            let text = Self.damaged(seeds[Int.random(in: 0..<seeds.count, using: &generator)], seeds, &generator)
            let began = clock.now
            let parsed = PlaylistParser(leniency: number % 4 == 0 ? .strict : .lenient, url: "http://host/a?b=c").parse(text)
            slowest = max(slowest, clock.now - began)
            if parsed.playlist != nil { taken += 1 }
        }
        let seconds = Double((clock.now - start).wholeNanoseconds) / 1e9
        print(
            JSONText.object([
                ("count", .number(String(count))), ("taken", .number(String(taken))), ("seconds", .number(String(seconds))),
                ("slowestSeconds", .number(String(Double(slowest.wholeNanoseconds) / 1e9))),
                ("grownKilobytes", .number(String(MemoryUse.peakResidentKilobytes - memoryBefore))),
            ]).text)
    }

    private static func damaged(_ seed: [UInt8], _ seeds: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        var text = seed
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !text.isEmpty {
            let place = Int.random(in: 0..<text.count, using: &generator)
            let end = min(text.count, place + Int.random(in: 1...64, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: text.removeSubrange(place..<end)
            case 3: text.insert(contentsOf: text[place..<end], at: place)
            case 4: text.insert(contentsOf: fragments[Int.random(in: 0..<fragments.count, using: &generator)], at: place)
            default:
                let other = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
                text.replaceSubrange(place..., with: other.dropFirst(Int.random(in: 0..<other.count, using: &generator)))
            }
        }
        return text.count > longest ? Array(text.prefix(longest)) : text
    }
}
