import MediaTime
import Testing

@testable import Captions

@Suite("Captions that cannot be shown say why")
struct UnreadFormatTests {
    @Test(
        "formats that are not read are named",
        arguments: [
            ("850STL25.01100", "EBU STL"), ("Scenarist_SCC V1.0\n\n00:00:01:00\t9420", "Scenarist SCC"),
            ("\u{FEFF}<SAMI>\n<BODY>", "SAMI"),
            ("{25}{75}Hello|there", "MicroDVD, whose times are numbers of frames,"), ("[25][75]Hello", "MPL2"),
            ("# VobSub index file, v7\n", "VobSub, whose pictures are in a file of their own,"),
            ("<window type=\"generic\"><time begin=\"1\"/>Hello", "RealText"),
            (
                "<?xml version=\"1.0\" encoding=\"utf-8\" ?><transcript><text start=\"1\" dur=\"2\">a</text></transcript>",
                "YouTube’s XML"
            ),
            ("{\"captions\":[{\"duration\":1,\"content\":\"a\"}]}", "JSON"), ("$FontName = Arial\n", "Spruce STL"),
            ("00:00:01:00,00:00:03:00,Hello", "Spruce STL"), ("00:00:01:Hello\n00:00:03:", "VPlayer"),
            ("0:00:01.00 0:00:03.00 {vm} Hello", "JACOsub"), ("10,20,\"Hello\"", "PJS"), ("-->> 00100\nHello", "AQTitle"),
            ("FORMAT=TIME\n1 2\nHello", "MPSub"), ("[ti:A song]\n[00:12.00]Hello", "LRC"), ("[00:12.00]Hello", "LRC"),
        ])
    func named(_ text: String, _ name: String) {
        #expect(throws: CaptionError.unreadFormat(name)) { try CaptionDocument.read(Array(text.utf8)) }
        #expect("\(CaptionError.unreadFormat(name))" == "\(name) is not read here; serve WebVTT, TTML, ASS or SubRip")
    }

    @Test("a document whose captions are pictures in other files says so; pictures in it or beside it in its sample are shown")
    func pictures() throws {
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        png += Array("IHDR".utf8)
        png += [0, 0, 0, 8, 0, 0, 0, 4]
        let picture = png
        func document(_ reference: String) -> [UInt8] {
            Array("<tt><body><div begin='1s' end='2s' smpte:backgroundImage='\(reference)'/></body></tt>".utf8)
        }
        #expect(throws: CaptionError.missingPicture("a.png")) { try CaptionDocument.read(document("a.png")) }
        let image = Array("<tt><body><div begin='1s' end='2s'><image src='b.png'/></div></body></tt>".utf8)
        #expect(throws: CaptionError.missingPicture("b.png")) { try CaptionDocument.read(image) }
        let sample = document("urn:mpeg:14496-30:subs:2") + picture + picture
        let cues = TTMLReader.cues(ofSample: sample, start: .zero, end: .seconds(9))
        #expect(cues.map(\.start) == [.seconds(1)] && cues.first?.image?.width == 8)
        #expect(TTMLReader.cues(ofSample: document("urn:mpeg:14496-30:subs:9") + picture, start: .zero, end: .seconds(9)).isEmpty)
    }
}
