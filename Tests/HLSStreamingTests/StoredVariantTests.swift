import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import HLSStreaming

/// A failure of a request for which another variant has the media on this machine.
@Suite("Stored variants")
struct StoredVariantTests {
    @Test(
        "what is stored is used at once, whatever failed, and without a network no other variant is tried for a while",
        arguments: [LoadFault.unreachable, .noFirstByte, .stalled, .status(503), .status(404), .broken])
    func stored(fault: LoadFault) throws {
        var text = "#EXTM3U\n"
        for rung in 1...4 { text += "#EXT-X-STREAM-INF:BANDWIDTH=\(rung)000000,CODECS=\"avc1.64001f\"\n\(rung).m3u8\n" }
        guard case .multivariant(let playlist) = PlaylistParser().parse(text).playlist else {
            throw MediaError(.sourceFormat, "The playlist of the test is not one of variants.")
        }
        let ladder = VariantLadder(
            playlist.variants, selection: VariantSelection(width: 1920, height: 1080) { _ in true })
        var failures = FailureLadder(seed: 1)
        for kind in [ResourceKind.segment, .part, .initialization, .key, .playlist] {
            var failed = StreamFailure(
                request: StreamRequest(kind: kind, role: .variant(3), url: "http://h/x"),
                error: MediaError(fault.code, "Loading x failed.", fault: fault), attempts: 1,
                missedSegments: 0, hasMediaBehind: false,
                state: ReadingState(hasDelivered: true, now: HostTime.zero))
            failed.storedVariants = [2]
            let action = failures.action(after: failed, ladder: ladder, pathways: PathwayOrder(playlist.variants))
            #expect(action == .use(variant: 2))
        }
        let isWhole = fault != .status(404)
        #expect((0...3).map { failures.isExcluded($0, at: HostTime.zero + .seconds(30)) } == [isWhole, isWhole, false, true])
        #expect((0...3).allSatisfy { !failures.isExcluded($0, at: HostTime.zero + .seconds(61)) })
    }
}
