import MediaTime

/// Whether the stamps of a track's pictures say when they are decoded only. A value.
struct StampOrder {
    /// Whether some picture is shown at another time than it is decoded at.
    private var isStated = false

    /// The stamps of the next picture.
    ///
    /// - Parameters:
    ///   - format: FFmpeg's name of the container.
    ///   - isFile: whether it is no segment of a stream.
    mutating func isOfDecoding(
        _ presentation: MediaTime?, _ decode: MediaTime?, of parameters: StreamParameters, in format: String, isFile: Bool
    ) -> Bool {
        guard parameters.isVideo else { return false }
        // Coded pictures without a container have none at all: they follow each other.
        guard decode != nil else { return presentation == nil && ["h264", "hevc"].contains(format) }
        if presentation == nil || format == "avi" { return true }
        if presentation != decode { isStated = true }
        // Such pictures, put into a container as they are. Of those that are reordered the first is shown later than it is decoded, where that is stated.
        return isFile && !isStated && parameters.reorderDelay > 0 && format.hasPrefix("mov")
            && parameters.codecName == "mpeg4"
    }
}
