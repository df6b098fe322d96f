import CSQLite

/// A prepared statement (`sqlite3_stmt *`), which it finalizes at its end. On the thread of its connection.
package struct Statement: ~Copyable {
    private let connection: Connection
    private let handle: OpaquePointer
    private let text: String

    init(of connection: Connection, handle: OpaquePointer, text: String) {
        self.connection = connection
        self.handle = handle
        self.text = text
    }

    deinit { sqlite3_finalize(handle) }

    /// Executes it to its end; rows are dropped.
    ///
    /// - Parameter values: one for each `?`, in their order.
    package func run(_ values: [DatabaseValue] = []) throws(DatabaseError) { try rows(values) { _ in } }

    /// Executes it, and shows each row.
    ///
    /// - Parameter values: one for each `?`, in their order.
    package func rows(_ values: [DatabaseValue] = [], _ read: (borrowing ResultRow) -> Void) throws(DatabaseError) {
        // Its answer repeats the failure of the last step.
        defer { sqlite3_reset(handle) }
        try bind(values)
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: read(ResultRow(handle))
            case SQLITE_DONE: return
            default: throw connection.failure(DatabaseError.executing(text))
            }
        }
    }

    private func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        guard sqlite3_bind_parameter_count(handle) == values.count else {
            throw DatabaseError(
                DatabaseError.executing(text), on: connection.path, code: SQLITE_RANGE,
                reason: "\(values.count) values were given for \(sqlite3_bind_parameter_count(handle)) places")
        }
        for (value, index) in zip(values, Int32(1)...) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
                case .text(let words): bind(words, index)
                }
            guard code == SQLITE_OK else { throw connection.failure(DatabaseError.executing(text)) }
        }
    }

    /// With its length: a text may have a zero inside.
    private func bind(_ words: String, _ index: Int32) -> Int32 {
        var words = words
        return words.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // An empty text has no address, which would be NULL.
                guard let start = $0.baseAddress else { return marquee_sqlite_bind_text(handle, index, "", 0) }
                return marquee_sqlite_bind_text(handle, index, start, UInt64($0.count))
            }
        }
    }
}

/// The row at which a statement is, while it is shown.
package struct ResultRow: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// The text in a column, counted from 0; nil if it has another type, or is not UTF-8: SQLite stores anything in any column.
    package func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT, let start = sqlite3_column_text(handle, column) else {
            return nil
        }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The whole number in a column, counted from 0; nil if it has another type.
    package func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, column) : nil
    }
}
