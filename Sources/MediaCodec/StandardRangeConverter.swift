import CFFmpeg
import MediaModel

/// Makes pictures for screens of standard dynamic range, in 8-bit 4:2:0: a high dynamic range is mapped by the curve of ITU-R BT.2390 (`ToneCurve`), wide
/// colours become those of BT.709 (both by zimg), and more than eight bits are dithered.
///
/// What a stream needs is made for its first picture; after that a picture costs no allocation besides its own memory. Confined to one thread.
final class StandardRangeConverter {
    private var conversion: RangeConversion?
    private let usesCurve: Bool

    /// - Parameter usesCurve: whether libplacebo is used if it is installed; without it all that is brighter than white becomes white.
    init(usesCurve: Bool = true) { self.usesCurve = usesCurve }

    /// Whether a picture has to be converted. Packed and semi-planar formats are not.
    static func applies(to frame: UnsafePointer<AVFrame>, _ colour: ColourDescription) -> Bool {
        guard let layout = PlanarLayout(AVPixelFormat(frame.pointee.format)) else { return false }
        return layout.depth > 8 || colour.isHDR || colour.primaries.isWide
    }

    /// A picture in an allocator's memory, and its colours.
    ///
    /// - Precondition: `applies` is true for it.
    /// - Throws: `decoderUnsupported` when zimg cannot convert it; `internal` when memory is exhausted.
    func convert(
        _ frame: UnsafePointer<AVFrame>, _ colour: ColourDescription, into allocator: any FrameAllocator
    ) throws(MediaError) -> (pixels: PixelBuffer, colour: ColourDescription) {
        let shape = RangeConversion.Shape(frame.pointee, colour)
        if conversion?.shape != shape {
            conversion = nil
            do throws(ColourGraphError) {
                conversion = try RangeConversion(shape, usesCurve: usesCurve)
            } catch {
                throw Self.failure(shape, error)
            }
        }
        guard let conversion else { preconditionFailure("a conversion was made or an error thrown") }
        let pixels = try allocator.makeBuffer(
            format: .yuv420p, width: shape.width, height: shape.height, codedWidth: shape.evenWidth, codedHeight: shape.evenHeight
        )
        do throws(ColourGraphError) { try conversion.run(frame, into: pixels) } catch { throw Self.failure(shape, error) }
        return (pixels, conversion.result)
    }

    private static func failure(_ shape: RangeConversion.Shape, _ error: ColourGraphError) -> MediaError {
        MediaError(
            .decoderUnsupported,
            "Converting a picture of \(shape.width)x\(shape.height) pixels for a screen of standard dynamic range failed: "
                + "\(error.reason); use a stream in 8-bit 4:2:0.")
    }
}
