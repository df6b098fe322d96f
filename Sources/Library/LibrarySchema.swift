import SQLite

/// The tables of the library's file, as the sequence of changes that made them. A value.
///
/// A change may only add: a column with a default or without a value, a table, an index. The older system in the other slot, which may be started again at any time,
/// then reads and writes the file of the newer one.
struct LibrarySchema: Sendable {
    struct Migration: Sendable {
        let name: String
        let statements: String
    }

    /// What a file has of a schema.
    enum State: Equatable, Sendable {
        /// No tables.
        case empty
        /// Changes of this schema are missing.
        case older
        case current
        /// A newer version has changed it.
        case newer
    }

    let migrations: [Migration]

    static let current = LibrarySchema(migrations: [
        // `debt` stores `SavedPlace.owedInterstitial`. The column keeps its name because the older system in the other slot reads it too.
        Migration(
            name: "places",
            statements: """
                CREATE TABLE place (item TEXT PRIMARY KEY, value INTEGER NOT NULL, timescale INTEGER NOT NULL, debt TEXT);
                CREATE TABLE watched (item TEXT NOT NULL, interstitial TEXT NOT NULL, PRIMARY KEY (item, interstitial));
                """),
        Migration(
            name: "settings",
            statements: """
                ALTER TABLE place ADD COLUMN touched INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
                """),
    ])

    /// The name of its newest change.
    var newest: String { migrations.last?.name ?? "none" }

    func state(of connection: Connection) throws(DatabaseError) -> State {
        let made = try Self.changes(made: connection)
        let known = Set(migrations.map(\.name))
        if made.isEmpty { return .empty }
        if !made.isSubset(of: known) { return .newer }
        return made == known ? .current : .older
    }

    /// Makes the missing changes, each in a transaction.
    func migrate(_ connection: Connection) throws(DatabaseError) {
        try connection.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let made = try Self.changes(made: connection)
        for migration in migrations where !made.contains(migration.name) {
            try connection.transaction(.immediate) { () throws(DatabaseError) in
                try connection.execute(migration.statements)
                try connection.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(migration.name)])
            }
        }
    }

    /// The names of the changes that a file has. Their table keeps the name that GRDB.swift gave it: the older system in the other slot looks for it.
    private static func changes(made connection: Connection) throws(DatabaseError) -> Set<String> {
        var names: Set<String> = []
        var hasTable = false
        try connection.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'") { _ in
            hasTable = true
        }
        guard hasTable else { return names }
        try connection.rows("SELECT identifier FROM grdb_migrations") { row in row.text(0).map { _ = names.insert($0) } }
        return names
    }
}
