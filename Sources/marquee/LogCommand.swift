import ArgumentParser
import CommandSupport
import Glibc
import Housekeeping
import LinuxSupport
import Playback

/// `marquee log`: the log of the box, and those of playbacks.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: CommandName.log.abstract,
        subcommands: [LogLinesCommand.self, LogPlaysCommand.self, Show.self, Export.self], defaultSubcommand: LogLinesCommand.self
    )

    struct Place: ParsableArguments {
        @Option(help: "A playback by its number in `marquee log show` or on an error card; all of them by default.")
        var session: String?

        @Option(help: ArgumentHelp("The state folder of the box.", valueName: "folder"), completion: .directory)
        var state: String?

        /// The folder and the requested playbacks.
        ///
        /// - Throws: `CommandFault` if there are none.
        func sessions() throws -> (folder: String, names: [String]) {
            guard let state = state ?? StateFolder.path() else {
                throw CommandFault("There is no state folder on this machine: give it with --state.", code: 2)
            }
            let folder = SessionFolder.path(in: state)
            let all = SessionFolder.sessions(in: folder)
            guard let session else { return (folder, all) }
            let found = all.filter { name in
                name == session || SessionID.matches(SessionFolder.sessionID(ofName: name), session)
            }
            guard !found.isEmpty else {
                throw CommandFault("There is no playback \(session) in \(folder); marquee log show lists the playbacks.")
            }
            return (folder, found)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the playbacks, newest last, with the errors of each.")

        @OptionGroup var place: Place

        func run() throws {
            let (folder, names) = try place.sessions()
            if names.isEmpty { return Console.print("\(folder) has no playback logs") }
            for name in names {
                let access = try ELFTable(path: "\(folder)/\(name).access.log")
                let errors = try ELFTable(path: "\(folder)/\(name).error.log")
                Console.print(Self.line(name, access, errors))
                guard place.session != nil else { continue }
                for row in access.rows { Console.print("  " + access.words(row)) }
                for row in errors.rows { Console.print("  " + errors.words(row)) }
            }
        }

        static func line(_ name: String, _ access: ELFTable, _ errors: ELFTable) -> String {
            // What failed before its first picture has an entry of the error log alone.
            let began = access.rows.isEmpty ? errors : access
            let first = began.rows.first
            let parts = [
                first.map { [began.value("date", $0), began.value("time", $0)].compactMap(\.self).joined(separator: " ") } ?? "",
                SessionFolder.sessionID(ofName: name), first.flatMap { began.value("cs-uri", $0) } ?? "",
                "watched \(access.sum("x-duration-watched")) s", "stalls \(access.sum("x-stalls"))",
                "dropped \(access.sum("x-dropped-video-frames"))",
                "errors \(errors.rows.count)",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the logs in the W3C Extended Log File Format; secrets in addresses are removed.")

        @OptionGroup var place: Place

        @Flag(help: "The error log instead of the access log.")
        var errors = false

        func run() throws {
            let (folder, names) = try place.sessions()
            for name in names {
                let path = "\(folder)/\(name).\(errors ? "error" : "access").log"
                guard let bytes = WholeFile.read(path, mayBePipe: true) else {
                    throw CommandFault("\(path) could not be read: \(String(cString: strerror(errno))).")
                }
                Console.write(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

/// A parsed log file, for output to people.
struct ELFTable {
    private(set) var fields: [String] = []
    private(set) var rows: [[String]] = []

    /// - Throws: `CommandFault` if it cannot be read.
    init(path: String) throws {
        guard let bytes = WholeFile.read(path, mayBePipe: true) else {
            throw CommandFault("\(path) could not be read: \(String(cString: strerror(errno))).")
        }
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#Fields: ") {
                fields = line.dropFirst(9).split(separator: " ").map(String.init)
            } else if !line.hasPrefix("#") {
                rows.append(Self.values(line))
            }
        }
    }

    /// The value of a field; nil if it is unknown.
    func value(_ field: String, _ row: [String]) -> String? {
        guard let index = fields.firstIndex(of: field), row.indices.contains(index), row[index] != "-" else { return nil }
        return row[index]
    }

    func sum(_ field: String) -> String {
        let total = rows.compactMap { value(field, $0).flatMap(Double.init) }.reduce(0, +)
        return Int(exactly: total).map(String.init) ?? String((total * 10).rounded() / 10)
    }

    func words(_ row: [String]) -> String {
        zip(fields, row).filter { $0.1 != "-" }.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }

    private static func values(_ line: Substring) -> [String] {
        var (result, current, isQuoted) = ([String](), "", false)
        for character in line {
            if character == "\"" { isQuoted.toggle() }
            if character == " ", !isQuoted {
                result.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        return result + [current]
    }
}
