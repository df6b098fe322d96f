import MediaModel
import MediaTime
import Testing

@testable import Remote

@Suite("Key scripts")
struct KeyScriptTests {
    @Test("lines are strokes in the order of their times; comments and blank lines are nothing")
    func strokes() throws {
        let script = try KeyScript("# a tour\n4 right hold 1.5\n\n2.5 ok press # now\n2.5 down\n")
        #expect(
            script.strokes == [
                .init(time: MediaTime(5, 2), key: .ok, length: MediaTime(1, 10)),
                .init(time: MediaTime(5, 2), key: .down, length: MediaTime(1, 10)),
                .init(time: .seconds(4), key: .right, length: MediaTime(3, 2)),
            ])
    }

    @Test(
        "a fault names its line and what would be right",
        arguments: [
            ("x ok", "time"), ("1 okay", "keys are"), ("1", "missing"), ("1 ok hold", "hold 1.5"), ("1 ok tap", "means nothing"),
        ])
    func faults(line: String, word: String) {
        #expect {
            _ = try KeyScript("# first\n\(line)\n")
        } throws: { error in
            (error as? KeyScript.Fault)?.line == 2 && "\(error)".contains(word)
        }
    }
}
