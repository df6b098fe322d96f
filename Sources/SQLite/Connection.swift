import CSQLite
import Glibc

/// A connection to a database in a file (`sqlite3 *`), which it closes at its end. One thread at a time; all functions block on the disk.
///
/// A lock of another connection refuses a statement at once (SQLITE_BUSY): SQLite would wait in real time, whatever time the caller lives in.
///
/// While a connection is open, no other code of the process opens its file: closing a descriptor takes away the locks that the process has on the file (fcntl(2)), and
/// another process would then remove the write-ahead log that this one still writes. `completedFile` reads it by SQLite's own descriptor.
package final class Connection {
    package let path: String
    private let handle: OpaquePointer

    /// Opens or creates a file. What it holds is looked at by the first statement.
    package init(path: String) throws(DatabaseError) {
        self.path = path
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else { throw DatabaseError("opening", on: path, code: SQLITE_NOMEM) }
        self.handle = handle
        guard code == SQLITE_OK else { throw failure("opening") }
        sqlite3_extended_result_codes(handle, 1)
    }

    /// A statement keeps its connection, so that none is left here.
    deinit { sqlite3_close(handle) }

    /// Executes statements one after another, without values; their rows are dropped. What was done before one that fails stays done.
    package func execute(_ statements: String) throws(DatabaseError) {
        guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
            throw failure(DatabaseError.executing(statements))
        }
    }

    /// Makes a statement that can be executed several times.
    package func prepare(_ text: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        let (code, isWhole) = text.withCString { start in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(handle, start, -1, &statement, &rest)
            return (code, rest.map { strspn($0, " \n;") == strlen($0) } ?? true)
        }
        guard code == SQLITE_OK else { throw failure(DatabaseError.executing(text)) }
        guard let statement else {
            throw DatabaseError(DatabaseError.executing(text), on: path, code: SQLITE_MISUSE, reason: "there is no statement")
        }
        let made = Statement(of: self, handle: statement, text: text)
        guard isWhole else {
            throw DatabaseError(
                DatabaseError.executing(text), on: path, code: SQLITE_MISUSE, reason: "there is more than one statement")
        }
        return made
    }

    /// Executes one statement.
    package func run(_ text: String, _ values: [DatabaseValue] = []) throws(DatabaseError) { try prepare(text).run(values) }

    /// Executes one statement, and shows each row that it returns.
    package func rows(_ text: String, _ values: [DatabaseValue] = [], _ read: (borrowing ResultRow) -> Void) throws(DatabaseError)
    {
        try prepare(text).rows(values, read)
    }

    package enum TransactionKind: String, Sendable {
        /// Takes locks when it needs them.
        case deferred = "DEFERRED"
        /// Takes the lock for writing at once.
        case immediate = "IMMEDIATE"
    }

    /// How a transaction ends whose work has succeeded.
    package enum TransactionEnd: String, Sendable {
        case commit = "COMMIT"
        case rollback = "ROLLBACK"
    }

    /// Does some work in one transaction, which is rolled back if it fails.
    package func transaction<Result>(
        _ kind: TransactionKind, end: TransactionEnd = .commit, _ work: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try execute("BEGIN \(kind.rawValue)")
        do throws(DatabaseError) {
            let result = try work()
            try execute(end.rawValue)
            return result
        } catch {
            // After some failures SQLite has done it already (https://www.sqlite.org/c3ref/get_autocommit.html). The first failure is the one that says why.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Looks at all pages, tables and indexes.
    ///
    /// - Throws: an error whose cause is `damaged` if something is wrong with them.
    package func checkIntegrity() throws(DatabaseError) {
        var answer: String?
        try rows("PRAGMA integrity_check(1)") { answer = $0.text(0) }
        guard answer == "ok" else { throw DatabaseError("the check", on: path, code: SQLITE_CORRUPT, reason: answer) }
    }

    /// Moves what is in the write-ahead log to the file, and empties the log.
    package func completeLog() throws(DatabaseError) {
        guard sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else {
            throw failure("completing the file from its write-ahead log")
        }
    }

    /// The bytes of the file, completed from its write-ahead log.
    ///
    /// Not sqlite3_serialize, which has zeroes for a page that cannot be read.
    ///
    /// - Parameter most: a longer file is refused.
    package func completedFile(most: Int) throws(DatabaseError) -> [UInt8] {
        try completeLog()
        let action = "reading the file"
        guard let file = marquee_sqlite_file(handle) else { throw DatabaseError(action, on: path, code: SQLITE_CANTOPEN) }
        var size: sqlite3_int64 = 0
        var code = marquee_sqlite_file_size(file, &size)
        guard code == SQLITE_OK else { throw DatabaseError(action, on: path, code: code) }
        guard size <= min(most, Int(Int32.max)) else { throw DatabaseError(action, on: path, code: SQLITE_TOOBIG) }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            code = size == 0 ? SQLITE_OK : marquee_sqlite_read(file, buffer.baseAddress, Int32(size), 0)
            count = code == SQLITE_OK ? Int(size) : 0
        }
        guard code == SQLITE_OK else { throw DatabaseError(action, on: path, code: code) }
        return bytes
    }

    /// The error of the last call.
    func failure(_ action: String) -> DatabaseError {
        let code = sqlite3_extended_errcode(handle)
        var reason = String(cString: sqlite3_errmsg(handle))
        let number = sqlite3_system_errno(handle)
        if [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF), number != 0 {
            reason += ": " + String(cString: strerror(number))
        }
        return DatabaseError(action, on: path, code: code, reason: reason)
    }
}
