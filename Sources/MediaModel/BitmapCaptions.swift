import MediaTime

/// A caption that is a picture, as a decoder gives it: where it lies on the canvas that it was made for, and when.
public struct BitmapCaption: Sendable {
    /// One picture of it.
    public struct Part: Sendable {
        /// B G R A in memory order, premultiplied, row by row without gaps.
        public var pixels: [UInt8]
        /// Where it lies on the canvas, in pixels.
        public var frame: PixelRect

        /// Makes a picture.
        public init(pixels: [UInt8], frame: PixelRect) {
            self.pixels = pixels
            self.frame = frame
        }
    }

    /// The pictures; none: what was shown goes away.
    public var parts: [Part]
    /// The size of the canvas in pixels.
    public var canvas: (width: Int, height: Int)
    /// From when it is shown, on the timeline of the sample that it came from.
    public var start: MediaTime
    /// Until when; nil: until the next one.
    public var end: MediaTime?

    /// Makes a caption.
    public init(parts: [Part], canvas: (width: Int, height: Int), start: MediaTime, end: MediaTime?) {
        self.parts = parts
        self.canvas = canvas
        self.start = start
        self.end = end
    }
}

/// A decoder of captions that are pictures (DVB, PGS, DVD), confined to its thread.
public protocol BitmapCaptionDecoding: AnyObject {
    /// Decodes a sample. Damage gives nothing.
    func decode(_ sample: EncodedSample) -> [BitmapCaption]
    /// Forgets everything: the next sample is one of another place.
    func flush()
}

/// A codec factory that has decoders of captions that are pictures.
public protocol BitmapCaptionCodecs: AnyObject, Sendable {
    /// Opens a decoder.
    ///
    /// - Parameter video: the size of the pictures that the captions belong to, for formats that do not tell.
    /// - Throws: `MediaError` with `decoderUnsupported`.
    func openBitmapCaptionDecoder(_ parameters: any CodecParameters, video: (width: Int, height: Int)) throws(MediaError)
        -> any BitmapCaptionDecoding
}
