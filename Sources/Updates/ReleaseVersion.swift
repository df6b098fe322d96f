/// A semantic version (SemVer 2.0.0) with a build number. A value.
///
/// Versions are equal when they are written the same. They are ordered by precedence (SemVer, 11); those of one precedence by their build numbers, which are the
/// numbers at the beginning of the build metadata: `20261128.1` in `0.1.0+20261128.1.g18e10ec6`. SemVer gives metadata no order, but a system that was built again
/// with Debian's fixes has to be newer than the one without them. A version without a build number comes before those with one.
package struct ReleaseVersion: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Major, minor, patch.
    private let numbers: [Int]
    private let prerelease: [Substring]
    /// The digits of its numbers, without leading zeros: they have no bound.
    private let build: [Substring]

    private static let longest = 128
    private static let highest = 1 << 31

    /// Parses `0.2.0`, `0.2.0-rc.1`, `0.2.0+g18e10ec6`; nil if it is not such a text.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let main = text.prefix { $0 != "+" }
        let metadata = text[main.endIndex...].dropFirst()
        if main.endIndex < text.endIndex, !Self.areIdentifiers(metadata) { return nil }
        build = metadata.split(separator: ".").prefix(while: Self.isNumeric).map { $0.drop { $0 == "0" } }
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
        guard prerelease == other.prerelease else { return prereleasePrecedes(other) }
        for (first, second) in zip(build, other.build) where first != second {
            return first.utf8.count != second.utf8.count
                ? first.utf8.count < second.utf8.count : first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        return build.count < other.build.count
    }

    /// For versions with the same numbers and different prereleases.
    private func prereleasePrecedes(_ other: ReleaseVersion) -> Bool {
        // A version without a prerelease comes after those with one.
        guard !prerelease.isEmpty, !other.prerelease.isEmpty else { return other.prerelease.isEmpty }
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
