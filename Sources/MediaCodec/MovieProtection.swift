import MediaModel
import WireFormats

/// Whether the index of an MP4 file says that it is encrypted: for files of which FFmpeg makes no track, or no sample.
enum MovieProtection {
    /// More than the index of a film of a day; a longer one is not read.
    private static let longestIndex: Int64 = 32 << 20
    /// The sample entries of encrypted tracks: ISO/IEC 14496-12, section 8.12, and those of Apple's stores.
    private static let entries: Set = ["encv", "enca", "enct", "encs", "drmi", "drms"]

    /// - Throws: the error of the stream.
    static func isStated(in stream: any ByteStream) throws(MediaError) -> Bool {
        guard let length = stream.length else { return false }
        var place: Int64 = 0
        while place < length {
            try stream.seek(to: place)
            let head = try read(MP4Box.Header.longest, from: stream)
            guard let header = MP4Box.Header(head[...]) else { return false }
            let size = min(header.size ?? length, length - place)
            if header.type == "moov" {
                guard size <= longestIndex else { return false }
                try stream.seek(to: place + Int64(header.length))
                return isStated(inIndex: try read(Int(size) - header.length, from: stream))
            }
            place += size
        }
        return false
    }

    static func isStated(inIndex moov: [UInt8]) -> Bool {
        let boxes = MP4Box.boxes(in: moov[...])
        if boxes.contains(where: { $0.type == "pssh" }) { return true }
        return boxes.filter { $0.type == "trak" }.contains { track in
            guard let table = MP4Box.first(["mdia", "minf", "stbl", "stsd"], in: track.body) else { return false }
            // Version, flags and the number of entries precede them.
            return MP4Box.boxes(in: table.dropFirst(8)).contains { entries.contains($0.type) }
        }
    }

    private static func read(_ count: Int, from stream: any ByteStream) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes.withUnsafeMutableBytes { buffer -> Result<Int, MediaError> in
                do throws(MediaError) {
                    return .success(try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])))
                } catch {
                    return .failure(error)
                }
            }
            let part = try result.get()
            if part == 0 { break }
            filled += part
        }
        return Array(bytes.prefix(filled))
    }
}
