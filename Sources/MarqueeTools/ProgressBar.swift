import Glibc

/// A bar on the terminal of standard error; nothing elsewhere.
@MainActor
final class ProgressBar {
    private static let width = 30
    private let isOnTerminal = isatty(STDERR_FILENO) == 1
    private var shown = ""

    func show(done: Int, total: Int) {
        guard isOnTerminal, total > 0 else { return }
        let filled = done * Self.width / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        let text = "\r[\(bar)] \(done) of \(total)"
        guard text != shown else { return }
        shown = text
        put(text)
    }

    /// Removes the bar, so that the report begins on an empty line.
    func clear() { if !shown.isEmpty { put("\r\u{1B}[K") } }

    private func put(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
