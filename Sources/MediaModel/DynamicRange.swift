import MediaTime

/// A high dynamic range in which programmes are made and which screens may show (ITU-R BT.2100), with the primaries of BT.2020.
package enum HighDynamicRange: String, Sendable, Hashable, CaseIterable {
    /// SMPTE ST 2084.
    case pq
    /// Hybrid log-gamma.
    case hlg

    /// The colours of a picture for a screen that gets this range: ten bits, 64…940.
    package var colour: ColourDescription {
        ColourDescription(matrix: .bt2020, isFullRange: false, transfer: self == .pq ? .pq : .hlg)
    }
}

/// What a player asks of the signal to a screen. The size stays.
package struct SignalRequest: Sendable, Hashable {
    /// One of the display's `refreshRates`; nil: the rate that it was opened with.
    package var refresh: Ratio?
    /// The range of the item that begins; nil: standard.
    package var range: HighDynamicRange?

    package init(refresh: Ratio? = nil, range: HighDynamicRange? = nil) {
        self.refresh = refresh
        self.range = range
    }
}

/// The dynamic range of a screen.
package struct ScreenRange: Sendable, Hashable {
    /// What the card and the screen can show besides a standard range.
    package var offered: Set<HighDynamicRange>
    /// What the screen gets; nil: a standard range.
    package var current: HighDynamicRange?
    /// Why the last request for a high range was not met, in one sentence; nil if it was, or none was made.
    package var refusal: String?

    package init(offered: Set<HighDynamicRange> = [], current: HighDynamicRange? = nil, refusal: String? = nil) {
        self.offered = offered
        self.current = current
        self.refusal = refusal
    }

    /// That of a screen which knows no other.
    package static let standard = ScreenRange()
}

/// Fits pictures and layers of the interface to the range of a screen; `MediaCodec` implements it. Any thread: it blocks until done, and callers at the same
/// time wait for one another.
package protocol RangeConverting: AnyObject, Sendable {
    /// The same picture for a screen: in 8-bit 4:2:0 of BT.709 for a standard range, in `p010` for a high one. Standard white becomes the 203 cd/m² of
    /// ITU-R BT.2408.
    ///
    /// - Throws: `decoderUnsupported` for a picture that cannot be converted; `internal` when memory is exhausted.
    func picture(_ frame: VideoFrame, for range: HighDynamicRange?, from allocator: any FrameAllocator) throws(MediaError)
        -> VideoFrame
    /// The same pixels with code values of a high range. `xrgb8888` and `argb8888`, whose colours stay premultiplied.
    ///
    /// - Parameter target: of the same size and format as `pixels`.
    func convert(_ pixels: PixelBuffer, for range: HighDynamicRange, into target: PixelBuffer) throws(MediaError)
    /// A colour of the standard range as a code value of a high one. Does not wait for pictures.
    func colour(_ colour: OpaqueColour, for range: HighDynamicRange) throws(MediaError) -> OpaqueColour
}
