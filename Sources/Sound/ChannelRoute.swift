/// The position of a channel.
enum ChannelPosition: Int, CaseIterable, Sendable {
    // In the order of WAVE.
    case frontLeft, frontRight, frontCentre, lowFrequency, backLeft, backRight, sideLeft, sideRight

    /// The channels of a sink, in the order of WAVE.
    static func wave(_ count: Int) -> [ChannelPosition] { Array(allCases.prefix(count)) }

    /// The order of alsa-lib's channels for a device without a map.
    private static let alsaOrder: [ChannelPosition] = [
        .frontLeft, .frontRight, .backLeft, .backRight, .frontCentre, .lowFrequency, .sideLeft, .sideRight,
    ]

    /// The positions of a device's channels.
    ///
    /// - Parameters:
    ///   - words: alsa-lib's positions (`snd_pcm_chmap_position`), one per channel if the device has a map.
    ///   - count: the number of channels.
    /// - Returns: nil for a channel that stays silent.
    static func list(alsa words: [UInt32], count: Int) -> [ChannelPosition?] {
        let places = words.map { $0 & 0xFFFF }
        guard places.count == count, places.contains(3), places.contains(4) else {
            return alsaOrder.prefix(count).map(Optional.some)
        }
        // CTA-861 calls the channels at the sides "rear" when there are others further behind (rear left of centre).
        let hasRearCentres = places.contains(14)
        return places.map { place in
            switch place {
            case 3: .frontLeft
            case 4: .frontRight
            case 5: hasRearCentres ? .sideLeft : .backLeft
            case 6: hasRearCentres ? .sideRight : .backRight
            case 7: .frontCentre
            case 8: .lowFrequency
            case 9: .sideLeft
            case 10: .sideRight
            case 14: .backLeft
            case 15: .backRight
            default: nil
            }
        }
    }

    /// The other surround on the same side: back for side, side for back.
    fileprivate var otherSurround: ChannelPosition? {
        switch self {
        case .backLeft: .sideLeft
        case .backRight: .sideRight
        case .sideLeft: .backLeft
        case .sideRight: .backRight
        default: nil
        }
    }

    fileprivate var front: ChannelPosition? {
        switch self {
        case .backLeft, .sideLeft: .frontLeft
        case .backRight, .sideRight: .frontRight
        default: nil
        }
    }
}

/// Maps channels in the order of WAVE to those of a device, and mixes them by ITU-R BS.775 when it has fewer.
struct ChannelRoute: Sendable, Equatable {
    /// More than any sink or device has.
    static let mostChannels = 8

    let inputs: Int
    let outputs: Int
    /// The gain of each input in each output: `inputs` numbers for the first output, then for the next.
    private let coefficients: [Float]
    /// Where nothing is mixed, as between two orders of the same channels: the input of each output, -1 for silence. Empty otherwise.
    private let sources: [Int]

    /// - Parameters:
    ///   - inputs: the number of channels.
    ///   - outputs: the positions of the device's channels.
    /// - Returns: nil when the channels already match.
    init?(inputs: Int, outputs: [ChannelPosition?]) {
        let wave = ChannelPosition.wave(inputs)
        guard outputs != wave.map(Optional.some) else { return nil }
        precondition(inputs <= Self.mostChannels && outputs.count <= Self.mostChannels, "at most 7.1")
        self.inputs = inputs
        self.outputs = outputs.count
        var table = [Float](repeating: 0, count: inputs * outputs.count)
        for (input, position) in wave.enumerated() {
            for (target, level) in Self.targets(of: position, in: outputs, beside: wave) {
                if let output = outputs.firstIndex(of: target) { table[output * inputs + input] = level }
            }
        }
        coefficients = table
        let rows = outputs.indices.map { table[($0 * inputs)..<($0 + 1) * inputs] }
        let isOrder = rows.allSatisfy { row in row.allSatisfy { $0 == 0 || $0 == 1 } && row.count(where: { $0 == 1 }) <= 1 }
        sources = isOrder ? rows.map { row in row.firstIndex(of: 1).map { $0 - row.startIndex } ?? -1 } : []
    }

    private static func targets(
        of position: ChannelPosition, in outputs: [ChannelPosition?], beside inputs: [ChannelPosition]
    ) -> [(ChannelPosition, Float)] {
        let softer = Float(0.5).squareRoot()
        if outputs.contains(position) { return [(position, 1)] }
        if let other = position.otherSurround, outputs.contains(other) { return [(other, inputs.contains(other) ? softer : 1)] }
        if let front = position.front { return [(front, softer)] }
        return position == .frontCentre ? [(.frontLeft, softer), (.frontRight, softer)] : []
    }

    /// The gain of an input in an output.
    subscript(output: Int, input: Int) -> Float { coefficients[output * inputs + input] }

    /// Converts frames of interleaved samples from `source`, with `inputs` channels, to `target`, with `outputs`. Allocates
    /// nothing.
    func apply(to source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, frames: Int) {
        guard sources.isEmpty else { return reorder(source, target, frames) }
        coefficients.withUnsafeBufferPointer { coefficients in
            for frame in 0..<frames {
                let from = source + frame * inputs
                for output in 0..<outputs {
                    var sum: Float = 0
                    var input = 0
                    while input < inputs {
                        sum += from[input] * coefficients[output * inputs + input]
                        input += 1
                    }
                    target[frame * outputs + output] = sum
                }
            }
        }
    }

    /// One channel after the other: a fraction of the work of mixing.
    private func reorder(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ frames: Int) {
        var output = 0
        while output < outputs {
            let input = sources[output]
            var (from, to, left) = (max(input, 0), output, frames)
            while left > 0 {
                target[to] = input < 0 ? 0 : source[from]
                from += inputs
                to += outputs
                left -= 1
            }
            output += 1
        }
    }
}
