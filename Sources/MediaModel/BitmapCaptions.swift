import MediaTime

/// A caption that is a picture, as a decoder gives it: where it lies on the canvas that it was made for, and when.
package struct BitmapCaption: Sendable {
    /// One picture of it.
    package struct Part: Sendable {
        /// B G R A in memory order, premultiplied, row by row without gaps.
        package var pixels: [UInt8]
        /// Where it lies on the canvas, in pixels.
        package var frame: PixelRect

        package init(pixels: [UInt8], frame: PixelRect) {
            self.pixels = pixels
            self.frame = frame
        }
    }

    /// The pictures; none: what was shown goes away.
    package var parts: [Part]
    /// The size of the canvas in pixels.
    package var canvas: (width: Int, height: Int)
    /// From when it is shown, on the timeline of the sample that it came from.
    package var start: MediaTime
    /// Until when; nil: until the next one.
    package var end: MediaTime?

    package init(parts: [Part], canvas: (width: Int, height: Int), start: MediaTime, end: MediaTime?) {
        self.parts = parts
        self.canvas = canvas
        self.start = start
        self.end = end
    }
}

/// A decoder of captions that are pictures (DVB, PGS, DVD), confined to its thread.
package protocol BitmapCaptionDecoding: AnyObject {
    /// Decodes a sample. Damage gives nothing.
    func decode(_ sample: EncodedSample) -> [BitmapCaption]
    /// Forgets everything: the next sample is one of another place.
    func flush()
}

/// A codec factory that has decoders of captions that are pictures.
package protocol BitmapCaptionCodecs: AnyObject, Sendable {
    /// Opens a decoder.
    ///
    /// - Parameter video: the size of the pictures that the captions belong to, for formats that do not tell.
    /// - Throws: `MediaError` with `decoderUnsupported`.
    func openBitmapCaptionDecoder(_ parameters: any CodecParameters, video: (width: Int, height: Int)) throws(MediaError)
        -> any BitmapCaptionDecoding
}
