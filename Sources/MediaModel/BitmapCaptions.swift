import MediaTime

/// A decoded bitmap caption: its position on its canvas, and its time.
package struct BitmapCaption: Sendable {
    /// One picture of it.
    package struct Part: Sendable {
        /// B, G, R, A in memory order, premultiplied, row by row without gaps.
        package var pixels: [UInt8]
        /// The position on the canvas, in pixels.
        package var frame: PixelRect

        package init(pixels: [UInt8], frame: PixelRect) {
            self.pixels = pixels
            self.frame = frame
        }
    }

    /// The pictures; none: the previous caption disappears.
    package var parts: [Part]
    /// The size of the canvas in pixels.
    package var canvas: (width: Int, height: Int)
    /// When it appears, on the timeline of its sample.
    package var start: MediaTime
    /// When it disappears; nil: at the next one.
    package var end: MediaTime?

    package init(parts: [Part], canvas: (width: Int, height: Int), start: MediaTime, end: MediaTime?) {
        self.parts = parts
        self.canvas = canvas
        self.start = start
        self.end = end
    }
}

/// A decoder of bitmap captions (DVB, PGS, DVD), confined to its thread.
package protocol BitmapCaptionDecoding: AnyObject {
    /// Decodes a sample. A damaged one gives nothing.
    func decode(_ sample: EncodedSample) -> [BitmapCaption]
    /// Resets before a sample from another position.
    func flush()
}

/// A codec factory with decoders of bitmap captions.
package protocol BitmapCaptionCodecs: CodecFactory {
    /// Opens a decoder.
    ///
    /// - Parameter video: the size of the video, for formats that do not state their canvas.
    /// - Throws: `MediaError` with `decoderUnsupported`.
    func openBitmapCaptionDecoder(_ parameters: any CodecParameters, video: (width: Int, height: Int)) throws(MediaError)
        -> any BitmapCaptionDecoding
}

extension BitmapCaptionCodecs {
    package var bitmapCaptions: (any BitmapCaptionCodecs)? { self }
}
