import MediaModel

/// How a stored picture is turned and mirrored to be upright.
struct PictureTurn: Equatable {
    /// Whether rows become columns.
    private(set) var isTransposed = false
    /// Whether the stored picture is read from its right, and from its bottom.
    private var readsFromRight = false
    private var readsFromBottom = false

    /// - Parameter orientation: as in EXIF (CIPA DC-008 4.6.4, tag 274): 1…8; anything else is upright.
    init(orientation: Int) {
        isTransposed = (5...8).contains(orientation)
        readsFromRight = [2, 3, 7, 8].contains(orientation)
        readsFromBottom = [3, 4, 6, 7].contains(orientation)
    }

    /// - Parameter quarterTurns: clockwise.
    init(quarterTurns: Int) { self.init(orientation: [1, 6, 3, 8][((quarterTurns % 4) + 4) % 4]) }

    /// The same, then mirrored: the left and the right exchanged, or the top and the bottom.
    func mirrored(horizontally: Bool) -> PictureTurn {
        var turn = self
        if horizontally != isTransposed { turn.readsFromRight.toggle() } else { turn.readsFromBottom.toggle() }
        return turn
    }

    /// The upright picture of a stored one in `argb8888`.
    func apply(to stored: PixelBuffer) throws(MediaError) -> PixelBuffer {
        guard isTransposed || readsFromRight || readsFromBottom else { return stored }
        let upright = try MemoryAllocator().makeBuffer(
            format: stored.format, width: isTransposed ? stored.height : stored.width,
            height: isTransposed ? stored.width : stored.height)
        let (from, to) = (stored.planes[0], upright.planes[0])
        stored.withBytes { source in
            upright.withMutableBytes { target in
                for y in 0..<upright.height {
                    for x in 0..<upright.width {
                        var (column, row) = isTransposed ? (y, x) : (x, y)
                        if readsFromRight { column = stored.width - 1 - column }
                        if readsFromBottom { row = stored.height - 1 - row }
                        let pixel = source.loadUnaligned(
                            fromByteOffset: from.offset + row * from.stride + 4 * column, as: UInt32.self)
                        target.storeBytes(of: pixel, toByteOffset: to.offset + y * to.stride + 4 * x, as: UInt32.self)
                    }
                }
            }
        }
        return upright
    }
}
