/// What a channel is for.
enum ChannelPosition: Int, CaseIterable, Sendable {
    // In the order of WAVE.
    case frontLeft, frontRight, frontCentre, lowFrequency, backLeft, backRight, sideLeft, sideRight

    /// The channels of a sink, in the order of WAVE.
    static func wave(_ count: Int) -> [ChannelPosition] { Array(allCases.prefix(count)) }

    /// The order in which alsa-lib has channels where a device says nothing else.
    private static let alsaOrder: [ChannelPosition] = [
        .frontLeft, .frontRight, .backLeft, .backRight, .frontCentre, .lowFrequency, .sideLeft, .sideRight,
    ]

    /// What the channels of a device are for.
    ///
    /// - Parameters:
    ///   - words: alsa-lib's positions (`snd_pcm_chmap_position`), as many as there are channels where the device has a map.
    ///   - count: the channels.
    /// - Returns: nil for a channel that is silence.
    static func list(alsa words: [UInt32], count: Int) -> [ChannelPosition?] {
        let places = words.map { $0 & 0xFFFF }
        guard places.count == count, places.contains(3), places.contains(4) else {
            return alsaOrder.prefix(count).map(Optional.some)
        }
        // CTA-861 calls those at the sides rear where there are others further behind (rear left of centre).
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

    /// Beside it on the same side: back for side, side for back.
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

/// How channels in the order of WAVE come into those of a device: in its order, and mixed by ITU-R BS.775 where it has fewer.
struct ChannelRoute: Sendable, Equatable {
    /// More than any sink or device has.
    static let mostChannels = 8

    let inputs: Int
    let outputs: Int
    /// How much of each input is in an output: `inputs` numbers for the first, then for the next.
    private let coefficients: [Float]

    /// - Parameters:
    ///   - inputs: how many channels there are.
    ///   - outputs: what the device's are for.
    /// - Returns: nil where nothing is to be done.
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

    /// How much of an input is in an output.
    subscript(output: Int, input: Int) -> Float { coefficients[output * inputs + input] }

    /// Brings frames of interleaved samples from `source`, with `inputs` channels, to `target`, with `outputs`. Allocates nothing.
    func apply(to source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, frames: Int) {
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
}
