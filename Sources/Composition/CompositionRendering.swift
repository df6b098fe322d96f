import MediaModel
import MediaTime

/// Renders edited programmes for something other than a screen, with the compositor and the mixer that playback uses. `Playback` implements it. Any thread; what is
/// opened is confined to one thread at a time.
package protocol CompositionRendering: Sendable {
    /// The first error for which playback refuses a document; nil if it can be rendered.
    func obstacle(to document: CompositionDocument) -> CompositionFinding?
    /// Opens the pictures of a range of a document that has a video composition.
    ///
    /// - Parameters:
    ///   - range: within the composition.
    ///   - streams: where the byte streams of the sources are added, so that another thread can cancel them.
    /// - Throws: the error of a source.
    func openPictures(
        of document: CompositionDocument, in range: TimeRange, streams: OpenStreams
    ) throws(MediaError) -> any RenderedMedia<VideoFrame>
    /// Opens the sound of a range of a document: all its audio tracks, each at its volume, added up.
    ///
    /// - Parameters:
    ///   - format: of the sound; nil for stereo at the rate of the first source, 44.1 or 48 kHz.
    ///   - range: within the composition.
    ///   - streams: where the byte streams of the sources are added, so that another thread can cancel them.
    /// - Throws: the error of a source.
    func openSound(
        of document: CompositionDocument, in range: TimeRange, format: AudioFormat?, streams: OpenStreams
    ) throws(MediaError) -> any RenderedMedia<AudioBuffer>
}

/// The pictures or the sound of an edited programme, in order, without a hole between them. Confined to one thread at a time, which waits for bytes and the
/// processor.
package protocol RenderedMedia<Media>: AnyObject {
    associatedtype Media
    /// What comes next, in the time of the composition, cut to the range. It may be empty.
    ///
    /// - Returns: nil after the last.
    /// - Throws: the error of a source, a decoder or the compositor.
    func next() throws(MediaError) -> [Media]?
}
