import Synchronization

/// A connection that several threads may use, one after another. Any thread; all functions block on the disk.
package final class Database: Sendable {
    private let connection: Mutex<Connection>

    package init(_ connection: sending Connection) { self.connection = Mutex(connection) }

    /// Does some work while no other thread has the connection.
    package func perform<Result: Sendable, Failure: Error>(
        _ work: @Sendable (Connection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try connection.withLock { connection throws(Failure) in try work(connection) }
    }

    /// Changes the file in one transaction.
    package func write(_ change: @Sendable (Connection) throws(DatabaseError) -> Void) throws(DatabaseError) {
        try perform { connection throws(DatabaseError) in
            try connection.transaction(.immediate) { () throws(DatabaseError) in try change(connection) }
        }
    }
}
