/// A semantic version (SemVer 2.0.0). A value.
///
/// Versions are equal when they are written the same. They are ordered by precedence, in which build metadata does not count (SemVer, 10 and 11).
package struct ReleaseVersion: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Major, minor, patch.
    private let numbers: [Int]
    private let prerelease: [Substring]

    private static let longest = 128
    private static let highest = 1 << 31

    /// Parses `0.2.0`, `0.2.0-rc.1`, `0.2.0+g18e10ec6`; nil if it is not such a text.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let main = text.prefix { $0 != "+" }
        if main.endIndex < text.endIndex, !Self.areIdentifiers(text[main.endIndex...].dropFirst()) { return nil }
        let core = main.prefix { $0 != "-" }
        let rest = main[core.endIndex...].dropFirst()
        if core.endIndex < main.endIndex, !Self.areIdentifiers(rest) { return nil }
        let parts = core.split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
        guard parts.count == 3 else { return nil }
        numbers = parts.compactMap(\.self)
        guard numbers.count == 3 else { return nil }
        prerelease = rest.split(separator: ".")
        guard prerelease.allSatisfy({ !Self.isNumeric($0) || Self.number($0) != nil }) else { return nil }
        description = text
    }

    /// Whether this version comes before another one.
    package func precedes(_ other: ReleaseVersion) -> Bool {
        guard numbers == other.numbers else { return numbers.lexicographicallyPrecedes(other.numbers) }
        // A version without a prerelease comes after those with one.
        guard !prerelease.isEmpty, !other.prerelease.isEmpty else { return !prerelease.isEmpty && other.prerelease.isEmpty }
        for (first, second) in zip(prerelease, other.prerelease) where first != second {
            switch (Self.number(first), Self.number(second)) {
            case (let first?, let second?): return first < second
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): return first.utf8.lexicographicallyPrecedes(second.utf8)
            }
        }
        return prerelease.count < other.prerelease.count
    }

    private static func areIdentifiers(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    let character = Character(Unicode.Scalar(byte))
                    return byte < 0x80 && (character.isLetter || character.isNumber || character == "-")
                }
        }
    }

    private static func isNumeric(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// A number without leading zeros.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, isNumeric(text), text == "0" || text.first != "0", let number = Int(text), number < highest else {
            return nil
        }
        return number
    }

    package static func == (left: ReleaseVersion, right: ReleaseVersion) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
