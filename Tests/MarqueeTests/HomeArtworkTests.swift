import ChannelFeed
import LinuxSupport
import MediaModel
import TestSupport
import Testing

@testable import BoxAssembly

/// Home's pictures after a restart with the server down, and when it is back.
@Suite("Home without its server", .serialized)
@MainActor
struct HomeArtworkTests {
    private static let start = FeedDate("2026-11-23T19:55:00Z")!
    private static let later = FeedDate("2026-11-23T20:55:00Z")!
    private enum Colour: UInt8 { case blue = 0, green = 1, red = 2 }

    private func box(_ start: FeedDate, after old: EveningBox? = nil) throws -> EveningBox {
        try EveningBox(start: start, after: old) { $0.artworkFolder = $0.stateFolder.map { $0 + "/artwork" } }
    }

    /// A picture of one colour, in BMP.
    private static func picture(_ colour: Colour, width: Int = 64, height: Int = 36, stated: (Int, Int)? = nil) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let row = (width * 3 + 3) / 4 * 4
        var bytes = Array("BM".utf8) + number(54 + row * height, 4) + number(0, 4) + number(54, 4) + number(40, 4)
        bytes += number(stated?.0 ?? width, 4) + number(stated?.1 ?? height, 4) + number(1, 2) + number(24, 2)
        bytes += [UInt8](repeating: 0, count: 24)
        var pixels = [UInt8](repeating: 0, count: row)
        for pixel in 0..<width { pixels[pixel * 3 + Int(colour.rawValue)] = 255 }
        for _ in 0..<height { bytes += pixels }
        return bytes
    }

    private func put(_ colour: Colour, _ name: String, in box: EveningBox) {
        box.script.put(Self.picture(colour), at: EveningBox.cdn + name)
    }

    private func putFeed(in box: EveningBox) {
        let items = ["a", "b"].map { name in
            box.put(film: name)
            return #"{"id": "\#(name)", "title": "\#(name)", "proposal": null, "streams": [{"url": "\#(name)/all.m3u8"}], "#
                + #""artwork": {"poster": "\#(name).bmp", "background": "wide.bmp"}}"#
        }
        box.script.put(
            #"{"feedVersion": 1, "id": "f", "items": [\#(items.joined(separator: ","))]}"#, at: "\(EveningBox.cdn)feed.json")
    }

    /// How many pixels of the screen are of a colour and nothing else.
    private func count(_ colour: Colour, on box: EveningBox) -> Int {
        var answer: ScreenPicture??
        box.box.display.readScreen { answer = .some($0) }
        #expect(box.run { answer != nil })
        guard let pixels = answer??.pixels else { return 0 }
        return pixels.withBytes { bytes in
            (0..<pixels.height).reduce(0) { sum, row in
                sum
                    + (0..<pixels.width).count { column in
                        let place = pixels.planes[0].offset + row * pixels.planes[0].stride + column * 4
                        return (0..<3).allSatisfy {
                            $0 == Int(colour.rawValue) ? bytes[place + $0] > 200 : bytes[place + $0] < 40
                        }
                    }
            }
        }
    }

    /// Pixels of one poster on a screen of 320x180.
    private static let poster = 800

    @Test("its posters are drawn from the disk, and a changed one when the server is back, and at once when the network is")
    func restart() throws {
        let first = try box(Self.start)
        put(.red, "a.bmp", in: first)
        put(.red, "b.bmp", in: first)
        put(.red, "wide.bmp", in: first)
        putFeed(in: first)
        #expect(first.run { first.home?.content.rows.isEmpty == false })
        first.run(for: .seconds(10))
        #expect(count(.red, on: first) > 2 * Self.poster)
        first.close()

        let second = try box(Self.later, after: first)
        second.script.fail("\(EveningBox.cdn)*", with: .refusal)
        #expect(second.run { second.home?.content.rows.isEmpty == false })
        second.run(for: .seconds(10))
        let whole = count(.red, on: second)
        #expect(whole > 2 * Self.poster)
        put(.blue, "b.bmp", in: second)
        second.script.heal()
        // Longer than the longest pause. Nobody presses a key.
        second.run(for: .seconds(121))
        second.press(.info)
        second.run(for: .seconds(5))
        #expect(count(.blue, on: second) > Self.poster && count(.red, on: second) > Self.poster)
        second.close()

        let third = try box(Self.later, after: second)
        third.pullNetwork()
        #expect(third.run { third.home?.content.rows.isEmpty == false })
        third.run(for: .seconds(5))
        #expect(count(.blue, on: third) > Self.poster && count(.green, on: third) == 0)
        // From now on Home tells that there is no network: what cannot be played is dim.
        third.run(for: .seconds(95))
        put(.green, "b.bmp", in: third)
        third.plugNetwork()
        third.run(for: .seconds(4))
        #expect(count(.green, on: third) > Self.poster && count(.blue, on: third) == 0)
        third.close()
    }

    @Test("a web page and a picture of 20,000 pixels are told, not shown, not kept, and do no harm")
    func wrong() throws {
        let box = try box(Self.start)
        box.script.put("<!DOCTYPE html><title>Sign in</title>", at: EveningBox.cdn + "a.bmp", type: "text/html")
        box.script.put(Self.picture(.red, stated: (20_000, 20_000)), at: EveningBox.cdn + "b.bmp")
        put(.red, "wide.bmp", in: box)
        putFeed(in: box)
        #expect(box.run { box.home?.content.rows.isEmpty == false })
        box.run(for: .seconds(600))
        box.press(.info)
        box.run(for: .seconds(5))
        #expect(count(.red, on: box) < Self.poster)
        let lines = box.box.log.tail(500).filter { $0.contains("artwork") }
        #expect(lines.count == 2, "\(lines)")
        put(.blue, "a.bmp", in: box)
        box.run(for: .seconds(3600))
        box.press(.info)
        box.run(for: .seconds(5))
        #expect(count(.blue, on: box) > Self.poster)
        box.close()
    }
}
