import ArgumentParser
import ChannelFeed
import Glibc
import LinuxSupport
import WireFormats

/// `MarqueeBench feed`: how long a feed takes until it is parsed, checked and indexed.
struct FeedBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Read a feed several times as a box does; print the seconds of the fastest read.")

    @Argument(help: "A feed.")
    var file: String

    @Option(help: "How many times to read it.")
    var runs = 3

    func run() throws {
        guard let bytes = WholeFile.read(file) else {
            throw BenchFailure("\(file) could not be read: \(String(cString: strerror(errno))).")
        }
        let clock = try MainActor.assumeIsolated { try MainLoop(time: .real).clock }
        var quickest = Duration.seconds(3600)
        var items = 0
        for _ in 0..<max(runs, 1) {
            let start = clock.now
            let verdict = FeedReader.read(bytes, baseURL: "https://cdn.example/feed.json")
            let end = clock.now
            guard let feed = verdict.feed, verdict.exitCode == 0 else {
                throw BenchFailure("\(file) does not pass the check: \(verdict.summary)")
            }
            items = withExtendedLifetime(verdict) { feed.items.count }
            quickest = min(quickest, end - start)
        }
        print(
            JSONText.object([
                ("items", .number(String(items))), ("seconds", .number(String(Double(quickest.wholeNanoseconds) / 1e9))),
            ]).text)
    }
}
