import MediaTime

/// What one picture of an edited programme consists of; the counterpart of `AVAsynchronousVideoCompositionRequest`. A value.
package struct VideoCompositionRequest: Sendable {
    /// The picture of one track.
    package struct Layer: Sendable {
        package var frame: VideoFrame
        /// 0 (invisible) to 1.
        package var opacity: Double
        /// The place of the whole picture's top left corner, in pixels of the render size.
        package var x: Double
        package var y: Double
        /// How often its size is magnified; pixels that are not square are made square first.
        package var scaleX: Double
        package var scaleY: Double
        /// The visible part, in fractions of the picture's sides from its top left corner. It does not move the picture.
        package var crop: (x: Double, y: Double, width: Double, height: Double)

        package init(
            frame: VideoFrame, opacity: Double = 1, x: Double = 0, y: Double = 0, scaleX: Double = 1, scaleY: Double = 1,
            crop: (x: Double, y: Double, width: Double, height: Double) = (0, 0, 1, 1)
        ) {
            self.frame = frame
            self.opacity = opacity
            (self.x, self.y, self.scaleX, self.scaleY) = (x, y, scaleX, scaleY)
            self.crop = crop
        }
    }
    /// The render size in pixels.
    package var width: Int
    package var height: Int
    /// The colour behind all layers, `0xRRGGBB`.
    package var background: UInt32
    /// The first is in front.
    package var layers: [Layer]
    /// When the picture is shown.
    package var time: MediaTime
    package var duration: MediaTime

    package init(width: Int, height: Int, background: UInt32, layers: [Layer], time: MediaTime, duration: MediaTime) {
        (self.width, self.height, self.background, self.layers) = (width, height, background, layers)
        (self.time, self.duration) = (time, duration)
    }

    /// Memory for pictures decoded in advance is counted in canvases; a picture may have this many times the pixels.
    private static let mostCanvases = 4

    /// The picture without composing: that of the only layer, with its place. Nil if it must be composed: the background is not black, nothing or more
    /// than one layer has a picture, or its picture is none that a plane can place.
    package var placed: VideoFrame? {
        guard background == 0, layers.count == 1, let layer = PlacedLayer(layers[0], width: width, height: height) else {
            return nil
        }
        let source = layers[0].frame
        let pixels = source.pixels
        guard source.quarterTurns % 4 == 0, pixels.format.isYUV,
            pixels.width * pixels.height <= width * height * Self.mostCanvases
        else { return nil }
        var frame = VideoFrame(pixels: pixels, time: time, duration: duration, colour: source.colour)
        if !layer.isWhole {
            frame.placement = PicturePlacement(
                width: width, height: height, source: layer.source, destination: layer.destination,
                alpha: UInt8(max(1, (layer.opacity * 255).rounded())))
        }
        return frame
    }
}

/// Makes one picture of several; the counterpart of `AVVideoCompositing`. `Display` implements it, and a client may supply another.
package protocol VideoCompositing: AnyObject, Sendable {
    /// Whether the only picture on a black background need not be composed, because the display can show it in its place
    /// (`VideoCompositionRequest.placed`). A compositor that is asked for every picture says false.
    var leavesSinglePictures: Bool { get }
    /// Composes a picture with the time and duration of the request. It blocks until done. Worker threads only, several at once.
    ///
    /// - Parameter allocator: for the memory of the picture.
    /// - Throws: `decoderUnsupported` for a picture in a format that it cannot compose, `internal` when memory is exhausted.
    func compose(_ request: VideoCompositionRequest, allocator: any FrameAllocator) throws(MediaError) -> VideoFrame
}

extension VideoCompositing {
    package var leavesSinglePictures: Bool { false }
}

/// Hears the sound of one track of an edited programme, for meters; the counterpart of `MTAudioProcessingTap`.
package protocol SoundTap: AnyObject, Sendable {
    /// Called with the sound of the track at its volume, in order, each with the time at which it is heard: up to a few seconds earlier than that. After a
    /// seek, sound may come again. A decoder's thread, which must not wait.
    func hear(_ sound: AudioBuffer)
}
