import MediaModel
import MediaTime
import Testing

@testable import Remote

@Suite("Key scripts")
struct KeyScriptTests {
    @Test("lines become strokes ordered by time; comments and blank lines are ignored")
    func strokes() throws {
        let script = try KeyScript("# a tour\n4 right hold 1.5\n\n2.5 ok press # now\n2.5 down\n")
        #expect(
            script.strokes == [
                .init(time: MediaTime(5, 2), key: .ok, length: MediaTime(1, 10)),
                .init(time: MediaTime(5, 2), key: .down, length: MediaTime(1, 10)),
                .init(time: .seconds(4), key: .right, length: MediaTime(3, 2)),
            ])
    }

    @Test("looks press no keys")
    func looks() throws {
        let script = try KeyScript("3 look paused Paused, the bar\n1 ok\n2.5 look playing\n")
        #expect(script.strokes.count == 1)
        #expect(
            script.looks == [
                .init(time: MediaTime(5, 2), state: "playing", words: ""),
                .init(time: .seconds(3), state: "paused", words: "Paused, the bar"),
            ])
    }

    @Test(
        "an error names its line and the allowed words",
        arguments: [
            ("x ok", "time"), ("1 okay", "keys are"), ("1", "missing"), ("1 ok hold", "hold 1.5"),
            ("1 ok tap", "is not understood"),
            ("1 look", "a look"), ("x look playing", "a look"),
        ])
    func faults(line: String, word: String) {
        #expect {
            _ = try KeyScript("# first\n\(line)\n")
        } throws: { error in
            (error as? KeyScript.Fault)?.line == 2 && "\(error)".contains(word)
        }
    }
}
