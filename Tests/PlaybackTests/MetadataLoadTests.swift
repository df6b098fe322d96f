import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata
import TestSupport
import Testing

@testable import Playback

@Suite("Metadata of an asset")
@MainActor
struct MetadataLoadTests {
    private func loaded(_ asset: Asset, _ rig: PlayerRig) -> Result<MediaMetadata, MediaError>? {
        var result: Result<MediaMetadata, MediaError>?
        asset.loadMetadata { result = $0 }
        rig.run { result != nil }
        return result
    }

    @Test("it is read once for all requests, and all of them get the same result")
    func once() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 15] + Array("TIT2".utf8) + [0, 0, 0, 5, 0, 0, 3] + Array("Name".utf8)
        let loader = BytesLoader(["a.mp3": tag])
        var services = rig.player.services
        services.loader = loader
        let asset = Asset(url: "a.mp3", services: services)
        #expect(try loaded(asset, rig)?.get().items.best(.commonTitle, for: [])?.stringValue == "Name")
        #expect(try loaded(asset, rig)?.get().items.count == 1)
        #expect(loader.streamCount == 1)
        guard case .loaded = asset.metadataStatus else { Issue.record("\(asset.metadataStatus)"); return }
    }

    @Test("bytes that cannot be read are a failure with a sentence")
    func failure() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        var services = rig.player.services
        services.loader = BytesLoader([:])
        guard case .failure(let error) = loaded(Asset(url: "absent", services: services), rig) else {
            Issue.record("an absent file has metadata")
            return
        }
        #expect(error.code == .sourceMissing)
    }

    /// An MP4 with a list of chapters (`chpl`): their starts in seconds, and their titles.
    private static func film(_ chapters: [(Int, String)]) -> [UInt8] {
        func big(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) } }
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8, 4) + Array(type.utf8) + body }
        let list = chapters.flatMap { big($0.0 * 10_000_000, 8) + big($0.1.utf8.count, 1) + Array($0.1.utf8) }
        let chpl = box("chpl", [0, 0, 0, 0] + big(chapters.count, 1) + list)
        return box("ftyp", Array("mp42".utf8) + big(0, 4)) + box("moov", box("udta", chpl))
    }

    private static func composition(_ pieces: [(url: String, start: Int64, length: Int64)]) -> Composition {
        var place = MediaTime.zero
        let segments = pieces.map { piece in
            defer { place += .seconds(piece.length) }
            return CompositionTrackSegment(
                SourceReference(url: piece.url), TimeRange(start: .seconds(piece.start), duration: .seconds(piece.length)),
                at: place)
        }
        return Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)])
    }

    @Test(
        "a composition has the chapters of its sources in its own time; a source that is gone has none, and each is opened once")
    func composed() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        var services = rig.player.services
        let loader = BytesLoader(["a.mp4": Self.film([(0, "Opening"), (10, "Middle")]), "b.mp4": Self.film([(0, "Other")])])
        services.loader = loader
        let composition = Self.composition([("a.mp4", 5, 10), ("gone.mp4", 0, 4), ("a.mp4", 15, 5), ("b.mp4", 100, 2)])
        let asset = Asset(composition: composition, name: "pieces", services: services)
        let metadata = try #require(try loaded(asset, rig)?.get())
        #expect(metadata.items.isEmpty)
        #expect(
            metadata.chapters.map { "\($0.timeRange) \($0.items.best(.commonTitle, for: [])?.stringValue ?? "")" } == [
                "[0.000, 5.000) Opening", "[5.000, 10.000) Middle", "[14.000, 19.000) Middle", "[19.000, 21.000) Other",
            ])
        #expect(try loaded(asset, rig)?.get().chapters.count == 4)
        #expect(loader.streamCount == 3)
        guard case .loaded = asset.metadataStatus else { Issue.record("\(asset.metadataStatus)"); return }
    }

    @Test("of compositions with very many sources the first hundred are read for chapters")
    func manySources() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        var services = rig.player.services
        let loader = BytesLoader(Dictionary(uniqueKeysWithValues: (0..<150).map { ("\($0)", Self.film([(0, "\($0)")])) }))
        services.loader = loader
        let asset = Asset(composition: Self.composition((0..<150).map { ("\($0)", 0, 1) }), name: "pieces", services: services)
        #expect(try loaded(asset, rig)?.get().chapters.count == CompositionChapters.mostSources)
        #expect(loader.streamCount == CompositionChapters.mostSources)
    }

    @Test("when the asset is closed during loading, each request is answered once")
    func cancellation() throws {
        let rig = try PlayerRig()
        defer { rig.player.close() }
        var services = rig.player.services
        services.loader = BytesLoader(["a": []])
        let asset = Asset(url: "a", services: services)
        var answers = 0
        asset.loadMetadata { result in
            answers += 1
            if case .success = result { Issue.record("cancelled and loaded") }
        }
        asset.close()
        #expect(answers == 1)
        rig.run(for: .seconds(1))
        #expect(answers == 1)
        guard case .cancelled = asset.metadataStatus else { Issue.record("\(asset.metadataStatus)"); return }
    }
}

/// Files in memory.
// Unchecked: the count is used only on the main loop, where streams are made; the files never change.
private final class BytesLoader: ByteLoading, @unchecked Sendable {
    private let files: [String: [UInt8]]
    private(set) var streamCount = 0

    init(_ files: [String: [UInt8]]) { self.files = files }

    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { preconditionFailure("metadata is read from a stream") }

    func stream(_ url: String) -> any ByteStream {
        streamCount += 1
        guard let bytes = files[url] else {
            return MemoryByteStream([], name: url, failure: (0, MediaError(.sourceMissing, "There is no file \(url).")))
        }
        return MemoryByteStream(bytes, name: url)
    }
}
