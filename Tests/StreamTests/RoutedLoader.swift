import MediaModel
import MediaSources
import NetworkConditions
import TestSupport

/// Routes requests by address prefix.
final class RoutedLoader: ByteLoading {
    private let prefix: String
    private let routed: any ByteLoading
    private let others: any ByteLoading

    /// - Parameters:
    ///   - prefix: addresses with this prefix are loaded by `routed`, all others by `others`.
    init(_ prefix: String, to routed: any ByteLoading, others: any ByteLoading) {
        self.prefix = prefix
        self.routed = routed
        self.others = others
    }

    private func loader(of url: String) -> any ByteLoading { url.hasPrefix(prefix) ? routed : others }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { loader(of: request.url).load(request, completion) }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { loader(of: request.url).load(request, progress: progress, completion) }

    func stream(_ url: String) -> any ByteStream { loader(of: url).stream(url) }
}

extension OriginScript {
    /// Adds a playlist of two-second segments, with pictures and sound, at `http://test/NAME.m3u8`.
    ///
    /// - Parameters:
    ///   - stamp: the first segment's, in ticks of 90 kHz.
    ///   - header: further lines before the segments.
    ///   - kinds: a letter for each track, as `FakeSegment` has them.
    func putStream(_ name: String, seconds: Int, stamp: Int64 = 900_000, header: String = "", kinds: String = "va") {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + header
        for number in 0..<seconds / 2 {
            text += "#EXTINF:2,\n\(name)-\(number).ts\n"
            put(
                FakeSegment.bytes(kinds: kinds, start: stamp + Int64(number) * 180_000, count: 50),
                at: "http://test/\(name)-\(number).ts")
        }
        put(text + "#EXT-X-ENDLIST\n", at: "http://test/\(name).m3u8")
    }
}
