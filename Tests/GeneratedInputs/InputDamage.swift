import LinuxSupport

/// Damage to bytes, as a broken disk, a cut transfer or an editor does it.
enum InputDamage {
    /// The same bytes with one to six changes.
    ///
    /// - Parameter other: an input of the same kind, whose end may replace the end of this one.
    static func damaged(_ input: [UInt8], other: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...64, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(contentsOf: Array(Terminals.extremes.randomElement(using: &random)!.utf8), at: place)
            case 5: bytes.removeSubrange(place...)
            case 6: replaceNumber(near: place, in: &bytes, &random)
            default: bytes.replaceSubrange(place..., with: other.dropFirst(Int.random(in: 0...other.count, using: &random)))
            }
        }
        return bytes.count > TextGrammar.longest ? Array(bytes.prefix(TextGrammar.longest)) : bytes
    }

    /// Replaces the next digits by an extreme number, so that the rest of the input stays valid.
    private static func replaceNumber(near place: Int, in bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = bytes[place...].firstIndex(where: { digits.contains($0) }) else { return }
        let end = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.count
        bytes.replaceSubrange(first..<end, with: Terminals.extremes.randomElement(using: &random)!.utf8)
    }
}
