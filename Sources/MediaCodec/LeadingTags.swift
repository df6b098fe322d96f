import CFFmpeg
import MediaModel

/// ID3 tags before a file. FFmpeg recognises what comes behind them in the first megabyte only: behind one with large pictures it takes everything for MP3.
enum LeadingTags {
    /// FFmpeg looks behind shorter ones itself.
    private static let longestUsual: Int64 = 512 << 10
    /// Tags that follow each other.
    private static let most = 8
    /// How much behind them is looked at.
    private static let length = 256 << 10

    /// The length of a tag with its head and foot (ID3v2.4 section 3.1); nil for anything else.
    private static func length(_ head: ArraySlice<UInt8>) -> Int64? {
        let head = Array(head.prefix(10))
        guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[3] < 0xFF, head[4] < 0xFF,
            head[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let body = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
        return body + 10 + (head[5] & 0x10 == 0 ? 0 : 10)
    }

    /// The form of what comes behind long tags in a stream that can seek; nil without them, and where it is of no form.
    ///
    /// - Throws: the stream's own error.
    static func formatBehind(_ reader: StreamReader) throws(MediaError) -> UnsafePointer<AVInputFormat>? {
        let stream = reader.stream
        guard stream.length != nil, let first = length(reader.head[...]), first > longestUsual else { return nil }
        var place = first
        for _ in 0..<most {
            try stream.seek(to: place)
            guard let next = length(try stream.read(count: 10)[...]) else { break }
            place += next
        }
        try stream.seek(to: place)
        var bytes = try stream.read(count: length)
        try stream.seek(to: Int64(reader.head.count))
        let count = bytes.count
        bytes += [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        return bytes.withUnsafeMutableBufferPointer { buffer in
            var score: Int32 = 0
            var data = AVProbeData(filename: nil, buf: buffer.baseAddress, buf_size: Int32(count), mime_type: nil)
            return av_probe_input_format2(&data, 1, &score)
        }
    }

    /// A reader of a stream from its beginning, or, if it cannot seek, from the end of its long tags.
    static func reader(_ stream: any ByteStream) throws(MediaError) -> StreamReader {
        var reader = try StreamReader(stream)
        for _ in 0..<most {
            guard stream.length == nil, try skip(in: stream, after: reader.head) else { break }
            reader = try StreamReader(stream)
        }
        return reader
    }

    /// Passes over a long tag at the beginning of a stream that cannot seek.
    ///
    /// - Parameter head: what was read of it.
    /// - Returns: whether there was one. Otherwise nothing was read.
    private static func skip(in stream: any ByteStream, after head: [UInt8]) throws(MediaError) -> Bool {
        guard let whole = length(head[...]), whole > longestUsual else { return false }
        var left = whole - Int64(head.count)
        while left > 0 {
            let part = try stream.read(count: Int(min(left, Int64(length))))
            if part.isEmpty { break }
            left -= Int64(part.count)
        }
        return true
    }
}
