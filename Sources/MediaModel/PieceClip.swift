import MediaTime

extension VideoFrame {
    /// What time stamps may be off by: containers round them to milliseconds.
    private static let coarseness = MediaTime.milliseconds(2)

    /// The part of the frame within a range; nil if there is none, or if there is so little that it comes from coarse time stamps.
    package func clipped(to range: TimeRange) -> VideoFrame? {
        guard time < range.start || end > range.end else { return self }
        let (start, end) = (max(time, range.start), min(end, range.end))
        guard end - start > min(Self.coarseness, duration / 4) else { return nil }
        var frame = self
        frame.time = start
        frame.duration = end - start
        return frame
    }
}

extension AudioBuffer {
    /// The samples within a range. Their places are counted in whole samples from time zero, so that the sound of one range and of the next, whatever its
    /// source, meet without a missing and without an extra sample. Nil if there are none.
    package func clipped(to range: TimeRange) -> AudioBuffer? {
        guard let rate = Int32(exactly: format.sampleRate), rate > 0, rate < .max / 2 else { return self }
        let halfSample = MediaTime(1, 2 * rate)
        func place(_ time: MediaTime) -> Int64 { (time + halfSample).unitsRoundedDown(of: rate) }
        let first = place(time)
        let wanted =
            max(first, place(range.start))..<max(first, place(range.start), min(first + Int64(frameCount), place(range.end)))
        guard !wanted.isEmpty else { return nil }
        let part = Int(wanted.lowerBound - first) * format.channels..<Int(wanted.upperBound - first) * format.channels
        return AudioBuffer(format: format, samples: Array(samples[part]), time: MediaTime(wanted.lowerBound, rate))
    }
}
