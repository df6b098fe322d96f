import Testing

@testable import Captions

/// Section numbers are those of XML 1.0.
@Suite("XML as caption files have it")
struct XMLReaderTests {
    /// An element in brackets: its name, its attributes, its contents.
    private func words(_ element: XMLElement) -> String {
        let attributes = element.attributes.map { " \($0.name)=\($0.value)" }.joined()
        let children = element.children.map { child in
            switch child {
            case .element(let element): words(element)
            case .text(let text): text
            }
        }
        return "[\(element.name)\(attributes)|\(children.joined())]"
    }

    @Test(
        "elements, attributes and text",
        arguments: [
            ("<a>x</a>", "[a|x]"), ("<a/>", "[a|]"), ("<a><b/>x<c>y</c>z</a>", "[a|[b|]x[c|y]z]"),
            ("<a b='1' c=\"2\"/>", "[a b=1 c=2|]"), ("<a b = '1'\n c='2' >x</a >", "[a b=1 c=2|x]"),
            ("<a b='\"' c=\"'>\"/>", "[a b=\" c='>|]"), ("<p:a q:b='1'/>", "[a b=1|]"), ("<p:a></q:a>", "[a|]"),
            ("text <a/> more", "[a|]"), ("<a b='1' b='2'/>", "[a b=1 b=2|]"),
        ])
    func elements(_ text: String, _ expected: String) {
        #expect(XMLReader.parse(text).map(words) == expected)
    }

    @Test(
        "comments, processing instructions and document types are skipped with any contents (2.5, 2.6, 2.8)",
        arguments: [
            ("<?xml version='1.0'?><!DOCTYPE a><!-- <b> --><a>x</a>", "[a|x]"), ("<a>x<!-- </a> -->y</a>", "[a|xy]"),
            ("<a>x<!-- > - -- <b> -->y</a>", "[a|xy]"), ("<a>x<?b > <c> ?>y</a>", "[a|xy]"), ("<a>x<!b>y</a>", "[a|xy]"),
            ("<a>x<!-- never closed </a>", "[a|x]"),
        ])
    func passedOver(_ text: String, _ expected: String) {
        #expect(XMLReader.parse(text).map(words) == expected)
    }

    @Test("CDATA sections are literal text (2.7)")
    func characterData() {
        #expect(XMLReader.parse("<a>x<![CDATA[<b>&amp;]]>y</a>").map(words) == "[a|x<b>&amp;y]")
        #expect(XMLReader.parse("<![CDATA[x]]><a/>").map(words) == "[a|]")
    }

    @Test("references are resolved in text and in values (4.1)")
    func references() {
        #expect(XMLReader.parse("<a b='&lt;&#65;'>&amp;&#x42;&other;</a>").map(words) == "[a b=<A|&B&other;]")
    }

    @Test(
        "damaged markup loses as little as possible",
        arguments: [
            // An end tag without a start tag; one that closes open children; elements left open.
            ("<a>x</b>y</a>", "[a|xy]"), ("<a><b>x</a>", "[a|[b|x]]"), ("<a><b>x", "[a|[b|x]]"), ("<a", "[a|]"),
            ("<a><b>x</b><c>y</a>z</c>", "[a|[b|x][c|y]]"),
            // Attributes without a value or without quotation marks, and marks in odd places.
            ("<a b c='1'/>", "[a c=1|]"), ("<a b=1 c='2'/>", "[a c=2|]"), ("<a / b='1'>x</a>", "[a b=1|x]"),
            ("<a ='1' b='2'/>", "[a b=2|]"), ("<a><>x</a>", "[a|x]"), ("<a>x</>y</a>", "[a|xy]"),
            ("<a b='1", "[a b=1|]"),
        ])
    func mistakes(_ text: String, _ expected: String) {
        #expect(XMLReader.parse(text).map(words) == expected)
    }

    @Test("text without an element has no root element", arguments: ["", "text", "<!-- <a/> -->", "<>", "</a>"])
    func nothing(_ text: String) {
        #expect(XMLReader.parse(text).map(words) == nil)
    }

    @Test("elements nest 64 deep; deeper ones are left out and their text is kept")
    func depth() {
        func depth(_ element: XMLElement) -> Int { 1 + (element.elements.map(depth).max() ?? 0) }
        func nested(_ count: Int) -> XMLElement? {
            XMLReader.parse(String(repeating: "<a>", count: count) + "x" + String(repeating: "</a>", count: count))
        }
        #expect(nested(64).map(depth) == 64 && nested(64)?.text == "x")
        #expect(nested(65).map(depth) == 64 && nested(65)?.text == "x")
    }

    @Test("all text inside an element is in its order")
    func text() {
        let root = XMLReader.parse("<a>x<b>y<c>z</c></b><b n='2'/></a>")
        #expect(root?.text == "xyz" && root?.first("b")?.text == "yz" && root?.elements.map(\.name) == ["b", "b"])
        #expect(root?.first("c") == nil && root?.elements.last?["n"] == "2" && root?["n"] == nil)
    }
}
