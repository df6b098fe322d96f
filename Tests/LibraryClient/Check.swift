/// How many checks have failed.
@MainActor private(set) var failures = 0

/// Says which check has failed, and goes on.
@MainActor
func check(_ holds: Bool, _ words: @autoclosure () -> String = "", line: Int = #line) {
    guard !holds else { return }
    failures += 1
    print("line \(line) does not hold \(words())")
}

/// Checks that an error of a type is thrown.
@MainActor
func checkThrows<Failure: Error>(_ type: Failure.Type, line: Int = #line, _ body: @MainActor () async throws -> Void) async {
    do {
        try await body()
        check(false, "nothing was thrown", line: line)
    } catch {
        check(error is Failure, "\(error)", line: line)
    }
}
