/// What a movie says of the samples of a track in its fragments: `trex` (ISO/IEC 14496-12, 8.8.3).
package struct MP4TrackDefaults {
    package var track: UInt32
    /// In units of the track's time scale.
    package var duration: UInt32
    /// In bytes.
    package var size: UInt32

    /// Nil when the contents of the box are too short.
    package init?(_ body: ArraySlice<UInt8>) {
        guard let track = body.big(4, at: 4), let duration = body.big(4, at: 12), let size = body.big(4, at: 16) else {
            return nil
        }
        (self.track, self.duration, self.size) = (UInt32(track), UInt32(duration), UInt32(size))
    }
}

/// A track's part of a fragment: `traf` (ISO/IEC 14496-12, 8.8.6).
package struct MP4TrackFragment {
    package var track: UInt32
    /// The decode time of the first sample, in units of the track's time scale, below 2^62; nil without a valid `tfdt`.
    package var startTime: UInt64?
    /// The offset in the file from which runs state theirs; nil: the start of the fragment.
    package var baseDataOffset: UInt64?
    /// In place of the track's defaults.
    package var defaultDuration: UInt32?
    package var defaultSize: UInt32?
    /// In the order of the file.
    package var runs: [MP4TrackRun]

    /// Nil when the contents of the box have no whole `tfhd`.
    package init?(_ body: ArraySlice<UInt8>) {
        let boxes = MP4Box.boxes(in: body)
        guard let head = boxes.first(where: { $0.type == "tfhd" })?.body, let flags = head.big(4, at: 0),
            let track = head.big(4, at: 4)
        else { return nil }
        self.track = UInt32(track)
        var place = 8
        func next(_ count: Int, if flag: UInt64) -> UInt64? {
            guard flags & flag != 0 else { return nil }
            defer { place += count }
            return head.big(count, at: place)
        }
        baseDataOffset = next(8, if: 0x1)
        _ = next(4, if: 0x2)
        defaultDuration = next(4, if: 0x8).map { UInt32($0) }
        defaultSize = next(4, if: 0x10).map { UInt32($0) }
        let time = boxes.first { $0.type == "tfdt" }.flatMap { $0.body.big($0.body.first == 1 ? 8 : 4, at: 4) }
        startTime = time.flatMap { $0 < 1 << 62 ? $0 : nil }
        runs = boxes.filter { $0.type == "trun" }.compactMap { MP4TrackRun($0.body) }
    }

    /// How long all samples of all runs are together, in units of the track's time scale; at most 2^61.
    ///
    /// - Parameter usual: the duration of a sample of which no list says anything, below 2^32.
    package func duration(usual: Int64) -> Int64 {
        runs.reduce(0) { min($0 + $1.duration(usual: usual), 1 << 61) }
    }
}

/// Samples that follow one another: `trun` (ISO/IEC 14496-12, 8.8.8). Its list is read in place.
package struct MP4TrackRun {
    /// What the list says of one sample; nil: as the defaults say.
    package struct Sample {
        package var duration: UInt32?
        package var size: UInt32?
        /// From its decode time to its presentation time.
        package var compositionOffset: Int32
    }

    /// As stated; the list may end before.
    package var sampleCount: Int
    /// From the base to the first sample, in bytes.
    package var dataOffset: Int32?
    private let body: ArraySlice<UInt8>
    private let flags: UInt64
    /// Where the list begins, and the bytes per sample.
    private let first: Int
    private let stride: Int

    /// Nil when the contents of the box are too short.
    package init?(_ body: ArraySlice<UInt8>) {
        guard let flags = body.big(4, at: 0), let count = body.big(4, at: 4) else { return nil }
        self.body = body
        self.flags = flags
        sampleCount = Int(count)
        dataOffset = flags & 0x1 != 0 ? body.big(4, at: 8).map { Int32(bitPattern: UInt32($0)) } : nil
        first = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
        stride = 4 * (flags >> 8 & 0xF).nonzeroBitCount
    }

    /// Nil where the list has ended.
    package func sample(_ index: Int) -> Sample? {
        var place = first + index * stride
        guard place + stride <= body.count else { return nil }
        func next(_ flag: UInt64) -> UInt32? {
            guard flags & flag != 0 else { return nil }
            defer { place += 4 }
            return body.big(4, at: place).map { UInt32($0) }
        }
        let (duration, size) = (next(0x100), next(0x200))
        _ = next(0x400)
        return Sample(duration: duration, size: size, compositionOffset: next(0x800).map { Int32(bitPattern: $0) } ?? 0)
    }

    /// How long all samples are together, in units of the track's time scale.
    ///
    /// - Parameter usual: the duration of a sample of which the list says nothing, below 2^32.
    /// - Returns: less than 2^56.
    func duration(usual: Int64) -> Int64 {
        // A list that is longer than any fragment is damaged.
        guard sampleCount < 1 << 24 else { return 0 }
        guard flags & 0x100 != 0 else { return Int64(sampleCount) * usual }
        return (0..<min(sampleCount, max(0, body.count - first) / stride)).reduce(Int64(0)) {
            $0 + Int64(body.big(4, at: first + $1 * stride) ?? 0)
        }
    }
}
