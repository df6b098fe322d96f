import CFFmpeg
import MediaModel
import MediaTime

/// A file with a picture (JPEG, PNG, WebP, GIF, BMP, AVIF, SVG) as a film of one picture, which lasts as long as its reader wants.
///
/// The picture is decoded when the file is opened, within the bounds of `ImageDecoder` and upright. Its only sample has the pixels themselves, so that every
/// decoder of pictures takes it, also between two films in one programme. Confined to one thread at a time.
final class StillDemuxer: Demuxing {
    let description: ContainerDescription
    private let sample: EncodedSample
    private var isRead = false
    private var isSelected = true

    /// The largest picture in pixels; larger ones are made smaller.
    private static let most = (width: 3840, height: 2160)
    /// How long the sample says that it lasts: longer than anybody looks at a picture.
    private static let longest = MediaTime.seconds(24 * 60 * 60)
    /// FFmpeg's name of the container.
    private static let format = "image2"

    /// Nil: the stream begins like something else, and is at its beginning again.
    ///
    /// - Parameter head: what the stream, which is at its beginning, begins with.
    /// - Throws: `sourceFormat` when the picture is damaged or too large, or the error of the stream.
    init?(_ stream: ReturningStream, head: [UInt8]) throws(MediaError) {
        guard PictureFile.begins(head) else { return nil }
        let bytes = try stream.read(count: ImageDecoder.longestFile + 1)
        let (file, pixels): (PictureFile, PixelBuffer)
        do throws(MediaError) {
            file = try ImageDecoder.file(bytes)
            pixels = try ImageDecoder.decode(file, maximumWidth: Self.most.width, maximumHeight: Self.most.height)
        } catch {
            throw MediaError(error.code, "Opening \(stream.name) failed. \(error.sentence)")
        }
        let parameters = Self.parameters(width: pixels.width, height: pixels.height, streamName: stream.name)
        let track = TrackID(0)
        var picture = TrackDescription(id: track, type: .video, codec: String(cString: avcodec_get_name(file.codec)))
        (picture.width, picture.height, picture.parameters) = (pixels.width, pixels.height, parameters)
        var description = ContainerDescription(format: Self.format, tracks: [picture], duration: nil, startTime: .zero)
        description.isStill = true
        self.description = description
        sample = EncodedSample(
            track: track, presentationTime: .zero, decodeTime: .zero, duration: Self.longest, isSync: true,
            payload: Packet(try Self.samples(of: pixels)), parameters: parameters)
    }

    func nextSample() throws(MediaError) -> EncodedSample? {
        guard !isRead, isSelected else { return nil }
        isRead = true
        return sample
    }

    func seek(to time: MediaTime) throws(MediaError) { isRead = false }

    func select(_ tracks: Set<TrackID>) { isSelected = tracks.contains(sample.track) }

    /// The picture in 8-bit 4:4:4, which keeps the edges of coloured letters, with the colours of high-definition television; black where it is transparent.
    private static func samples(of pixels: PixelBuffer) throws(MediaError) -> [UInt8] {
        let (width, height) = (pixels.width, pixels.height)
        let context = sws_getContext(
            Int32(width), Int32(height), pixels.format.ffmpegFormat, Int32(width), Int32(height), AV_PIX_FMT_YUV444P,
            SWS_BILINEAR, nil,
            nil, nil)
        guard let context else {
            throw MediaError(.decoderUnsupported, "Converting a picture of \(width)x\(height) pixels failed; use a smaller one.")
        }
        defer { sws_freeContext(context) }
        let colours = sws_getCoefficients(SWS_CS_ITU709)
        sws_setColorspaceDetails(context, colours, 1, colours, 0, 0, 1 << 16, 1 << 16)
        let plane = width * height
        var samples = [UInt8](repeating: 0, count: 3 * plane)
        pixels.withBytes { source in
            samples.withUnsafeMutableBufferPointer { target in
                let from = source.baseAddress!.assumingMemoryBound(to: UInt8.self) + pixels.planes[0].offset
                let to = (0..<3).map { target.baseAddress! + $0 * plane }
                _ = sws_scale(
                    context, [from, nil, nil, nil], [Int32(pixels.planes[0].stride), 0, 0, 0], 0, Int32(height),
                    [to[0], to[1], to[2], nil], [Int32(width), Int32(width), Int32(width), 0])
            }
        }
        return samples
    }

    private static func parameters(width: Int, height: Int, streamName: String) -> StreamParameters {
        let context = allocated(avformat_alloc_context(), "a container")
        defer { avformat_free_context(context) }
        let stream = allocated(avformat_new_stream(context, nil), "a track")
        stream.pointee.time_base = AVRational(num: 1, den: 1000)
        let codec = stream.pointee.codecpar!
        (codec.pointee.codec_type, codec.pointee.codec_id) = (AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_RAWVIDEO)
        codec.pointee.format = AV_PIX_FMT_YUV444P.rawValue
        (codec.pointee.width, codec.pointee.height) = (Int32(width), Int32(height))
        codec.pointee.color_range = AVCOL_RANGE_MPEG
        codec.pointee.color_space = AVCOL_SPC_BT709
        codec.pointee.color_primaries = AVCOL_PRI_BT709
        codec.pointee.color_trc = AVCOL_TRC_BT709
        return StreamParameters(stream, streamName: streamName, isProtected: false, languageTag: nil)
    }
}
