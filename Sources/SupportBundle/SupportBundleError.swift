/// Why a support bundle could not be made.
package enum SupportBundleError: Error, Equatable, CustomStringConvertible {
    /// libzstd's `ZSTD_compress` failed; its own words.
    case compression(bytes: Int, String)

    package var description: String {
        switch self {
        case .compression(let bytes, let words): "The support bundle of \(bytes) bytes could not be compressed: \(words)."
        }
    }
}
