import CUchardet

/// Finds the encoding of a text with uchardet.
enum EncodingDetector {
    /// uchardet's name of the encoding, in capitals; nil when it finds none.
    static func encoding(of bytes: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let status = bytes.withUnsafeBytes {
            uchardet_handle_data(detector, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard status == 0 else { return nil }
        uchardet_data_end(detector)
        let name = uchardet_get_charset(detector).map { String(cString: $0) } ?? ""
        return name.isEmpty ? nil : name.uppercased()
    }
}
