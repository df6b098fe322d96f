extension String {
    /// A name that a device gives itself, as text of one line: it may have any characters, also those that would turn or break the line.
    ///
    /// - Returns: nil if nothing of it can be seen.
    package var asDeviceName: String? {
        var isVisible = false
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return "\u{FFFD}"
            case .spaceSeparator: return scalar
            default:
                isVisible = true
                return scalar
            }
        }
        return isVisible ? String(String.UnicodeScalarView(scalars)) : nil
    }
}
