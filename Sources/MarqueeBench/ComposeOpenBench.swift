import ArgumentParser
import Display
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import Playback

/// `MarqueeBench compose-open`: how long the document of a composition takes until it can be played, and the memory that it keeps.
struct ComposeOpenBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose-open",
        abstract:
            "Open the document of a composition as a box does, several times; print milliseconds and kept bytes as JSON.")

    @Argument(help: "The document; its sources are relative to it.")
    var file: String

    @Option(help: "How many times it is opened, after one time that is not counted.")
    var times = 20

    func run() throws {
        guard times > 0 else { throw BenchFailure("--times is at least 1.", code: 2) }
        guard let text = WholeFile.read(file) else {
            throw BenchFailure("\(file) could not be read: \(String(cString: strerror(errno))).")
        }
        try MainActor.assumeIsolated { print(try figures(text).json) }
    }

    @MainActor
    private func figures(_ text: [UInt8]) throws -> Figures {
        guard let choice = DisplayChoice("headless:1280x720@60") else { throw BenchFailure("The headless display is missing.") }
        let box = try BenchPlayer(display: choice)
        defer { box.close() }
        // The first one loads code and touches memory that the kernel has not mapped yet.
        _ = try open(text, box)
        var (opened, kept): ([Double], [Double]) = ([], [])
        for _ in 0..<times {
            let took = try open(text, box)
            opened.append(took.milliseconds)
            kept.append(Double(took.bytes))
        }
        var figures = Figures()
        figures.add("open_ms", opened)
        figures.add("kept_bytes", kept)
        return figures
    }

    /// Opens it once, from the text in memory to the description of its tracks; this opens the first source of each track.
    @MainActor
    private func open(_ text: [UInt8], _ box: BenchPlayer) throws -> (milliseconds: Double, bytes: Int) {
        let before = MemoryUse.allocatedBytes
        let start = box.loop.clock.now
        let asset = Asset(document: text, baseURL: file, name: file, services: box.player.services)
        var result: Result<SourceDescription, MediaError>?
        asset.load { result = $0 }
        box.loop.run(until: { result != nil })
        let took = (box.loop.clock.now - start).milliseconds
        if case .failure(let error) = result { throw BenchFailure(error.sentence) }
        let bytes = MemoryUse.allocatedBytes - before
        asset.close()
        return (took, bytes)
    }
}
