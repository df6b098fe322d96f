import ArgumentParser
// Linked for the main loop, which drains the main queue.
import Dispatch
import Glibc

/// Measurements of the program. `scripts/bench` builds it for release, runs it alternately with other players and interprets the figures; this
/// program only measures.
@main
struct MarqueeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "MarqueeBench", abstract: "Measurements of the program; scripts/bench compares them with other players.",
        subcommands: [
            SeekBench.self, AdaptiveBitrateBench.self, PlaylistBench.self, FeedBench.self, InputFuzz.self, NetworkBench.self,
            InterfaceCommand.self, ColourBench.self, ComposingBench.self, ComposeOpenBench.self,
            DownloadBench.self, StoreReadBench.self, StoreOpenBench.self,
        ])

    /// Exit codes: 0 done, 1 the measurement failed, 2 wrong usage.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as BenchFailure {
            complain("MarqueeBench: \(failure.sentence)\n")
            Glibc.exit(failure.code)
        } catch {
            // ArgumentParser's own code for wrong usage is 64; help is not a failure.
            let code = exitCode(for: error)
            guard code != .success else { exit(withError: error) }
            complain(fullMessage(for: error) + "\n")
            Glibc.exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }

    private static func complain(_ line: String) {
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// `MarqueeBench interface`: the cost of drawing, as one JSON object.
struct InterfaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface", abstract: "Draw the interface at 1920x1080; print what it cost as JSON.")

    func run() throws {
        try MainActor.assumeIsolated {
            do {
                print(try InterfaceBench().run().json)
            } catch {
                throw BenchFailure("The interface could not be measured: \(error).")
            }
        }
    }
}

/// Why a measurement failed: one sentence and an exit code.
struct BenchFailure: Error {
    /// What was tried, on what, and why it failed.
    var sentence: String
    /// 1: the measurement failed; 2: wrong usage.
    var code: Int32

    init(_ sentence: String, code: Int32 = 1) {
        self.sentence = sentence
        self.code = code
    }
}

/// Figures by name, in the order in which they were measured.
struct Figures {
    private var entries: [(name: String, values: [Double])] = []

    /// Adds a figure, or several samples of one.
    mutating func add(_ name: String, _ values: [Double]) { entries.append((name, values)) }

    /// One object; each figure is a list of numbers.
    var json: String {
        "{" + entries.map { "\"\($0.name)\": [\($0.values.map(Self.text).joined(separator: ", "))]" }.joined(separator: ", ")
            + "}"
    }

    /// Four decimal places, a tenth of a microsecond if the unit is a millisecond.
    private static func text(_ value: Double) -> String { "\((value * 10000).rounded() / 10000)" }
}

/// How long this thread has computed (`CLOCK_THREAD_CPUTIME_ID`).
enum ThreadTime {
    static var milliseconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) * 1000 + Double(now.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// Milliseconds with their fraction.
    var milliseconds: Double { self / .milliseconds(1) }
}
