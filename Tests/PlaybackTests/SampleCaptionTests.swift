import Captions
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Captions in the samples of a file")
struct SampleCaptionTests {
    private final class Text: SamplePayload {
        let bytes: [UInt8]
        var byteCount: Int { bytes.count }

        init(_ text: String) { bytes = Array(text.utf8) }

        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try bytes.withUnsafeBytes(body)
        }
    }

    private let store: CueStore
    private let reader: SampleCaptionReader

    init() throws {
        let stores = TrackCueStores()
        let track = TrackDescription(id: TrackID(2), type: .text, codec: "subrip")
        reader = try #require(SampleCaptionReader(tracks: [track], codecs: FakeCodecs(), stores: stores))
        store = try #require(stores[TrackID(2)])
    }

    private func take(_ text: String, at start: Double, for duration: MediaTime? = nil) {
        let start = MediaTime.milliseconds(Int64(start * 1000))
        let sample = EncodedSample(
            track: TrackID(2), presentationTime: start, decodeTime: start, duration: duration, isSync: true,
            payload: Text(text), parameters: FakeParameters("subrip"))
        #expect(reader.take(sample))
    }

    private var shown: [String] {
        store.all.map { "\($0.plainText) \($0.start.milliseconds)-\($0.end.milliseconds)" }
    }

    @Test("a caption without an end lasts until the next sample of its track, an empty one too, at most half a minute")
    func open() {
        take("one", at: 1)
        #expect(shown == ["one 1000-31000"])
        take("", at: 2)
        take("two", at: 3, for: .zero)
        take("beside it", at: 3)
        #expect(shown == ["one 1000-2000", "two 3000-33000", "beside it 3000-33000"])
        take("three", at: 50)
        #expect(shown == ["one 1000-2000", "two 3000-33000", "beside it 3000-33000", "three 50000-80000"])
        take("four", at: 51)
        #expect(shown.suffix(2) == ["three 50000-51000", "four 51000-81000"])
    }

    @Test("captions that state their end keep it over those that follow")
    func stated() {
        take("one", at: 1, for: .seconds(4))
        take("two", at: 2)
        take("three", at: 3, for: .seconds(1))
        #expect(shown == ["one 1000-5000", "two 2000-3000", "three 3000-4000"])
    }

    @Test("what is read again after a seek is there once, with its end")
    func again() {
        for _ in 0..<2 {
            take("one", at: 1)
            take("", at: 2)
            take("two", at: 3)
            #expect(shown == ["one 1000-2000", "two 3000-33000"])
            reader.restart()
        }
        // A place ahead: what was open there gets its end when it is read again.
        take("far", at: 20)
        reader.restart()
        take("two", at: 3)
        take("", at: 4)
        #expect(shown == ["one 1000-2000", "two 3000-4000", "far 20000-50000"])
    }
}
