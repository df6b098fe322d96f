/// Adds frames to sound, or drops some, inaudibly: 800 frames become 801 or 799, on a curve through them. A value.
///
/// A block begins and ends on a frame, so that nothing jumps. While no frame is owed, sound passes unchanged.
package struct FrameInsertion: Sendable {
    /// This many frames become one more, or one less.
    package static let block = 800

    /// Frames still to be inserted (or, negative, dropped).
    package var owed = 0
    private let channels: Int
    /// Input that was not output yet: an incomplete block.
    private var held: [Float] = []
    /// The frame before it.
    private var before: [Float] = []

    package init(channels: Int) { self.channels = channels }

    /// Whether sound passes unchanged.
    package var isIdle: Bool { owed == 0 && held.isEmpty }

    /// Passes samples on; those of an incomplete block follow with the next.
    ///
    /// - Parameter samples: interleaved.
    /// - Returns: the samples, and how many frames were added.
    package mutating func pass(_ samples: [Float]) -> (samples: [Float], added: Int) {
        guard !isIdle else {
            if !samples.isEmpty { before = Array(samples.suffix(channels)) }
            return (samples, 0)
        }
        held += samples
        var out: [Float] = []
        var added = 0
        var start = 0
        // Interpolation looks two frames ahead.
        while owed != 0, held.count / channels - start >= Self.block + 2 {
            let step = owed > 0 ? 1 : -1
            appendBlock(from: start, count: Self.block + step, to: &out)
            start += Self.block
            added += step
            owed -= step
        }
        if start > 0 { before = Array(held[(start - 1) * channels..<start * channels]) }
        held.removeFirst(start * channels)
        if owed == 0 { out += rest() }
        return (out, added)
    }

    /// The held samples, to be output before a discontinuity.
    package mutating func rest() -> [Float] {
        defer { held = [] }
        if !held.isEmpty { before = Array(held.suffix(channels)) }
        return held
    }

    /// Resamples a block's frames to `count` frames, on a Catmull-Rom curve through four of them.
    private func appendBlock(from start: Int, count: Int, to out: inout [Float]) {
        for number in 0..<count {
            let place = number * Self.block
            let (index, part) = (start + place / count, Float(place % count) / Float(count))
            for channel in 0..<channels {
                let p0 = frame(index - 1, channel), p1 = frame(index, channel), p2 = frame(index + 1, channel),
                    p3 = frame(index + 2, channel)
                let a = 3 * (p1 - p2) + p3 - p0
                let b = 2 * p0 - 5 * p1 + 4 * p2 - p3
                out.append(p1 + 0.5 * part * (p2 - p0 + part * (b + part * a)))
            }
        }
    }

    private func frame(_ index: Int, _ channel: Int) -> Float {
        if index >= 0 { return held[index * channels + channel] }
        return before.isEmpty ? held[channel] : before[channel]
    }
}
