import ArgumentParser
import FoundationEssentials
import Glibc
import HLSStreaming
import LinuxSupport
import WireFormats

/// `MarqueeBench abr`: simulates a film over recorded networks with the player's own adaptation rule.
struct AdaptiveBitrateBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abr", abstract: "Simulate a film over recorded networks with the adaptation rule of the player.",
        discussion: """
            The film and the networks are JSON files in the form of the Sabre simulator, and the figures are computed as Sabre does: means over the whole time, \
            and a score: the logarithm of the bit rate over the lowest one, less five for each segment duration of stall.
            """)

    @Option(help: ArgumentHelp("Networks: a folder of .json files, or a folder of such folders.", valueName: "DIR"))
    var traces: String

    @Option(help: ArgumentHelp("The film: segment_duration_ms, bitrates_kbps, segment_sizes_bits.", valueName: "FILE"))
    var movie: String

    @Option(help: "Seconds that the buffer holds.")
    var buffer = 25.0

    @Flag(help: "Print JSON.")
    var json = false

    private struct MovieFile: Decodable {
        var segmentDuration: Double
        var bitrates: [Double]
        var sizes: [[Double]]
        enum CodingKeys: String, CodingKey {
            case segmentDuration = "segment_duration_ms"
            case bitrates = "bitrates_kbps"
            case sizes = "segment_sizes_bits"
        }
    }
    private struct PeriodFile: Decodable {
        var duration: Double
        var bandwidth: Double
        var latency: Double
        enum CodingKeys: String, CodingKey {
            case duration = "duration_ms"
            case bandwidth = "bandwidth_kbps"
            case latency = "latency_ms"
        }
    }

    func run() throws {
        let film = try readMovie()
        guard buffer * 1000 >= film.segmentMilliseconds * 2 else {
            throw BenchFailure("--buffer \(buffer) holds less than two segments of the film.", code: 2)
        }
        let files = Self.files(in: traces)
        guard !files.isEmpty else { throw BenchFailure("\(traces) holds no .json files; name a folder of recorded networks.") }
        var rows: [(trace: String, result: TrialResult)] = []
        for file in files {
            var trial = BitrateTrial(film, over: try readNetwork(file), buffer: buffer * 1000)
            rows.append((file, trial.run()))
        }
        print(json ? Self.report(rows).text : Self.table(rows))
    }

    private func readMovie() throws -> TrialMovie {
        let file: MovieFile = try Self.read(movie)
        let isWhole = !file.sizes.isEmpty && file.sizes.allSatisfy { $0.count == file.bitrates.count && $0.allSatisfy { $0 > 0 } }
        guard file.segmentDuration > 0, !file.bitrates.isEmpty, file.bitrates.allSatisfy({ $0 > 0 }), isWhole,
            file.bitrates == file.bitrates.sorted()
        else {
            throw BenchFailure(
                "\(movie) is not a valid film: it needs positive bit rates, lowest first, and the size of each segment at each of them."
            )
        }
        return TrialMovie(segmentMilliseconds: file.segmentDuration, bitrates: file.bitrates, sizes: file.sizes)
    }

    private func readNetwork(_ path: String) throws -> RecordedNetwork {
        let periods: [PeriodFile] = try Self.read(path)
        let isPossible = periods.allSatisfy { $0.duration >= 0 && $0.bandwidth >= 0 && $0.latency >= 0 }
        guard isPossible, periods.contains(where: { $0.duration > 0 && $0.bandwidth > 0 }) else {
            throw BenchFailure("\(path) is not a valid recorded network: its periods carry no data.")
        }
        return RecordedNetwork(
            periods.map {
                RecordedNetwork.Period(milliseconds: $0.duration, kilobitsPerSecond: $0.bandwidth, latency: $0.latency)
            })
    }

    private static func read<Content: Decodable>(_ path: String) throws -> Content {
        guard let bytes = WholeFile.read(path) else {
            throw BenchFailure("\(path) could not be read: \(String(cString: strerror(errno))).")
        }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw BenchFailure("\(path) has the wrong form: \(error).")
        }
    }

    /// The .json files of a folder and of its subfolders, or the file that this is.
    private static func files(in path: String) -> [String] {
        let found = Folder.files(below: path).filter { $0.hasSuffix(".json") }
        return found.isEmpty && path.hasSuffix(".json") ? [path] : found.map { "\(path)/\($0)" }
    }

    // MARK: Output

    private static func report(_ rows: [(trace: String, result: TrialResult)]) -> JSONText {
        .array(
            rows.map { row in
                .object([
                    ("trace", .string(row.trace)), ("meanBitrate", number(row.result.meanBitrate)),
                    ("rebufferRatio", number(row.result.rebufferRatio)),
                    ("rebufferCount", .number(String(row.result.rebufferCount))),
                    ("meanSwitch", number(row.result.meanSwitch)), ("score", number(row.result.score)),
                ])
            })
    }

    private static func table(_ rows: [(trace: String, result: TrialResult)]) -> String {
        let lines = rows.map { row in
            "\(row.trace): score \(rounded(row.result.score)), \(rounded(row.result.meanBitrate)) kbit/s, stalled \(rounded(row.result.rebufferRatio)) of the time (\(row.result.rebufferCount)), mean switch \(rounded(row.result.meanSwitch)) kbit/s"
        }
        let mean = rows.reduce(0) { $0 + $1.result.score } / Double(rows.count)
        return (lines + ["mean score \(rounded(mean)) of \(rows.count)"]).joined(separator: "\n")
    }

    private static func number(_ value: Double) -> JSONText { .number(rounded(value)) }

    /// Five decimal places, like the published figures.
    private static func rounded(_ value: Double) -> String { String((value * 1e5).rounded() / 1e5) }
}
