/// The bytes of a text from outside, unpacked from gzip, xz, lzma or zip, whatever its name and its server say: its signature tells. Of a zip it is the first file
/// that is no folder. A value; any thread.
package struct UnpackedFile {
    /// It is larger than the limit when it is unpacked.
    package struct TooLong: Error {
        package init() {}
    }

    /// What could be unpacked: all of it without a fault.
    package private(set) var bytes: [UInt8] = []
    /// Why it ends early, in words that begin small and end without a full stop.
    package internal(set) var fault: String?
    private let form: String
    private let most: Int

    /// What other programs compress with.
    private static let unread: [(signature: [UInt8], name: String)] = [
        ([0x42, 0x5A, 0x68], "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip"),
        ([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], "RAR"), ([0x1F, 0x9D], "compress"), ([0x4C, 0x5A, 0x49, 0x50], "lzip"),
        ([0x04, 0x22, 0x4D, 0x18], "LZ4"),
    ]

    /// - Parameter most: the limit of the unpacked size, in bytes.
    package init(_ packed: [UInt8], most: Int) throws(TooLong) {
        self.most = most
        if Self.isGzip(packed[...]) {
            form = "gzip"
            try Inflater(.gzip).unpack(packed, from: 0, into: &self)
        } else if packed.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) {
            form = "xz"
            try XZReader().unpack(packed, into: &self)
        } else if Self.isLZMA(packed) {
            form = "lzma"
            try XZReader().unpack(packed, into: &self)
        } else if let unread = Self.unread.first(where: { packed.starts(with: $0.signature) }) {
            form = unread.name
            fault = "it is compressed with \(form), which is not read here; use gzip, xz or zip"
        } else if packed.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            form = "zip"
            try unzip(packed)
        } else {
            form = ""
            bytes = packed
        }
    }

    /// RFC 1952 2.3.1.
    static func isGzip(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// The head of the format of LZMA_Alone: properties, a dictionary of a power of two, or of one and a half, from 64 KiB, and the unpacked size, or that it is
    /// unknown. No text begins so.
    private static func isLZMA(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 13, bytes[0] < 9 * 5 * 5, bytes[1] == 0, bytes[2] == 0 else { return false }
        let dictionary = UInt32(bytes[3]) << 16 | UInt32(bytes[4]) << 24
        let size = bytes[5..<13]
        return dictionary != 0 && (dictionary.nonzeroBitCount == 1 || dictionary.nonzeroBitCount == 2)
            && (size.allSatisfy { $0 == 0xFF } || size.suffix(3).allSatisfy { $0 == 0 })
    }

    mutating func append(_ piece: ArraySlice<UInt8>) throws(TooLong) {
        guard bytes.count + piece.count <= most else { throw TooLong() }
        bytes += piece
    }

    mutating func breakOff() { fault = "the \(form) file is incomplete" }

    mutating func damage(_ words: String?) { fault = "the \(form) file is damaged" + (words.map { " (\($0))" } ?? "") }

    /// The first file of a zip archive that is stored or deflated (APPNOTE.TXT, 4.3.7).
    private mutating func unzip(_ packed: [UInt8]) throws(TooLong) {
        var entry = 0
        func number(_ place: Int) -> Int {
            let place = entry + place
            return place + 1 < packed.count ? Int(packed[place]) | Int(packed[place + 1]) << 8 : 0
        }
        var data: Int { entry + 30 + number(26) + number(28) }
        // A folder is an entry without data whose name ends with a slash (4.4.17).
        while number(26) > 0, entry + 29 + number(26) < packed.count, packed[entry + 29 + number(26)] == UInt8(ascii: "/"),
            packed[min(data, packed.count)...].starts(with: [0x50, 0x4B, 0x03, 0x04])
        {
            entry = data
        }
        guard data < packed.count else { return breakOff() }
        switch number(8) {
        case 8: try Inflater(.bare).unpack(packed, from: data, into: &self)
        case 0: try append(packed[data..<min(data + (number(18) | number(20) << 16), packed.count)])
        default: fault = "the zip file is packed in a way that is not known here; use deflate"
        }
    }
}
