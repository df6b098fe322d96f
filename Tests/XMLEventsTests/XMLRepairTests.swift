import Testing

@testable import XMLEvents

/// What Expat makes of a text: `<name attributes>`, text, `</name>`.
private final class Transcript: XMLEventReceiver {
    private(set) var words = ""

    func began(_ name: String, _ attributes: [String: String]) {
        words += "<\(name)\(attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined())>"
    }
    func came(_ text: String) { words += text }
    func ended(_ name: String) { words += "</\(name)>" }
}

@Suite("XML as it is written in the world")
struct XMLRepairTests {
    private func read(_ bytes: [UInt8]) throws -> String {
        let transcript = Transcript()
        try #require(XMLEventParser(transcript)).parse(bytes)
        return transcript.words
    }

    @Test(
        "characters that are not allowed are repaired",
        arguments: [
            ("<a>Dailey & Vincent</a>", "<a>Dailey & Vincent</a>"), ("<a>a &amp; b &lt; c</a>", "<a>a & b < c</a>"),
            ("<a>AT&T, R&D; &;&</a>", "<a>AT&T, R&D; &;&</a>"), ("<a b='x?t=IT&md5=1&lt=2'/>", "<a b=x?t=IT&md5=1&lt=2></a>"),
            ("<a>Caf&eacute;&nbsp;Noir &unknown; &hellip;</a>", "<a>Café\u{A0}Noir &unknown; …</a>"),
            ("<a>&#233;&#xE9;&#26;&#150;&#xFFFF;&#99999999999;</a>", "<a>éé–&#99999999999;</a>"),
            ("<a>Ne\u{1A}xt\u{0B}\u{7}</a>", "<a>Next</a>"), ("<a>1 < 2, <3 and a<</a>", "<a>1 < 2, <3 and a<</a>"),
            ("<a>x]]>y ]] ></a>", "<a>x]]>y ]] ></a>"), ("<a><![CDATA[<b> & \u{1}&amp;]]>&amp;</a>", "<a><b> & &amp;&</a>"),
            ("\n\n \u{FEFF}<?xml version='1.0' encoding='x'?><a/>", "<a></a>"),
            ("<a><!-- & -- <b> --><b/></a>", "<a><b></b></a>"),
            ("<a/>\u{FEFF}<?xml-stylesheet href='x'?>", "<a></a>"), ("<?xml version='1.1'?><a>é</a>", "<a>é</a>"),
            ("<!DOCTYPE a [<!ENTITY me 'I'>]><a>&me; &amp; &you;</a>", "<a>I & &you;</a>"),
            ("<!DOCTYPE a SYSTEM 'a.dtd'><a/>", "<a></a>"),
        ])
    func characters(_ text: String, _ wanted: String) throws { #expect(try read(Array(text.utf8)) == wanted) }

    @Test("every encoding that is declared is read, and a lie about it is seen through")
    func encodings() throws {
        func xml(_ encoding: String, _ bytes: [UInt8]) -> [UInt8] {
            Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><a>".utf8) + bytes + Array("</a>".utf8)
        }
        #expect(try read(xml("windows-1251", [0xCD, 0xEE, 0xE2, 0xEE, 0xF1, 0xF2, 0xE8])) == "<a>Новости</a>")
        #expect(try read(xml("ISO-8859-2", [0xAE, 0x6C, 0x75, 0xBB])) == "<a>Žluť</a>")
        #expect(try read(xml("GB2312", [0xD0, 0xC2, 0xCE, 0xC5])) == "<a>新闻</a>")
        #expect(try read(xml("ISO-8859-15", [0xA4])) == "<a>€</a>")
        #expect(try read(xml("UTF-8", [0x47, 0x72, 0xF6, 0xDF, 0x65])) == "<a>Größe</a>")
        #expect(try read(xml("UTF-16", Array("Größe".utf8))) == "<a>Größe</a>")
        let wide = Array("<?xml version='1.0' encoding='UTF-16'?><a>ß</a>".utf16)
        for mark in [[0xFEFF], []] as [[UInt16]] {
            #expect(try read((mark + wide).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }) == "<a>ß</a>")
        }
    }

    @Test("structure is not repaired", arguments: ["<a><b></a>", "<a", "<a>", "", "<a b=c/>", "x", "<a/><b/>"])
    func structure(_ text: String) { #expect(throws: XMLFault.self) { try read(Array(text.utf8)) } }

    @Test("a text in pieces is repaired like a whole one")
    func pieces() {
        let text = Array("<a><![CDATA[x <p>&]]> & <p>y<!-- <p> & --><p/></a>".utf8)
        var whole = XMLRepair()
        let wanted = whole.repaired(text[...])
        var (pieces, made) = (XMLRepair(), [UInt8]())
        var start = 0
        for index in text.indices.dropFirst() where text[index...].starts(with: Array("<p".utf8)) {
            made += pieces.repaired(text[start..<index])
            start = index
        }
        made += pieces.repaired(text[start...])
        #expect(String(decoding: made, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
    }
}
