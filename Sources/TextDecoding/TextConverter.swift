import Glibc

/// Converts bytes of one encoding to text with glibc's iconv. One owner, one thread at a time.
final class TextConverter {
    private let handle: iconv_t
    /// UTF-16 and UTF-32 go on in steps of their unit behind a damaged one.
    private let unit: Int

    /// Nil for an encoding that the machine does not have.
    init?(_ encoding: String) {
        guard let handle = iconv_open("UTF-8", encoding), handle != iconv_t(bitPattern: -1) else { return nil }
        self.handle = handle
        unit = encoding.hasPrefix("UTF-16") ? 2 : encoding.hasPrefix("UTF-32") ? 4 : 1
    }

    deinit { iconv_close(handle) }

    /// The text, with U+FFFD for each byte or unit that cannot be converted, and how many there were: a character that is cut off at the end
    /// of the text is no damage. Nil without memory.
    func convert(_ bytes: [UInt8]) -> (text: String, damage: Int)? {
        iconv(handle, nil, nil, nil, nil)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var (offset, damage) = (0, 0)
        var room = [CChar](repeating: 0, count: 1 << 16)
        while offset < bytes.count {
            let (taken, made, fault) = step(bytes, offset, &room)
            offset += taken
            result += room.prefix(made).lazy.map { UInt8(bitPattern: $0) }
            switch fault {
            case nil, E2BIG: continue
            case EILSEQ, EINVAL:
                result += [0xEF, 0xBF, 0xBD]
                offset += fault == EINVAL ? bytes.count - offset : min(unit, bytes.count - offset)
                damage += fault == EINVAL ? 0 : 1
                iconv(handle, nil, nil, nil, nil)
            default: return nil
            }
        }
        // Encodings whose characters combine hold back the last one.
        var left = room.count
        let made = room.withUnsafeMutableBufferPointer { buffer in
            var out = buffer.baseAddress
            iconv(handle, nil, nil, &out, &left)
            return buffer.count - left
        }
        result += room.prefix(made).lazy.map { UInt8(bitPattern: $0) }
        return (String(decoding: result, as: UTF8.self), damage)
    }

    /// One call: how many bytes it took and made, and the error number that stopped it.
    private func step(_ bytes: [UInt8], _ offset: Int, _ room: inout [CChar]) -> (taken: Int, made: Int, fault: Int32?) {
        bytes.withUnsafeBytes { source in
            room.withUnsafeMutableBufferPointer { target in
                // iconv only reads what its source points at.
                var from: UnsafeMutablePointer<CChar>? = UnsafeMutablePointer(
                    mutating: source.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self))
                var (fromLeft, to, toLeft) = (bytes.count - offset, target.baseAddress, target.count)
                let failed = iconv(handle, &from, &fromLeft, &to, &toLeft) == -1
                return (bytes.count - offset - fromLeft, target.count - toLeft, failed ? errno : nil)
            }
        }
    }
}
