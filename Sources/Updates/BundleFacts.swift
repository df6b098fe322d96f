/// What a bundle says of itself in its manifest. A value. Nothing of it is verified: that is the installer's part, before it writes anything.
package struct BundleFacts: Sendable, Hashable {
    /// The system for which it is: `marquee-` and the board.
    package let compatible: String
    package let version: ReleaseVersion

    /// The largest signature of a bundle that is read, in bytes. It has the manifest, some certificates, and 64 bytes.
    package static let longestSignature = 64 << 10
    /// The bytes at the end of a bundle that have the size of its signature, which is before them.
    package static let sizeBytes = 8

    /// The size of the signature, from the last bytes of a bundle (big-endian).
    ///
    /// - Returns: nil if it cannot be one.
    package static func signatureSize(_ end: [UInt8]) -> Int? {
        guard end.count == sizeBytes else { return nil }
        let size = end.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return (1...UInt64(longestSignature)).contains(size) ? Int(size) : nil
    }

    /// Reads the manifest, a text in the signature (CMS, RFC 5652): in bundles of the format `verity` its content is the manifest.
    ///
    /// - Returns: nil if it has none, or the manifest names no system or no semantic version.
    package init?(signature: [UInt8]) {
        let mark = Array("[update]\n".utf8)
        guard signature.count <= Self.longestSignature, signature.count >= mark.count,
            let start = (0...signature.count - mark.count).first(where: { signature[$0..<$0 + mark.count].elementsEqual(mark) })
        else { return nil }
        // The text ends where the certificates begin; a section ends with the next one.
        let section = signature[(start + mark.count)...].prefix { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }
        var values: [Substring: Substring] = [:]
        for line in String(decoding: section, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("[") { break }
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = line[line.index(after: equals)...]
        }
        guard let compatible = values["compatible"], !compatible.isEmpty, let version = values["version"],
            let version = ReleaseVersion(String(version))
        else { return nil }
        (self.compatible, self.version) = (String(compatible), version)
    }
}
