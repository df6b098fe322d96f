import BoxModel
import MediaTime

/// A script of key presses: one event per line, `TIME KEY [press|hold DURATION]`, with `#` for comments.
///
/// Times are decimal seconds of the player's clock from the start of the program. `press` (the default) is a tap of a tenth of a
/// second. `TIME look STATE words` presses nothing: it says what the screen shows at that time, for tools that take pictures.
package struct KeyScript: Sendable, Hashable {
    /// One key, down and up.
    package struct Stroke: Sendable, Hashable {
        /// When it goes down, from the start of the program.
        package var time: MediaTime
        package var key: RemoteKey
        /// How long it is held.
        package var length: MediaTime
    }

    /// An expected screen.
    package struct Look: Sendable, Hashable {
        /// When, from the start of the program.
        package var time: MediaTime
        /// The required state of the interface.
        package var state: String
        /// A description of what is shown.
        package var words: String
    }

    /// An error in a script: the line and the problem.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        /// Counted from one.
        package var line: Int
        /// The problem and the remedy.
        package var reason: String
        package var description: String { "line \(line) of the key script: \(reason)" }
    }

    /// The strokes ordered by time.
    package let strokes: [Stroke]

    /// The expected screens ordered by time.
    package let looks: [Look]

    private static let tap = MediaTime.milliseconds(100)

    /// Parses a script.
    package init(_ text: String) throws(Fault) {
        var strokes: [Stroke] = []
        var looks: [Look] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            guard !words.isEmpty else { continue }
            if words.count > 1, words[1] == "look" {
                looks.append(try Self.look(words, line: number + 1))
            } else {
                strokes.append(try Self.stroke(words, line: number + 1))
            }
        }
        self.looks = looks.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        self.strokes = strokes.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private static func look(_ words: [String], line: Int) throws(Fault) -> Look {
        guard let time = MediaTime(decimalSeconds: words[0]), words.count > 2 else {
            throw Fault(line: line, reason: "a look needs a time and a state; write 2.5 look playing, and a caption")
        }
        return Look(time: time, state: words[2], words: words.dropFirst(3).joined(separator: " "))
    }

    private static func stroke(_ words: [String], line: Int) throws(Fault) -> Stroke {
        guard let time = MediaTime(decimalSeconds: words[0]) else {
            throw Fault(line: line, reason: "\"\(words[0])\" is not a time in seconds; write 2.5")
        }
        guard words.count > 1, let key = RemoteKey(rawValue: words[1]) else {
            let known = RemoteKey.allCases.map(\.rawValue).joined(separator: " ")
            throw Fault(
                line: line, reason: "\(words.count > 1 ? "\"\(words[1])\" is not a key" : "a key is missing"); keys are \(known)")
        }
        switch words.dropFirst(2).first {
        case nil,
            "press" where words.count == 3:
            return Stroke(time: time, key: key, length: tap)
        case "hold":
            guard words.count == 4, let length = MediaTime(decimalSeconds: words[3]), length > .zero else {
                throw Fault(line: line, reason: "a hold needs its length in seconds; write hold 1.5")
            }
            return Stroke(time: time, key: key, length: length)
        default:
            throw Fault(
                line: line,
                reason: "\"\(words.dropFirst(2).joined(separator: " "))\" is not understood; write press, or hold and a length")
        }
    }
}
