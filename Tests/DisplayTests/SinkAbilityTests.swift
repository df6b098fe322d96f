import LinuxSupport
import MediaModel
import Testing

@testable import Display

@Suite("What a screen says of its dynamic range")
struct SinkAbilityTests {
    private func ability(_ change: (inout TelevisionEDID) -> Void = { _ in }) -> SinkAbility {
        var edid = TelevisionEDID()
        change(&edid)
        return SinkAbility(edid: edid.bytes)
    }

    @Test("a television with HDR10 and HLG")
    func television() {
        let sink = ability()
        #expect(sink.ranges == [.pq, .hlg] && sink.bits == 12)
        #expect(sink.acceptsBT2020RGB && sink.acceptsBT2020YCC)
        #expect(sink.peak.map { Int($0) } == 603)
        #expect(ability { $0.transfers = 0b0101 }.ranges == [.pq])
        #expect(ability { $0.transfers = 0b1001 }.ranges == [.hlg])
        #expect(ability { $0.peak = 0 }.peak == nil && ability { $0.peak = nil }.peak == nil)
        #expect(ability { $0.peak = 255 }.peak.map { Int($0) } == 12_525)
    }

    @Test("a screen shows a standard range only, unless transfer function, metadata, primaries and depth are all there")
    func incomplete() {
        #expect(ability { $0.transfers = nil }.ranges.isEmpty)
        #expect(ability { $0.transfers = 0b0011 }.ranges.isEmpty, "gamma with a high range is not shown by any programme")
        #expect(ability { $0.descriptors = 2 }.ranges.isEmpty)
        #expect(ability { $0.colorimetry = nil }.ranges.isEmpty)
        #expect(ability { $0.colorimetry = 0x3F }.ranges.isEmpty, "the constant luminance of BT.2020 is something else")
        #expect(ability { $0.deepColour = nil }.ranges.isEmpty && ability { $0.deepColour = 0x88 }.ranges.isEmpty)
        #expect(ability { $0.revision = 2 }.ranges.isEmpty)
        let luma = ability { $0.colorimetry = 0x40 }
        #expect(luma.ranges == [.pq, .hlg] && luma.acceptsBT2020YCC && !luma.acceptsBT2020RGB)
        let red = ability { $0.colorimetry = 0x80 }
        #expect(red.ranges == [.pq, .hlg] && red.acceptsBT2020RGB && !red.acceptsBT2020YCC)
    }

    @Test("ten bits are in any of four places")
    func depth() {
        func bits(_ change: (inout TelevisionEDID) -> Void) -> Int {
            ability {
                $0.deepColour = nil
                change(&$0)
            }.bits
        }
        #expect(bits { _ in } == 8)
        #expect(bits { $0.deepColour = 0x10 } == 10 && bits { $0.deepColour = 0x70 } == 16)
        #expect(bits { $0.forum = 1 } == 10 && bits { $0.forum = 2 } == 12 && bits { $0.forum = 0 } == 8)
        #expect(
            bits {
                $0.forum = 3
                $0.isForumExtended = true
            } == 12)
        #expect(bits { $0.input = 0xB0 } == 10 && bits { $0.input = 0xC5 } == 12 && bits { $0.input = 0xA0 } == 8)
        #expect(bits { $0.input = 0x30 } == 8, "an analogue input has no depth")
    }

    @Test("a byte that is wrong, or missing, leaves a standard range")
    func damaged() {
        let whole = TelevisionEDID().bytes
        for index in whole.indices {
            for flip in [UInt8(1), 0x80, 0xFF] {
                var edid = whole
                edid[index] ^= flip
                #expect(SinkAbility(edid: edid).ranges.isEmpty, "byte \(index)")
            }
        }
        for count in 0..<whole.count { #expect(SinkAbility(edid: Array(whole.prefix(count))).ranges.isEmpty, "\(count) bytes") }
        #expect(SinkAbility(edid: whole + whole.prefix(127)).ranges == [.pq, .hlg], "what follows the last whole block")
    }

    @Test("blocks of data that leave their extension, or are as long as they can be, are not read beyond it")
    func hostile() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var extent = (0..<128).map { _ in UInt8.random(in: 0...255, using: &random) }
            (extent[0], extent[1]) = (2, 3)
            let edid = Array(TelevisionEDID().bytes.prefix(128)) + TelevisionEDID.sealed(extent)
            let sink = SinkAbility(edid: edid)
            #expect((8...16).contains(sink.bits) && sink.peak.map { (50...12_600).contains($0) } ?? true)
        }
        // The HDR block lies behind the end of the data blocks, or reaches over it.
        for end in 0..<UInt8(128) {
            var extent = Array(TelevisionEDID().bytes.suffix(128))
            let real = extent[2]
            extent[2] = end
            let sink = SinkAbility(edid: Array(TelevisionEDID().bytes.prefix(128)) + TelevisionEDID.sealed(extent))
            #expect(sink.ranges.isEmpty == (end < real), "\(end)")
        }
        let empty = [UInt8](repeating: 0, count: 128)
        #expect(SinkAbility(edid: []).ranges.isEmpty && SinkAbility(edid: empty + empty).ranges.isEmpty)
        let many = Array(TelevisionEDID().bytes.prefix(128)) + [[UInt8]](repeating: empty, count: 400).joined()
        #expect(SinkAbility(edid: many).ranges.isEmpty)
    }
}

@Suite("The static metadata of a signal")
struct RangeSignalTests {
    private func bytes(_ signal: RangeSignal) -> [UInt8] { withUnsafeBytes(of: signal.metadata) { Array($0) } }

    @Test("is in the units of CTA-861-G, at its places")
    func places() throws {
        func point(_ x: UInt16, _ y: UInt16) throws -> LightMetadata.Chromaticity { try #require(.init(x: x, y: y)) }
        let gamut = LightMetadata.Gamut(
            red: try point(34_000, 16_000), green: try point(13_250, 34_500), blue: try point(7500, 3000),
            white: try point(15_635, 16_450))
        let light = LightMetadata(gamut: gamut, peak: 1000, black: 50, brightestPixel: 850, brightestAverage: 120)
        func words(_ values: UInt16...) -> [UInt8] { values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
        #expect(
            bytes(RangeSignal(range: .pq, light: light))
                == [0, 0, 0, 0, 2, 0]
                + words(34_000, 16_000, 13_250, 34_500, 7500, 3000, 15_635, 16_450, 1000, 50, 850, 120) + [0, 0])
    }

    @Test("what is not stated is 0, and an average is not above the brightest pixel")
    func bounds() {
        #expect(bytes(RangeSignal(range: .hlg, light: nil)) == [0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 27))
        func average(_ pixel: Int?, _ average: Int) -> UInt16 {
            let light = LightMetadata(gamut: nil, peak: nil, black: nil, brightestPixel: pixel, brightestAverage: average)
            return RangeSignal(range: .pq, light: light).metadata.hdmi_metadata_type1.max_fall
        }
        #expect(average(400, 900) == 400 && average(nil, 900) == 900 && average(900, 400) == 400)
    }
}
