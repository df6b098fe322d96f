import Testing

@testable import WireFormats

@Suite("The JSON reader")
struct JSONReaderTests {
    private func fault(_ text: String, depth: Int = 32) -> JSONFault? {
        var reader = JSONReader(Array(text.utf8), maximumDepth: depth)
        do throws(JSONFault) {
            _ = try reader.read()
            return nil
        } catch {
            return error
        }
    }

    private func string(_ text: String) throws -> String {
        var reader = JSONReader(Array(text.utf8), maximumDepth: 32)
        guard case .string(let result) = try reader.read().value else { return "not a string" }
        return result
    }

    @Test(
        "numbers keep the text they were written with",
        arguments: ["0", "-0", "600.50", "1E+2", "12345678901234567890123456789", "0.10"])
    func numbers(_ text: String) throws {
        var reader = JSONReader(Array(text.utf8), maximumDepth: 32)
        guard case .number(let read) = try reader.read().value else { return #expect(Bool(false), "\(text) is a number") }
        #expect(read == text)
    }

    @Test(
        "what RFC 8259 does not allow is refused",
        arguments: [
            "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "{'a':1}", "01", "1.", ".5", "+1", "- 1", "1e", "NaN", "Infinity", "tru",
            "nullx", "[1 2]", "\"a",
            "\"\\x\"", "\"\\u12G4\"", "\"\t\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "// c\n1", "1 2", "[1]]",
            "{\"a\" 1}", "\u{FEFF}",
        ])
    func syntax(_ text: String) {
        #expect(fault(text)?.kind == .syntax)
    }

    @Test("escapes are parsed, surrogate pairs as one character")
    func escapes() throws {
        #expect(try string(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == "\"\\/\u{8}\u{C}\n\r\té😀")
        #expect(try string("\u{FEFF}\"a\"") == "a")
    }

    @Test("faults have a line and a column, in characters")
    func location() throws {
        let text = "{\n  \"é\": tru }"
        let fault = try #require(self.fault(text))
        var walk = LocationWalk(Array(text.utf8))
        #expect(walk.location(of: fault.offset) == TextLocation(line: 2, column: 11))
        #expect(fault.reason == "found \" \", expected \"true\"")
    }

    @Test("the depth limit counts arrays and objects")
    func depth() {
        #expect(fault("[[1]]", depth: 2) == nil)
        #expect(fault("[{\"a\": []}]", depth: 2)?.kind == .tooDeep)
        #expect(fault(String(repeating: "[", count: 1_000_000))?.kind == .tooDeep)
    }

    @Test("every duplicate key is reported, also when written differently, and the first value counts")
    func duplicates() throws {
        var reader = JSONReader(
            Array(#"{"a": 1, "b": [{"c": 1, "\u0063": 2}], "a": 3, "a/b": 0, "a/b": 0}"#.utf8), maximumDepth: 32)
        let node = try reader.read()
        #expect(reader.duplicates.map(\.pointer.description) == ["/b/0/c", "/a", "/a~1b"])
        guard case .object(let object) = node.value, case .number("1")? = object["a"]?.value else {
            return #expect(Bool(false), "the first counts")
        }
    }

    @Test("objects of any size find their keys and their duplicates", arguments: [1, 15, 16, 17, 18, 40])
    func sizes(_ count: Int) throws {
        let members = (0..<count).map { "\"k\($0)\": \($0)" }
        var whole = JSONReader(Array("{\(members.joined(separator: ","))}".utf8), maximumDepth: 32)
        guard case .object(let object) = try whole.read().value else { return #expect(Bool(false), "an object") }
        #expect(whole.duplicates.isEmpty && object.members.count == count && object["k\(count)"] == nil)
        for index in 0..<count {
            guard case .number(let text)? = object["k\(index)"]?.value else { return #expect(Bool(false), "k\(index)") }
            #expect(text == "\(index)")
        }
        for index in 0..<count {
            var twice = JSONReader(
                Array("{\((members + ["\"k\(index)\": null"]).joined(separator: ","))}".utf8), maximumDepth: 32)
            _ = try twice.read()
            #expect(twice.duplicates.map(\.pointer.description) == ["/k\(index)"])
        }
    }

    @Test("strings are whole, with escapes at any place", arguments: [0, 1, 5])
    func strings(_ place: Int) throws {
        let letters = Array("aé€😀z")
        let text = String(letters[..<place]) + "\\n\\u00e9" + String(letters[place...])
        #expect(try string("\"\(text)\"") == String(letters[..<place]) + "\né" + String(letters[place...]))
    }
}
