import CPlacebo
import MediaModel

/// The tone curve from a programme's peak to the white of standard dynamic range: ITU-R BT.2390, by libplacebo. Below the knee it changes nothing, above
/// it rolls off. It is applied to each of red, green and blue, as the report allows.
enum ToneCurve {
    /// What standard dynamic range shows as white, in cd/m²: the reference white of ITU-R BT.2408.
    static let white = 203.0
    /// The peak of a programme that does not state its own, in cd/m².
    static let usualPeak = 1000.0

    /// The peak for which a curve is made, in cd/m².
    static func peak(of colour: ColourDescription) -> Double {
        // A screen of 1,000 cd/m² is the reference of hybrid log-gamma (ITU-R BT.2100).
        guard colour.transfer == .pq else { return 1000 }
        return [colour.light?.brightestPixel, colour.light?.peak].compactMap { $0.map(Double.init) }.min() ?? usualPeak
    }

    /// For each 16-bit code value of SMPTE ST 2084 the one that is shown instead.
    ///
    /// - Returns: nil when libplacebo is not installed.
    static func codes(peak: Double) -> [UInt16]? {
        let samples = 4096
        var curve = [Float](repeating: 0, count: samples)
        var most: Float = 0
        guard marquee_bt2390_curve(&curve, samples, Float(max(peak, white)), Float(white), &most) != 0 else { return nil }
        return (0...UInt16.max).map { code in
            let position = min(Double(code) / 65535 / Double(most), 1) * Double(samples - 1)
            let index = min(Int(position), samples - 2)
            let share = position - Double(index)
            let value = Double(curve[index]) * (1 - share) + Double(curve[index + 1]) * share
            return UInt16(max(0, min(value, 1)) * 65535 + 0.5)
        }
    }
}
