import MediaModel
import Screens
import TestSupport
import Testing

@testable import Drawing

/// The stored properties of each view of the samples, compared with the fields that it lists for dumps.
@Suite("Dumps write the whole interface")
@MainActor
struct DumpFieldTests {
    /// Stored properties that are not on the screen.
    private static let omitted: [String: Set<String>] = ["HomeContent": ["searchable"]]
    /// Those that are written as other fields, or as several.
    private static let divided: [String: [String: Set<String>]] = [
        "ScreenOverlay": ["content": ["image", "lines"]], "PassphraseView": ["field": ["enteredCount", "text"]],
        "VideoPlacement": ["programmeFrame": ["background"]],
    ]

    private static let samples =
        Samples.all.map(\.state) + [BoxScreenSamples.state(BoxScreenSamples.setUp, BoxScreenSamples.verdict)]

    /// The records in a value, at any depth.
    private static func records(in value: Any) -> [any DumpRecord] {
        let parts = Mirror(reflecting: value).children.flatMap { records(in: $0.value) }
        return (value as? any DumpRecord).map { [$0] + parts } ?? parts
    }

    private static func fieldNames<Record: DumpRecord>(of record: Record) -> Set<String> { Set(Record.dumpFields.map(\.name)) }

    private static func documentedRecords() throws -> Int {
        let page = try #require(Fixtures.text(Fixtures.root + "/docs/dump.md"))
        let lines = page.split(separator: "\n").drop { $0 != "## Records" }
        return lines.count { $0.hasPrefix("| `") }
    }

    @Test("the fields of every view are its stored properties")
    func fields() throws {
        var properties: [String: Set<String>] = [:]
        var fields: [String: Set<String>] = [:]
        for record in Self.samples.flatMap({ Self.records(in: $0) }) {
            let (name, kind) = (String(reflecting: type(of: record)), "\(type(of: record))")
            let stored = Set(Mirror(reflecting: record).children.compactMap(\.label)).subtracting(Self.omitted[kind] ?? [])
            properties[name] = Set(stored.flatMap { Self.divided[kind]?[$0] ?? [$0] })
            fields[name] = Self.fieldNames(of: record)
        }
        #expect(fields == properties)
        // The samples contain every kind of view, and so this test compares all of them.
        #expect(fields.count == (try Self.documentedRecords()))
    }
}
