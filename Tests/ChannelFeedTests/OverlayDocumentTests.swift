import Testing

@testable import ChannelFeed

@Suite("Documents with the lines of an overlay")
struct OverlayDocumentTests {
    private func lines(_ text: String, _ languages: [String] = ["en"]) throws -> [String] {
        try OverlayDocument.lines(in: Array(text.utf8)).map { $0.best(for: languages) ?? "" }
    }

    @Test("a list, or an object with one, has lines in one or several languages; other members mean nothing")
    func forms() throws {
        #expect(try lines(#"["One", "Two"]"#) == ["One", "Two"])
        #expect(try lines(#"{"made": 5, "lines": ["One", {"en": "Two", "fr": "Deux"}]}"#, ["fr"]) == ["One", "Deux"])
        #expect(try lines(#"[null, "One", {"en": "Two", "fr": null}]"#) == ["One", "Two"])
        #expect(try lines("\u{FEFF}[]") == [] && lines(#"{"lines": []}"#) == [])
        #expect(try lines(#"["Two\nlines \t and   spaces"]"#) == ["Two lines and spaces"])
    }

    @Test("twenty lines count, and a hundred and twenty characters of each")
    func bounds() throws {
        let many = "[" + (1...25).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        #expect(try lines(many) == (1...20).map(String.init))
        let exact = String(repeating: "é", count: 120)
        #expect(try lines("[\"\(exact)\"]") == [exact])
        #expect(try lines("[\"\(exact)!\"]") == [exact.dropLast() + "…"])
        let padding = String(repeating: " ", count: OverlayDocument.longest - 4)
        #expect(try lines("[\"\"]\(padding)") == [""])
        #expect(throws: OverlayDocument.Refusal.self) { try lines("[\"\"]\(padding) ") }
    }

    @Test(
        "what is no such document is refused in words",
        arguments: [
            ("<!DOCTYPE html>", "not JSON"), ("", "not JSON"), (#"{"line": ["a"]}"#, "no list of lines"),
            ("\"a\"", "no list of lines"),
            (#"["a", 5]"#, "line 2 is neither"), (#"[null, 5]"#, "line 2 is neither"), (#"[{"en": 5}]"#, "line 1 is neither"),
            ("[{}]", "line 1 is neither"), (#"[{"en": null}]"#, "line 1 is neither"),
            (String(repeating: "[", count: 30), "not JSON"),
            (#"{"lines": {"en": "a"}}"#, "no list"),
        ])
    func refused(text: String, words: String) {
        let refusal = #expect(throws: OverlayDocument.Refusal.self) { try lines(text) }
        #expect(refusal?.reason.contains(words) == true, "\(refusal?.reason ?? "")")
    }
}
