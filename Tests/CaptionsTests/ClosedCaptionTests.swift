import MediaTime
import Testing

@testable import Captions

@Suite("Closed captions: CEA-608 and CEA-708")
struct ClosedCaptionTests {
    /// A byte with odd parity.
    private func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 1 ? byte : byte | 0x80 }

    /// Sends pairs of field 1, one per picture at 30 a second, and returns the screen after each change.
    private func screens(_ pairs: [(UInt8, UInt8)], field: UInt8 = 0, channel: String = "CC1") -> [String] {
        var decoder = ClosedCaptionDecoder()
        var result: [String] = []
        for (index, pair) in pairs.enumerated() {
            for change in decoder.take([0xFC | field, odd(pair.0), odd(pair.1)], at: MediaTime(Int64(index), 30))
            where change.channel == channel {
                result.append("\(index): " + change.cues.map(\.plainText).joined(separator: "/"))
            }
        }
        return result
    }

    private func text(_ words: String) -> [(UInt8, UInt8)] {
        var bytes = Array(words.utf8)
        if bytes.count % 2 == 1 { bytes.append(0) }
        return stride(from: 0, to: bytes.count, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
    }

    @Test("pop-on captions appear whole and end when erased; doubled codes count once")
    func popOn() {
        let pairs: [(UInt8, UInt8)] =
            [(0x14, 0x20), (0x14, 0x20), (0x14, 0x2E), (0x14, 0x2E), (0x14, 0x70), (0x14, 0x70)] + text("HELLO") + [
                (0x14, 0x2F), (0x14, 0x2F),
            ]
            + [(0x14, 0x2C), (0x14, 0x2C)]
        #expect(screens(pairs) == ["9: HELLO", "11: "])
    }

    @Test("roll-up captions move up line by line")
    func rollUp() {
        let pairs: [(UInt8, UInt8)] =
            [(0x14, 0x25), (0x14, 0x2D)] + text("AB") + [(0x14, 0x2D)] + text("CD") + [(0x14, 0x2D)] + text("EF")
        #expect(screens(pairs).last == "6: CD/EF")
        #expect(screens(pairs).contains("4: AB/CD"))
    }

    @Test("colours, italics, special and extended characters")
    func styles() {
        var decoder = LineCaptionDecoder(channel: 1)
        var screen: LineCaptionDecoder.Screen?
        // Paint-on; row 15 in green; a, ♪, é over e, italics.
        for pair in [
            (0x14, 0x29), (0x14, 0x62), (0x61, 0x00), (0x11, 0x37), (0x65, 0x00), (0x12, 0x21), (0x11, 0x2E), (0x62, 0x00),
        ] as [(UInt8, UInt8)] {
            screen = decoder.take(odd(pair.0), pair.1 == 0 ? 0x80 : odd(pair.1), at: .zero) ?? screen
        }
        let cue = screen?.rows.first
        #expect(cue?.plainText == "a♪É b")
        let styles = cue?.nodes.compactMap { node -> CaptionTextStyle? in
            if case .span(let span) = node, case .style(let style) = span.kind { style } else { nil }
        }
        #expect(styles?.first?.colour == CaptionColour(red: 0, green: 255, blue: 0))
        #expect(styles?.last?.isItalic == true)
    }

    @Test("the four channels are distinguished by field and code")
    func channels() {
        let second: [(UInt8, UInt8)] = [(0x1C, 0x29), (0x1C, 0x70)] + text("TWO!")
        #expect(screens(second).isEmpty)
        #expect(screens(second, channel: "CC2").last == "3: TWO!")
        #expect(screens([(0x15, 0x29), (0x14, 0x70)] + text("THREE!"), field: 1, channel: "CC3").last == "4: THREE!")
    }

    @Test("a CEA-708 window shows its text at its position and in its colours, and hides it")
    func service() throws {
        var decoder = ServiceCaptionDecoder()
        // Define window 0, visible, anchor bottom centre at 90 % and 50 % (relative), 2 rows, 32 columns, window style 1, pen style 1.
        let define: [UInt8] = [0x98, 0x20, 0x80 | 90, 50, 7 << 4 | 1, 31, 0x09]
        let pen: [UInt8] = [0x91, 0b0011_1100, 0b0000_0000, 0]
        var bytes = define + pen
        bytes += Array("Hi".utf8)
        bytes.append(0x0D)
        bytes += Array("you".utf8)
        let shown = decoder.take(bytes[...])
        let cues = try #require(shown)
        #expect(cues.map(\.plainText) == ["Hi\nyou"])
        let box = try #require(cues[0].box)
        #expect(
            box.displayAlignment == .after && abs(box.x + box.width / 2 - 0.5) < 0.01 && abs(box.y + box.height - 0.82) < 0.01)
        guard case .span(let span) = cues[0].nodes[0], case .style(let style) = span.kind else {
            Issue.record("no style in \(cues[0].nodes)")
            return
        }
        #expect(style.colour == CaptionColour(red: 255, green: 255, blue: 0))
        #expect(decoder.take([0x8A, 0x01][...]) == [])
    }

    @Test("CEA-708 packets are assembled across pictures, service by service")
    func packets() {
        var decoder = ClosedCaptionDecoder()
        let block: [UInt8] = [0x98, 0x20, 0x80, 0, 0, 31, 0x09, 0x41, 0x42]
        let body = [UInt8(1 << 5 | block.count)] + block
        // Size code: bytes including the header, in pairs.
        let packet = [UInt8((body.count + 2) / 2)] + body + (body.count % 2 == 0 ? [0] : [])
        var data: [UInt8] = []
        for place in stride(from: 0, to: packet.count, by: 2) {
            data += [place == 0 ? 0xFF : 0xFE, packet[place], place + 1 < packet.count ? packet[place + 1] : 0]
        }
        let half = data.count / 6 * 3
        #expect(decoder.take(Array(data[..<half]), at: .zero).isEmpty)
        let changes = decoder.take(Array(data[half...]), at: .milliseconds(33))
        #expect(changes.map(\.channel) == ["SERVICE1"] && changes.first?.cues.map(\.plainText) == ["AB"])
    }

    @Test("random data never causes a crash, and every shown caption ends")
    func random() {
        var number: UInt64 = 11
        var decoder = ClosedCaptionDecoder()
        for index in 0..<20_000 {
            var data: [UInt8] = []
            for _ in 0..<6 {
                number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                data += [
                    0xFC | UInt8(number >> 60 & 3), UInt8(truncatingIfNeeded: number >> 30),
                    UInt8(truncatingIfNeeded: number >> 40),
                ]
            }
            for change in decoder.take(data, at: MediaTime(Int64(index), 30)) {
                #expect(change.cues.allSatisfy { $0.end > $0.start })
            }
        }
    }
}
