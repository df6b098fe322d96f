import LinuxSupport
import MediaModel
import MediaTime

/// Decodes the video of a player and caches recent frames. One for the lifetime of a player. Main loop.
@MainActor
final class PictureDecoding {
    private(set) var decoder: TrackDecoder<VideoFrame>
    /// Recently decoded frames.
    private(set) var cache: FrameCache
    /// Opens hardware decoders, also for the next item; nil if all is decoded in software.
    let hardware: HardwareDecoding?
    /// The maximum bytes of cached frames while paused.
    let cacheLimit: Int
    /// The maximum bytes of one backward pass; nil for the default.
    var passLimit: Int?
    /// Whether video is wanted at all: if not, as with the screen off, pictures are not decoded, and audio continues.
    var areWanted = true

    init(_ services: PlaybackServices, tapping: (TrackKind<VideoFrame>) -> TrackKind<VideoFrame>) {
        let (cache, allocator) = (FrameCache(), services.display.videoAllocator)
        self.cache = cache
        cacheLimit = FrameCache.mostBytes(in: allocator)
        hardware = services.decodesInHardware ? HardwareDecoding(clock: services.clock) : nil
        decoder = TrackDecoder(
            kind: tapping(.video(codecs: services.codecs, allocator: allocator, cache: cache, hardware: hardware)),
            clock: services.clock, buffering: services.buffering, times: services.processorTimes)
    }

    /// Applies the setting to an item whose tracks have become known.
    func prepareTracks(of item: PlayerItem) { if !areWanted { enableTracks(of: item) } }

    /// Matches the enabled tracks of an item to what is wanted.
    func enableTracks(of item: PlayerItem) {
        for track in item.tracks where track.assetTrack.type == .video { track.isEnabled = areWanted }
    }

    /// The maximum bytes of one backward pass for frames of a size.
    func batchBytes(width: Int?, height: Int?) -> Int {
        passLimit ?? TrackKind<VideoFrame>.batchBytes(of: cacheLimit, width: width, height: height)
    }

    /// Sets the cache limit for a pause or for playback.
    func keepMost(_ isPaused: Bool) { cache.byteLimit = isPaused ? cacheLimit : FrameCache.playingBytes }

    /// Takes over the frames of the next item, and its decoder if it has video; the thread of the previous one ends.
    func replace(with decoder: TrackDecoder<VideoFrame>?, cache: FrameCache) {
        self.cache = cache
        guard let decoder else { return }
        self.decoder.thread.retire()
        self.decoder = decoder
    }

    /// Replaces the decoder if a call into it hangs.
    ///
    /// - Returns: whether it did.
    func abandonHungDecoder() -> Bool {
        guard decoder.looksHung() else { return false }
        decoder.abandon()
        return true
    }
}
