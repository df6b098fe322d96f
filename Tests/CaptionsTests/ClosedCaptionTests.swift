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

    // MARK: Packets of CEA-708 (section 5 of the standard)

    /// Triples of `cc_data` for a packet with a sequence header of this size code.
    private func triples(_ body: [UInt8], sizeCode: UInt8? = nil) -> [UInt8] {
        let packet: [UInt8] = [sizeCode ?? UInt8((body.count + 2) / 2)] + body + (body.count % 2 == 0 ? [0] : [])
        var data: [UInt8] = []
        for place in stride(from: 0, to: packet.count, by: 2) {
            data += [place == 0 ? 0xFF : 0xFE, packet[place], packet[place + 1]]
        }
        return data
    }

    private static let window: [UInt8] = [0x98, 0x20, 0x80, 0, 0, 31, 0x09]

    private func block(_ service: UInt8, _ words: String, isDefined: Bool = true) -> [UInt8] {
        let body: [UInt8] = (isDefined ? Self.window : []) + Array(words.utf8)
        let size = UInt8(body.count)
        let head: [UInt8] = service < 7 ? [service << 5 | size] : [7 << 5 | size, service]
        return head + body
    }

    private func told(_ pictures: [UInt8]...) -> [String] {
        var decoder = ClosedCaptionDecoder()
        return pictures.flatMap { decoder.take($0, at: .zero) }.map {
            "\($0.channel): " + $0.cues.map(\.plainText).joined(separator: "/")
        }
    }

    @Test("a packet has blocks of several services; those from 7 on have their number in a second byte")
    func services() {
        #expect(told(triples(block(1, "A") + block(2, "B"))) == ["SERVICE1: A", "SERVICE2: B"])
        #expect(told(triples(block(6, "A"))) == ["SERVICE6: A"])
        #expect(told(triples(block(7, "A") + block(63, "B"))) == ["SERVICE7: A", "SERVICE63: B"])
        #expect(
            told(triples(block(1, "A")), triples(block(2, "B") + block(1, "C", isDefined: false))) == [
                "SERVICE1: A", "SERVICE2: B", "SERVICE1: AC",
            ])
    }

    @Test("a block without a number or a length ends its packet")
    func padding() {
        #expect(told(triples(block(1, "A") + [0, 0] + block(2, "B"))) == ["SERVICE1: A"])
        #expect(told(triples(block(1, "A") + [1 << 5] + block(2, "B"))) == ["SERVICE1: A"])
        #expect(told(triples(block(1, "A") + [8] + Self.window + [0x42] + block(2, "C"))) == ["SERVICE1: A"])
        // The size of the second block says more than there is.
        #expect(told(triples(block(1, "A") + [2 << 5 | 31] + Self.window + [0x42])) == ["SERVICE1: A", "SERVICE2: B"])
    }

    @Test("a size code of zero is 128 bytes, and the next packet ends one that is too short")
    func lengths() {
        let long = triples(block(1, "A") + block(2, "B") + [UInt8](repeating: 0, count: 127 - 18), sizeCode: 0)
        #expect(long.count == 64 * 3 && told(long) == ["SERVICE1: A", "SERVICE2: B"])
        #expect(told(long.dropLast(3) + []) == [])
        #expect(told(triples(block(1, "A"), sizeCode: 30), triples(block(2, "B"))) == ["SERVICE1: A", "SERVICE2: B"])
        // What follows the packet's end belongs to none.
        #expect(told(triples(block(1, "A")) + [0xFE, 2 << 5 | 8, 0x98]) == ["SERVICE1: A"])
    }

    @Test("data marked as not valid are ignored; an invalid packet start ends the previous packet")
    func validity() {
        func invalid(_ bytes: [UInt8]) -> [UInt8] { bytes.enumerated().map { $0.offset % 3 == 0 ? $0.element & ~4 : $0.element } }
        #expect(told(invalid(triples(block(1, "A")))) == [])
        #expect(told(triples(block(1, "A"), sizeCode: 30) + [0xFB, 0, 0]) == ["SERVICE1: A"])
        let pair: [UInt8] = [odd(0x14), odd(0x29)]
        #expect(told([0xFC] + pair + [0xFC, odd(0x41), odd(0x42)]) == ["CC1: AB"])
        #expect(told([0xFC] + pair + [0xF8, odd(0x41), odd(0x42)]) == [])
        #expect(told([0xFD] + pair + [0xFD, odd(0x41), odd(0x42)]) == ["CC3: AB"])
        #expect(told([0xFC] + pair + [0xFC, odd(0x41)]) == [])
    }

    @Test("a caption is shown for sixteen seconds when nothing more arrives, and nothing is left after a jump")
    func ends() throws {
        var decoder = ClosedCaptionDecoder()
        let change = try #require(decoder.take(triples(block(1, "A")), at: .seconds(5)).first)
        #expect(change.time == .seconds(5) && change.cues.map { [$0.start, $0.end] } == [[.seconds(5), .seconds(21)]])
        decoder.reset()
        #expect(decoder.take(triples(block(1, "B", isDefined: false)), at: .seconds(6)).isEmpty)
    }
}
