import Display
import HLSStreaming
import LinuxSupport
import MediaModel
import MediaSources
import Playback
import Transfer

extension PlaybackServices {
    /// Joins engines for a player: HLS and its measured network, the requests of streams for the logs, compositions, and hanging decoders.
    ///
    /// - Parameters:
    ///   - memory: the measured throughput of the network, which a next stream begins with.
    ///   - showsHighRange: whether items in a high dynamic range are signalled to a screen that can show them.
    ///   - plainHTTPHosts: the hosts from which HTTP without TLS is accepted where HTTPS was asked for.
    ///   - takesLowest: whether a stream shall take its lowest quality; asked before each segment.
    package static func joining(
        clock: any HostClock, loader: any ByteLoading, codecs: any CodecFactory, display: any DisplayOutput, sink: any AudioSink,
        memory: NetworkMemory, showsHighRange: Bool, plainHTTPHosts: Set<String> = [],
        takesLowest: @escaping @MainActor () -> Bool = { false }
    ) -> PlaybackServices {
        var services = PlaybackServices(
            clock: clock, loader: loader, codecs: codecs, display: display, sink: sink
        ) { url, playlist in
            HLSSource(
                playlist: playlist, entrance: url, screen: (display.mode.width, display.mode.height),
                ranges: showsHighRange ? display.range.offered : [], plainHTTPHosts: plainHTTPHosts, loader: loader,
                codecs: codecs, clock: clock, memory: memory, takesLowest: takesLowest)
        }
        services.showsHighRange = showsHighRange
        services.streamRequests = { stream in
            guard let record = (stream as? any TransferRecording)?.record else { return nil }
            return { StreamNews(requests: record.take().map { ResourceRequest($0) }, remarks: record.takeRemarks()) }
        }
        services.compositor = PictureCompositor()
        services.processorTimes = KernelProcessorTimes()
        return services
    }
}

extension ResourceRequest {
    fileprivate init(_ progress: TransferRecord.Progress) {
        let request = progress.request
        self.init(
            whole: MediaTransfer(
                url: request.url, serverAddress: request.serverAddress, mediaType: nil, byteCount: request.byteCount,
                timeToFirstByte: request.timeToFirstByte, transferDuration: request.transferDuration),
            newBytes: progress.newBytes, newDuration: progress.newDuration, isNew: progress.isNew, isOver: progress.isOver)
    }
}
