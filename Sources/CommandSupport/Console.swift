import Glibc
import StatusModel
import WireFormats

/// The two output streams of a command. Every line goes through `JSONText.line`: names of files, and texts of documents and servers, are from outside.
package enum Console {
    /// A line of results.
    package static func print(_ line: String) { put(JSONText.line(line) + "\n", on: 1) }

    /// Text of results, of whole lines or without a line feed behind the last one.
    package static func write(_ text: String) { put(lines(text), on: 1) }

    /// A line about progress or errors.
    package static func error(_ line: String) { put(JSONText.line(line) + "\n", on: 2) }

    /// The same of several lines.
    package static func error(lines text: String) { put(lines(text) + "\n", on: 2) }

    private static func lines(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { JSONText.line(String($0)) }
            .joined(separator: "\n")
    }

    /// A line of the log. The journal takes its priority from the number in front (sd-daemon(3)).
    package static func error(_ line: LogLine) { error((isJournal ? "<\(line.level.rawValue)>" : "") + line.text) }

    /// Whether standard error is the journal: its device and inode are in JOURNAL_STREAM (systemd.exec(5)).
    private static let isJournal: Bool = {
        var found = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(2, &found) == 0 else { return false }
        return String(cString: stream) == "\(found.st_dev):\(found.st_ino)"
    }()

    /// write(2) to the last byte. If the reader is gone (`| head`), the program ends as others do.
    private static func put(_ text: String, on descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// The failure of a command: one sentence and an exit code.
package struct CommandFault: Error {
    /// What was tried, on what, why it failed, what to do; empty if everything was printed already.
    package var sentence: String
    /// 1: the input was refused or failed to play; 2: wrong usage; 3: items of a feed were dropped.
    package var code: Int32

    package init(_ sentence: String, code: Int32 = 1) {
        self.sentence = sentence
        self.code = code
    }

    package func report() -> Never {
        if !sentence.isEmpty {
            Self.tellPrograms(sentence)
            Console.error("marquee: \(sentence)")
        }
        Self.exit(code)
    }

    /// A program that asked for JSON gets the sentence in an object, as from the local page.
    package static func tellPrograms(_ sentence: String) {
        guard CommandLine.arguments.dropFirst().contains("--json") else { return }
        Console.print(JSONText.object([("error", .string(sentence))]).text)
    }

    package static func exit(_ code: Int32) -> Never {
        Glibc.exit(code)
    }
}
