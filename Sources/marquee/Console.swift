import Glibc

/// The two streams of a command.
enum Console {
    /// A line of results.
    static func print(_ line: String) {
        fputs(line + "\n", stdout)
        fflush(stdout)
    }

    /// Text of results without a line feed of its own.
    static func write(_ text: String) {
        fputs(text, stdout)
        fflush(stdout)
    }

    /// A line about what is being done or went wrong.
    static func error(_ line: String) { fputs(line + "\n", stderr) }
}

/// How a command ends when it has not done what was asked: one sentence and an exit code.
struct CommandFailure: Error {
    /// What was tried, on what, why it failed, what to do; empty where everything has been said already.
    var sentence: String
    /// 1: the input was refused or failed to play; 2: wrong usage; 3: items of a feed were dropped.
    var code: Int32

    init(_ sentence: String, code: Int32 = 1) {
        self.sentence = sentence
        self.code = code
    }

    func report() -> Never {
        if !sentence.isEmpty { Console.error("marquee: \(sentence)") }
        Self.exit(code)
    }

    static func exit(_ code: Int32) -> Never {
        fflush(stdout)
        Glibc.exit(code)
    }
}
