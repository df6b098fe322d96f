import Captions
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Closed captions that are found, and captions that are unavailable")
@MainActor
struct ClosedCaptionTests {
    /// Two bytes of a CEA-608 channel of the first field, with parity, as cc_data of ATSC A/53.
    private static func triplet(_ first: UInt8, _ second: UInt8) -> [UInt8] {
        [0xFC] + [first, second].map { $0 | ($0.nonzeroBitCount % 2 == 0 ? 0x80 : 0) }
    }

    /// "Hi" in paint-on mode, row 15.
    private static let painted: [UInt8] =
        triplet(0x14, 0x29) + triplet(0x14, 0x70) + triplet(0x48, 0x69)

    @Test("a closed-caption channel becomes an option that is not selected automatically; once selected, it is shown")
    func found() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        var media = FakeMedia(frameCount: 200, soundDuration: .seconds(8))
        for frame in stride(from: 25, to: 200, by: 25) { media.closedCaptions[frame] = Self.painted }
        let item = rig.open(media)
        #expect(item.selection.group(.legible) == nil)
        rig.player.play()
        #expect(rig.run { item.selection.group(.legible) != nil })
        let group = try #require(item.selection.group(.legible))
        #expect(group.options.map(\.source) == [.closedCaptions("CC1")])
        #expect(item.selection.selectedOption(.legible) == nil)
        item.selection.select(group.options[0], in: group)
        #expect(rig.run { rig.player.captions.cues.contains { $0.plainText.hasPrefix("Hi") } })
        // The next item starts without it.
        let other = rig.open(FakeMedia(frameCount: 50, soundDuration: nil), at: "other")
        rig.player.play()
        rig.run { rig.isAtEnd }
        #expect(other.selection.group(.legible) == nil)
    }

    @Test("unavailable captions are reported once and logged as an error, and playback continues")
    func missing() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 50, soundDuration: nil)) { item in
            item.selection.addCaptionFile(url: "absent.vtt", languageTag: "en")
            let group = item.selection.group(.legible)!
            item.selection.select(group.options[0], in: group)
        }
        rig.player.play()
        #expect(rig.run { rig.isAtEnd })
        let told = rig.events.filter { if case .captionsFailed = $0.event { true } else { false } }
        #expect(told.count == 1)
        #expect(item.log?.errorEvents.count == 1 && item.log?.errorEvents.first?.isFatal == false)
        #expect(rig.frames.count == 50)
    }
}
