import Glibc
import LinuxSupport

/// The repository on the machine that runs the tests.
package enum Fixtures {
    /// The folder with `Package.swift`, found from this file's real path, so that packages made of links find it too.
    package static let root: String = {
        let file = realPath(#filePath) ?? #filePath
        return file.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    }()

    /// The folder of the small test files.
    package static var path: String { root + "/Tests/Fixtures" }

    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// The output of `scripts/demo-content`: streams, films and feeds for tests. It is only looked for: making it takes minutes.
package enum DemoContent {
    /// The folder with `feed.json`: `MARQUEE_DEMO` (the folder or the feed itself), otherwise the newest in the cache; nil if
    /// there is none.
    package static let folder: String? = {
        if let given = Fixtures.environment("MARQUEE_DEMO") {
            let folder = given.hasSuffix("/feed.json") ? String(given.dropLast(10)) : given
            return Fixtures.exists(folder + "/feed.json") ? folder : nil
        }
        let home = Fixtures.environment("HOME") ?? "/root"
        let cache = (Fixtures.environment("MARQUEE_CACHE") ?? home + "/.cache/marquee") + "/demo"
        return Folder.names(cache).map { cache + "/" + $0 }
            .filter { Fixtures.exists($0 + "/feed.json") }
            .max { (modified($0), $0) < (modified($1), $1) }
    }()

    /// Whether it exists: for `.enabled(if:)`.
    package static var isPresent: Bool { folder != nil }

    /// The message when it is absent.
    package static let absence = "the demo content is absent: run scripts/demo-content"

    /// The path of the demo feed, or of a file next to it, e.g. `episode1/master.m3u8`. Only if it is present.
    package static func path(_ name: String = "feed.json") -> String { (folder ?? "/absent") + "/" + name }

    private static func modified(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
    }
}

// Access to things outside the project.
extension Fixtures {
    /// An environment variable.
    package static func variable(_ name: String) -> String? { environment(name) }

    /// Whether a path exists.
    package static func isThere(_ path: String) -> Bool { exists(path) }

    /// The text of a file; nil when it cannot be read.
    package static func text(_ path: String) -> String? {
        WholeFile.read(path).map { String(decoding: $0, as: UTF8.self) }
    }
}
