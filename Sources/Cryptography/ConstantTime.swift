import CCrypto

/// Comparison of secrets.
package enum ConstantTime {
    /// Whether two texts are equal. The time taken depends only on their lengths (CRYPTO_memcmp). Any thread.
    package static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
