import Composition
import MediaModel
import MediaTime

/// A sample of the file that is written.
struct WrittenSample {
    /// In the time of the export: what is written next is what comes first.
    var order: MediaTime
    /// In the time of the track's media.
    var sample: EncodedSample
}

/// One track of an export: makes the samples of the file. Confined to one thread.
protocol ExportLane: AnyObject {
    /// The type of its track.
    var type: MediaType { get }
    /// The parameters of its samples; nil until the first.
    var parameters: (any CodecParameters)? { get }
    /// After the last piece.
    func finish() throws(MediaError) -> [WrittenSample]
    /// How its media is presented; complete after `finish`.
    var edits: [MovieEdit] { get }
    /// What `edits` will be, once the first sample is known, if there is one segment; the range of the export decides its end.
    func expectedEdits(_ duration: MediaTime) -> [MovieEdit]
}

/// A lane that gets the samples of the pieces of one track.
protocol PieceLane: ExportLane {
    /// Begins a segment.
    func begin(_ mapping: TimeMapping, _ description: TrackDescription) throws(MediaError)
    /// Takes a sample in the time of its source.
    ///
    /// - Parameter waiting: gets what is ready. There are thousands of samples a second: none of them is worth a list of its own.
    func take(_ sample: EncodedSample, into waiting: inout SampleQueue) throws(MediaError)
    /// Ends a segment.
    ///
    /// - Returns: what is ready, and how much of the segment its source does not cover, at its end.
    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime)
    /// A segment without media.
    func gap(_ range: TimeRange) throws(MediaError)
}

/// A lane that gets what is rendered of several tracks.
protocol RenderedLane: ExportLane {
    /// The time of the export up to which it is rendered.
    var position: MediaTime { get }
    /// Renders what comes next.
    ///
    /// - Returns: what is ready; nil after the last.
    func advance() throws(MediaError) -> [WrittenSample]?
}
