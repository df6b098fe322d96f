extension Span<UInt8> {
    /// The position of the first byte that is not valid UTF-8 (overlong forms, surrogates and values above U+10FFFF are invalid); nil
    /// when all bytes are valid.
    package var firstInvalidUTF8: Int? {
        do {
            _ = try UTF8Span(validating: self)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
