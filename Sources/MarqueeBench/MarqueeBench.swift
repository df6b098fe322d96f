// Linked for the main loop, which drains the main queue.
import Dispatch
import Glibc

/// Measurements of single parts of the program that its command line cannot show. `scripts/bench` builds it for release, runs it in turn with its
/// peers and says what the figures mean; here they are only taken. Standard output has one JSON object.
@main
struct MarqueeBench {
    @MainActor
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments == ["interface"] else {
            complain("usage: MarqueeBench interface\n")
            exit(2)
        }
        do {
            print(try InterfaceBench().run().json)
        } catch {
            complain("MarqueeBench: the interface could not be measured: \(error).\n")
            exit(1)
        }
    }

    private static func complain(_ line: String) {
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Figures by name, in the order in which they were taken.
struct Figures {
    private var entries: [(name: String, values: [Double])] = []

    /// Adds a figure, or several samples of one.
    mutating func add(_ name: String, _ values: [Double]) { entries.append((name, values)) }

    /// One object, each figure a list of numbers.
    var json: String {
        "{" + entries.map { "\"\($0.name)\": [\($0.values.map(Self.text).joined(separator: ", "))]" }.joined(separator: ", ")
            + "}"
    }

    /// Four places, which is a tenth of a microsecond where the unit is a millisecond.
    private static func text(_ value: Double) -> String { "\((value * 10000).rounded() / 10000)" }
}

extension Duration {
    /// Milliseconds and parts of one.
    var milliseconds: Double { self / .milliseconds(1) }
}
