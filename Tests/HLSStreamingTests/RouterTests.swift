import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("Playlists behind a router, which redirects", .serialized)
@MainActor
struct RouterTests {
    private let loop: MainLoop
    private let loader = HandLoader()
    private let policy = ScriptedPolicy()
    private let context: StreamContext

    init() throws {
        loop = try MainLoop(time: .simulated)
        context = StreamContext(loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock, policy: policy)
    }

    private func run(for length: Duration) { loop.run(within: length) { false } }

    private func list(_ first: Int, _ more: String = "") -> [UInt8] {
        Array(
            "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n\(more)#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXTINF:2,\na\(first).ts\n#EXTINF:2,\na\(first + 1).ts\n"
                .utf8)
    }

    private func followed() -> MediaPlaylistTracker {
        let tracker = MediaPlaylistTracker(
            address: "http://r/list.m3u8", role: .variant(0), context: context, state: { ReadingState() }, reference: { _ in nil }
        )
        tracker.follow()
        return tracker
    }

    @Test("a live playlist is asked for at the router at each reload, and its segments where the answer came from")
    func reloads() throws {
        let tracker = followed()
        loader.transfers[0].complete(list(0), from: "http://one/list.m3u8")
        #expect(tracker.url == "http://one/list.m3u8" && context.isRouted)
        run(for: .seconds(3))
        #expect(loader.urls == ["http://r/list.m3u8", "http://r/list.m3u8"])
        loader.transfers[1].complete(list(1), from: "http://two/list.m3u8")
        #expect(tracker.url == "http://two/list.m3u8")
        tracker.close()
    }

    @Test(
        "with blocking reload it stays at the server until that fails, whatever the failure is",
        arguments: [LoadFault.broken, .unreachable, .status(404)])
    func blocking(fault: LoadFault) throws {
        let tracker = followed()
        loader.transfers[0].complete(list(0, "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"), from: "http://one/list.m3u8")
        run(for: .milliseconds(10))
        #expect(loader.urls.last == "http://one/list.m3u8?_HLS_msn=2")
        policy.actions = [.retry(after: .milliseconds(100))]
        loader.transfers[1].fail(fault)
        run(for: .milliseconds(200))
        #expect(loader.urls.count == 3 && loader.urls.last == "http://r/list.m3u8")
        loader.transfers[2].complete(list(1, "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"), from: "http://two/list.m3u8")
        run(for: .milliseconds(10))
        #expect(loader.urls.last == "http://two/list.m3u8?_HLS_msn=3")
        tracker.close()
    }

    @Test(
        "a permanent redirect holds until the first failure, whatever the failure is; then its entrance is asked again",
        arguments: [LoadFault.broken, .status(403), .status(404)])
    func permanent(fault: LoadFault) throws {
        let tracker = MediaPlaylistTracker(
            address: "http://one/list.m3u8", role: .variant(0), context: context, state: { ReadingState() },
            reference: { _ in nil }
        )
        let first = ByteResponse(
            bytes: list(0), url: "http://one/list.m3u8", status: 200, contentType: nil, timeToFirstByte: .zero,
            transferDuration: .zero)
        try tracker.adopt(first, from: "http://r/list.m3u8")
        tracker.follow()
        run(for: .seconds(3))
        #expect(loader.urls == ["http://one/list.m3u8"])
        policy.actions = [.retry(after: .milliseconds(100))]
        loader.transfers[0].fail(fault)
        run(for: .milliseconds(200))
        #expect(loader.urls.count == 2 && loader.urls.last == "http://r/list.m3u8")
        loader.transfers[1].complete(list(1), from: "http://two/list.m3u8", isLasting: true)
        #expect(tracker.url == "http://two/list.m3u8" && context.isRouted)
        run(for: .seconds(3))
        #expect(loader.urls.count == 3 && loader.urls.last == "http://two/list.m3u8")
        // What another request has brought stands for a reload.
        let again = ByteResponse(
            bytes: list(2), url: "http://three/list.m3u8", status: 200, contentType: nil, timeToFirstByte: .zero,
            transferDuration: .zero)
        tracker.renew(again)
        #expect(loader.transfers[2].isCancelled && tracker.playlist?.mediaSequence == 2)
        run(for: .seconds(3))
        #expect(loader.urls.count == 4 && loader.urls.last == "http://three/list.m3u8")
        tracker.close()
    }

    @Test(
        "the presentation is looked up again at any failure of a playlist or a segment, once one of its playlists was redirected")
    func lookup() throws {
        var refused: [PresentationLookup.Refused] = []
        context.lookUpAgain = { refused.append($0) }
        for isRouted in [false, true] {
            if isRouted {
                context.noteRoute(from: "http://r/m.m3u8", to: "http://one/m.m3u8")
            }
            context.noteFailureOfSegment(.loading("http://one/a.ts", failed: .unreachable))
            let tracker = followed()
            policy.actions = [.skip]
            loader.transfers.last?.fail(.unreachable)
            #expect(refused.count == (isRouted ? 2 : 0))
            tracker.close()
        }
        context.noteFailureOfSegment(.loading("http://one/a.ts", failed: .status(403)))
        #expect(refused.count == 3)
    }
}
