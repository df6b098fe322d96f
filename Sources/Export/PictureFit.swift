import MediaModel
import MediaTime

/// The size of encoded pictures.
enum PictureFit {
    /// The largest even size with the shape of a picture within a box, never larger than the picture; the box is turned with it.
    static func size(
        width: Int, height: Int, aspect: Ratio, turns: Int, box: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        let shape = max(Double(width) * max(min(aspect.approximateValue, 16), 1.0 / 16), 1) / Double(max(height, 1))
        let isUpright = turns % 2 == 0
        let (most, mostHigh) = isUpright ? (box.width, box.height) : (box.height, box.width)
        let high = min(Double(height), Double(mostHigh), Double(most) / shape)
        func even(_ value: Double) -> Int { max(Int((value / 2).rounded()) * 2, 2) }
        return (min(even(high * shape), most / 2 * 2), min(even(high), mostHigh / 2 * 2))
    }
}
