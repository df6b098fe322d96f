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

    /// A film with sound in two further languages.
    private func film(_ codecs: [String], languages: [String] = ["en", "es"], pictures: Int = 250) -> FakeMedia {
        var media = FakeMedia(frameCount: pictures, languages: languages)
        media.soundCodecs = codecs
        return media
    }

    @Test("other sound of a film is chosen before silence, and what cannot be decoded is not offered", arguments: [250, 0])
    func otherSound(pictures: Int) throws {
        let rig = try play(film(["fake-dts", "fake-dts", "fake-audio"], pictures: pictures), without: ["fake-dts"])
        defer { rig.close() }
        #expect(rig.failure == nil && rig.endCount == 1)
        #expect(rig.item?.audioTrack?.languageTag == "es")
        #expect(rig.item?.selection.group(.audible)?.options.map(\.codec) == ["fake-audio"])
        #expect(rig.unplayable == 0)
        // The viewer hears another language than the film would have had, and is told so.
        #expect(rig.events.contains { if case .soundChangeFailed = $0.event { true } else { false } })
        if pictures > 0 { #expect(Array(rig.frames.map(\.time).suffix(250)) == (0..<250).map { FakeMedia().time(of: $0) }) }
    }

    @Test("the language of the film's own sound is kept before the order of its tracks")
    func nextOfTheLanguage() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.codecs.lack(["fake-dts"])
        let item = rig.open(film(["fake-audio", "fake-dts", "fake-audio", "fake-audio"], languages: ["fr", "es", "fr"]))
        rig.player.play()
        #expect(rig.run { rig.player.currentTime > .seconds(1) })
        let group = try #require(item.selection.group(.audible))
        item.selection.select(group.options.first { $0.codec == "fake-dts" }, in: group)
        #expect(rig.run { rig.isAtEnd || rig.failure != nil })
        #expect(rig.failure == nil && item.audioTrack?.languageTag == "fr" && item.audioTrack?.codec == "fake-audio")
    }

    @Test("a preferred language keeps its words in another format, without a message")
    func sameLanguage() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.codecs.lack(["fake-dts"])
        let item = rig.open(film(["fake-audio", "fake-dts", "fake-audio"], languages: ["es", "es"]))
        item.selection.criteria[.audible] = .init(preferredLanguages: ["es"])
        rig.player.play()
        #expect(rig.run { rig.isAtEnd || rig.failure != nil })
        #expect(item.audioTrack?.id == TrackID(3) && rig.failure == nil)
        #expect(rig.unplayable == 0)
        #expect(!rig.events.contains { if case .soundChangeFailed = $0.event { true } else { false } })
    }

    @Test("a film with two kinds of sound, neither of which can be decoded, plays silently and says so once")
    func noneOfThem() throws {
        let rig = try play(film(["fake-dts", "fake-audio", "fake-dts"]), without: ["fake-dts", "fake-audio"])
        defer { rig.close() }
        #expect(rig.failure == nil && rig.unplayable == 1 && rig.item?.audioTrack == nil)
        #expect(Array(rig.frames.map(\.time).suffix(250)) == (0..<250).map { FakeMedia().time(of: $0) })
        let sound = try play(
            film(["fake-dts", "fake-audio", "fake-dts"], pictures: 0), without: ["fake-dts", "fake-audio"])
        defer { sound.close() }
        #expect(sound.failure?.code == .decoderUnsupported)
    }

    @Test("the position at which a film is to be resumed is kept when its first sound cannot be decoded")
    func resumed() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.codecs.lack(["fake-dts"])
        rig.open(film(["fake-dts", "fake-audio", "fake-audio"]))
        var answers: [Bool] = []
        rig.player.seek(to: seconds(4), toleranceBefore: .zero, toleranceAfter: .zero) { answers.append($0) }
        rig.player.play()
        #expect(rig.run { rig.isAtEnd || rig.failure != nil })
        #expect(answers == [true])
        #expect(rig.frames.allSatisfy { $0.time >= seconds(4) } && rig.frames.count >= 150 && rig.frames.count <= 151)
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
        events.count { if case .playsWithoutSound(let error) = $0.event { error.code == .decoderUnsupported } else { false } }
    }
}
