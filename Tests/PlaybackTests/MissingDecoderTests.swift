import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Sound without a decoder does not stop the pictures", .serialized)
@MainActor
struct MissingDecoderTests {
    private func play(_ media: FakeMedia, without missing: Set<String>) throws -> PlayerRig {
        let rig = try PlayerRig()
        rig.codecs.lack(missing)
        rig.open(media)
        rig.player.play()
        #expect(rig.run { rig.isAtEnd || rig.failure != nil })
        return rig
    }

    @Test("a film whose sound cannot be decoded plays silently to its end, which is told once")
    func silent() throws {
        let rig = try play(FakeMedia(), without: ["fake-audio"])
        defer { rig.close() }
        #expect(rig.failure == nil)
        // The first picture is read again without the sound.
        #expect(Array(rig.frames.map(\.time).suffix(250)) == (0..<250).map { FakeMedia().time(of: $0) })
        #expect(rig.frames.count <= 251)
        #expect(rig.unplayable == 1)
        #expect(rig.item?.log?.errorEvents.count == 1)
    }

    @Test("a film whose pictures cannot be decoded fails with the words of a missing decoder: its screen would be black")
    func blind() throws {
        let rig = try play(FakeMedia(), without: ["fake-video"])
        defer { rig.close() }
        #expect(rig.failure?.code == .decoderUnsupported)
        #expect(rig.frames.isEmpty && rig.unplayable == 0)
    }

    @Test("an item of which nothing can be decoded fails with the words of a missing decoder")
    func neither() throws {
        let rig = try play(FakeMedia(), without: ["fake-video", "fake-audio"])
        defer { rig.close() }
        #expect(rig.failure?.code == .decoderUnsupported)
        let sound = try play(FakeMedia(frameCount: 0), without: ["fake-audio"])
        defer { sound.close() }
        #expect(sound.failure?.code == .decoderUnsupported)
    }

    @Test("a seek and a pause in a silent film work as in any other")
    func seek() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.codecs.lack(["fake-audio"])
        rig.open(FakeMedia())
        rig.player.play()
        #expect(rig.run { rig.frames.count > 20 })
        #expect(rig.seek(to: seconds(5)) == true)
        rig.player.pause()
        rig.run(for: .seconds(2))
        rig.player.play()
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.failure == nil && rig.unplayable == 1 && rig.endCount == 1)
    }
}

extension PlayerRig {
    fileprivate var failure: MediaError? {
        if case .failed(let error) = player.state.itemStatus { error } else { nil }
    }

    /// How often the sound was told to have no decoder.
    fileprivate var unplayable: Int {
        events.count { if case .soundUnplayable = $0.event { true } else { false } }
    }
}
