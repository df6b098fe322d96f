import LinuxSupport
import MediaModel
import MediaTime

/// Decodes the pictures of a player, and keeps those of a moment ago. One for the whole life of a player. Main loop.
@MainActor
final class PictureDecoding {
    private(set) var decoder: TrackDecoder<VideoFrame>
    /// Frames of a moment ago.
    private(set) var cache: FrameCache
    /// How many bytes the frames take that are kept while play is paused.
    let cacheLimit: Int
    /// How many bytes one pass backward keeps; nil: as many as there is room for.
    var passLimit: Int?
    /// Whether pictures are wanted of any item: without, as with the screen off, they are not even decoded, and the sound goes on.
    var areWanted = true

    init(_ services: PlaybackServices, tapping: (TrackKind<VideoFrame>) -> TrackKind<VideoFrame>) {
        let (cache, allocator) = (FrameCache(), services.display.videoAllocator)
        self.cache = cache
        cacheLimit = FrameCache.mostBytes(in: allocator)
        decoder = TrackDecoder(
            kind: tapping(.video(codecs: services.codecs, allocator: allocator, cache: cache)), clock: services.clock,
            buffering: services.buffering)
    }

    /// Applies what is wanted to an item whose tracks have become known.
    func prepareTracks(of item: PlayerItem) { if !areWanted { enableTracks(of: item) } }

    /// Brings the tracks of an item into line with what is wanted.
    func enableTracks(of item: PlayerItem) {
        for track in item.tracks where track.assetTrack.type == .video { track.isEnabled = areWanted }
    }

    /// How many bytes one pass backward over pictures of a size may keep.
    func batchBytes(width: Int?, height: Int?) -> Int {
        passLimit ?? TrackKind<VideoFrame>.batchBytes(of: cacheLimit, width: width, height: height)
    }

    /// Keeps as much as may be kept, or while play goes on a little.
    func keepMost(_ isPaused: Bool) { cache.byteLimit = isPaused ? cacheLimit : FrameCache.playingBytes }

    /// The next item brings the frames that it has, and a decoder if it has pictures; the thread of the one before ends.
    func replace(with decoder: TrackDecoder<VideoFrame>?, cache: FrameCache) {
        self.cache = cache
        guard let decoder else { return }
        self.decoder.thread.retire()
        self.decoder = decoder
    }

    /// Gives up the decoder if a call into it hangs.
    ///
    /// - Returns: whether it did.
    func abandonHungDecoder() -> Bool {
        guard decoder.looksHung() else { return false }
        decoder.abandon()
        return true
    }
}
