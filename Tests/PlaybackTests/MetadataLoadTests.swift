import LinuxSupport
import MediaModel
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
