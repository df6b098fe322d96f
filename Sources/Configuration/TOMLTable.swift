import CTOMLPlusPlus

/// A value of a TOML text.
enum TOMLValue: Sendable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case array([TOMLValue])
    case table(TOMLTable)
    /// A float, a date or a time: no setting takes one.
    case other

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var table: TOMLTable? { if case .table(let table) = self { table } else { nil } }
    /// The table itself, or those of a list, as `[[name]]` writes one. Nil for another value.
    var tables: [TOMLTable]? {
        guard case .array(let values) = self else { return table.map { [$0] } }
        let tables = values.compactMap(\.table)
        return tables.isEmpty ? nil : tables
    }
}

/// A table of a TOML text, with the lines of its names.
struct TOMLTable: Sendable {
    struct Member: Sendable {
        let name: String
        /// Where the name first appears, counted from one.
        let line: Int
        let value: TOMLValue
    }

    /// Ordered by name.
    fileprivate(set) var members: [Member] = []
}

/// Why a text is not TOML.
struct TOMLFault: Error, Sendable {
    /// Counted from one.
    let line: Int
    let column: Int
    /// One line.
    let reason: String
}

extension TOMLTable {
    /// Reads a text.
    ///
    /// - Throws: `TOMLFault` when it is not TOML 1.0, or when it is one of the texts that the parser does not survive.
    init(_ text: String) throws(TOMLFault) {
        if let hazard = TOMLHazard(in: text) { throw TOMLFault(line: hazard.line, column: hazard.column, reason: hazard.reason) }
        var builder = TOMLBuilder()
        var fault = marquee_toml_fault()
        var text = text
        let isRead = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                withUnsafeMutablePointer(to: &builder) { builder in
                    marquee_toml_read(
                        text.baseAddress, text.count, builder,
                        { context, event in
                            context!.assumingMemoryBound(to: TOMLBuilder.self).pointee.take(event!.pointee)
                        }, &fault)
                }
            }
        }
        guard isRead else { throw TOMLFault(fault) }
        self = builder.root
    }
}

extension TOMLFault {
    /// The library quotes the text, which may have line ends there.
    fileprivate init(_ fault: marquee_toml_fault) {
        let reason = withUnsafeBytes(of: fault.reason) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.init(
            line: Int(fault.line), column: Int(fault.column),
            reason: reason.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\r"))
    }
}

/// Builds the values of a text from the parts that the parser reports.
private struct TOMLBuilder {
    private enum Open {
        case table(TOMLTable)
        case array([TOMLValue])
    }

    private(set) var root = TOMLTable()
    /// The tables and arrays that have begun and not ended, each with its name and line.
    private var open: [(name: String?, line: Int, content: Open)] = []

    mutating func take(_ event: marquee_toml_event) {
        let name = event.name.map { Self.text($0, event.name_length) }
        let line = Int(event.line)
        switch event.kind {
        case MARQUEE_TOML_TABLE: open.append((name, line, .table(TOMLTable())))
        case MARQUEE_TOML_ARRAY: open.append((name, line, .array([])))
        case MARQUEE_TOML_END:
            guard let ended = open.popLast() else { return }
            switch ended.content {
            case .table(let table): open.isEmpty ? root = table : add(.table(table), ended.name, ended.line)
            case .array(let array): add(.array(array), ended.name, ended.line)
            }
        case MARQUEE_TOML_TEXT: add(.text(Self.text(event.text, event.text_length)), name, line)
        case MARQUEE_TOML_INTEGER: add(.integer(Int(event.integer)), name, line)
        case MARQUEE_TOML_BOOLEAN: add(.boolean(event.integer != 0), name, line)
        default: add(.other, name, line)
        }
    }

    private mutating func add(_ value: TOMLValue, _ name: String?, _ line: Int) {
        guard let last = open.indices.last else { return }
        switch open[last].content {
        case .table(var table):
            // Released before the change, so that the members are not copied for each of them.
            open[last].content = .array([])
            table.members.append(.init(name: name ?? "", line: line, value: value))
            open[last].content = .table(table)
        case .array(var array):
            open[last].content = .array([])
            array.append(value)
            open[last].content = .array(array)
        }
    }

    private static func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
        UnsafeBufferPointer(start: bytes, count: count).withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    }
}
