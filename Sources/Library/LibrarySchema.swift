import GRDB

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

    func state(of database: DatabaseQueue) throws -> State {
        let migrator = migrator
        return try database.read { database in
            if try migrator.appliedIdentifiers(database).isEmpty { return .empty }
            if try migrator.hasBeenSuperseded(database) { return .newer }
            return try migrator.hasCompletedMigrations(database) ? .current : .older
        }
    }

    /// Makes the missing changes, each in a transaction.
    func migrate(_ database: DatabaseQueue) throws { try migrator.migrate(database) }

    private var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.statements) }
        }
        return migrator
    }
}
