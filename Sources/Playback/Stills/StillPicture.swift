import MediaModel
import MediaTime

/// A file with one picture, decoded: the sample that every decoder of pictures takes.
struct StillPicture: Sendable {
    let track: TrackDescription
    private let sample: EncodedSample

    /// The sample, as long as the picture is shown.
    func sample(lasting duration: MediaTime) -> EncodedSample {
        var sample = sample
        sample.duration = duration
        return sample
    }

    /// What is needed to open one. Worker threads only.
    struct Opening: Sendable {
        let bytes: [UInt8]
        /// Its name in errors.
        let name: String
        let codecs: any CodecFactory

        /// Opens it.
        ///
        /// - Returns: `sourceFormat` when it is no picture, or none within the bounds.
        func picture() -> Result<StillPicture, MediaError> {
            do throws(MediaError) { return .success(try opened()) } catch { return .failure(error) }
        }

        /// Opens it and decodes it into the memory of a screen.
        func picture(
            decodedInto allocator: any FrameAllocator, lasting duration: MediaTime
        ) -> Result<(StillPicture, VideoFrame), MediaError> {
            do throws(MediaError) {
                let picture = try opened()
                let sample = picture.sample(lasting: duration)
                let decoder = try codecs.openVideoDecoder(sample.parameters, allocator: allocator)
                var frames = try decoder.decode(sample)
                if frames.isEmpty { frames = try decoder.decode(nil) }
                guard let frame = frames.first else {
                    throw MediaError(.sourceFormat, "Decoding \(name) gave no picture; give another file.")
                }
                return .success((picture, frame))
            } catch {
                return .failure(error)
            }
        }

        private func opened() throws(MediaError) -> StillPicture {
            let demuxer = try codecs.openDemuxer(GeneratedStream(name: name, bytes: bytes), hint: nil)
            guard demuxer.description.isStill, let track = demuxer.description.tracks.first, let sample = try demuxer.nextSample()
            else {
                throw MediaError(
                    .sourceFormat, "\(name) was opened as \(demuxer.description.format), and is no picture; give a picture.")
            }
            return StillPicture(track: track, sample: sample)
        }
    }
}
