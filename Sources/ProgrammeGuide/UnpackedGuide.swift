/// The bytes of a guide, unpacked from gzip, xz or zip: the signature tells which. Of a zip it is the first file that is no folder.
struct UnpackedGuide {
    /// It is larger than the limit when it is unpacked.
    struct TooLong: Error {}

    private(set) var bytes: [UInt8] = []
    /// Why it ends early.
    var fault: String?
    private let form: String
    private let most: Int

    /// - Parameter most: the limit of the unpacked size, in bytes.
    init(_ packed: [UInt8], most: Int) throws(TooLong) {
        self.most = most
        if Self.isGzip(packed[...]) {
            form = "gzip"
            try Inflater(.gzip).unpack(packed, from: 0, into: &self)
        } else if packed.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) {
            form = "xz"
            try XZReader().unpack(packed, into: &self)
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
