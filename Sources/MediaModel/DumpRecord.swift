import MediaTime

/// A type with a written form in dumps.
package protocol DumpWritable {
    var dumpValue: DumpValue { get }
}

/// A type that dumps write as a record. Fields without a value and empty lists are left out.
package protocol DumpRecord: DumpWritable {
    /// The fields in the order in which they are written.
    static var dumpFields: [DumpFieldWriter<Self>] { get }
}

/// Writes one field of a record.
package struct DumpFieldWriter<Root> {
    package let name: String
    package let value: (Root) -> DumpValue

    package init(_ name: String, _ value: @escaping (Root) -> some DumpWritable) {
        self.name = name
        self.value = { value($0).dumpValue }
    }
}

extension DumpRecord {
    package var dumpValue: DumpValue { .record(dumpRecord) }

    /// The fields that have a value.
    package var dumpRecord: [DumpField] {
        Self.dumpFields.compactMap { field in
            let value = field.value(self)
            return value.isEmpty ? nil : DumpField(field.name, value)
        }
    }
}

extension String: DumpWritable {
    /// The last part of an address or path: locations differ between machines, names do not.
    package var dumpValue: DumpValue {
        guard hasPrefix("/") || contains("://"), let slash = lastIndex(of: "/") else { return .text(self) }
        return .text(String(self[index(after: slash)...]))
    }
}

extension Int: DumpWritable {
    package var dumpValue: DumpValue { .number(self) }
}

extension Bool: DumpWritable {
    package var dumpValue: DumpValue { .word("\(self)") }
}

extension MediaTime: DumpWritable {
    package var dumpValue: DumpValue { .word("\(self)") }
}

extension Optional: DumpWritable where Wrapped: DumpWritable {
    package var dumpValue: DumpValue { self?.dumpValue ?? .nothing }
}

extension Array: DumpWritable where Element: DumpWritable {
    package var dumpValue: DumpValue { .list(map(\.dumpValue)) }
}

extension DumpWritable where Self: RawRepresentable<String> {
    package var dumpValue: DumpValue { .word(rawValue) }
}
