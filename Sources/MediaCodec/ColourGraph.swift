import CZimg

/// Three planes of a picture in memory that outlives the call. Every row begins at a multiple of 32 bytes, which zimg requires.
struct PlanePointers {
    var data: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer)
    var strides: (Int, Int, Int)

    /// Whether all rows begin where zimg requires it.
    var isAligned: Bool {
        let bits = UInt(bitPattern: data.0) | UInt(bitPattern: data.1) | UInt(bitPattern: data.2)
        return bits % 32 == 0 && (strides.0 | strides.1 | strides.2) % 32 == 0 && min(strides.0, strides.1, strides.2) > 0
    }
}

/// One conversion by zimg: matrix, primaries, transfer function, range, depth and subsampling, at the same size. It owns its memory, so that running it
/// allocates nothing. Used by one thread at a time.
final class ColourGraph {
    /// Called after a row of the result was written, with its number and the first column and the end of what is in it.
    typealias RowIsDone = @convention(c) (UnsafeMutableRawPointer?, UInt32, UInt32, UInt32) -> Int32

    private let graph: OpaquePointer
    private let scratch: AlignedMemory

    /// - Parameters:
    ///   - white: the luminance in cd/m² that standard dynamic range shows as white.
    ///   - isDithered: whether a smaller depth is hidden by an ordered pattern. It is the same in each picture, so that what stands does not flicker.
    /// - Throws: why zimg cannot convert this.
    init(from source: zimg_image_format, to target: zimg_image_format, white: Double, isDithered: Bool) throws(ColourGraphError) {
        var parameters = zimg_graph_builder_params()
        zimg_graph_builder_params_default(&parameters, marquee_zimg_version)
        parameters.nominal_peak_luminance = white
        parameters.dither_type = isDithered ? ZIMG_DITHER_ORDERED : ZIMG_DITHER_NONE
        var (source, target) = (source, target)
        guard let graph = zimg_filter_graph_build(&source, &target, &parameters) else { throw ColourGraphError() }
        var byteCount = 0
        zimg_filter_graph_get_tmp_size(graph, &byteCount)
        self.graph = graph
        scratch = AlignedMemory(byteCount: max(byteCount, 1))
    }

    deinit { zimg_filter_graph_free(graph) }

    /// Converts one picture.
    func run(
        from source: PlanePointers, to target: PlanePointers, rowIsDone: RowIsDone? = nil, user: UnsafeMutableRawPointer? = nil
    ) throws(ColourGraphError) {
        var (source, target) = (source, target)
        let code = withUnsafePointer(to: &source.data) { from in
            withUnsafePointer(to: &target.data) { to in
                withUnsafePointer(to: &source.strides) { fromStrides in
                    withUnsafePointer(to: &target.strides) { toStrides in
                        marquee_zimg_process(
                            graph, UnsafeRawPointer(from).assumingMemoryBound(to: UnsafeRawPointer?.self),
                            UnsafeRawPointer(fromStrides).assumingMemoryBound(to: Int.self),
                            UnsafeRawPointer(to).assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
                            UnsafeRawPointer(toStrides).assumingMemoryBound(to: Int.self), scratch.base, rowIsDone, user)
                    }
                }
            }
        }
        guard code == 0 else { throw ColourGraphError() }
    }
}

/// zimg's last error on this thread.
struct ColourGraphError: Error {
    /// Its own words.
    let reason: String

    init() {
        var text = [CChar](repeating: 0, count: 256)
        zimg_get_last_error(&text, text.count)
        reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
