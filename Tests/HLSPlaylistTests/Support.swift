import Foundation
import HLSPlaylist
import MediaTime

/// Parses a text that must be a media playlist.
func media(_ text: String, variables: [String: String] = [:], url: String? = nil) throws -> MediaPlaylist {
    let parser = PlaylistParser(importedVariables: variables, url: url)
    guard case .media(let playlist) = try parser.playlist(from: Array(text.utf8)) else { throw WrongKind() }
    return playlist
}

/// Parses a text that must be a multivariant playlist.
func multivariant(_ text: String, url: String? = nil) throws -> MultivariantPlaylist {
    guard case .multivariant(let playlist) = try PlaylistParser(url: url).playlist(from: Array(text.utf8)) else {
        throw WrongKind()
    }
    return playlist
}

struct WrongKind: Error {}

extension ParsedPlaylist {
    var errorCodes: [String] { errors.map(\.code.rawValue) }
    var warningCodes: [String] { warnings.map(\.code.rawValue) }
}

/// The corpus next to the project, if present.
enum Corpus {
    static let root: URL? = {
        // The sources may be reached through a link; the corpus is next to the real package.
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let folder = URL(fileURLWithPath: String(cString: real)).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/corpus/hls")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    static var isThere: Bool { root != nil }

    /// The playlists by their path in the corpus, sorted.
    static let playlists: [String] = {
        guard let root, let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent("playlists").path) else {
            return []
        }
        var paths: [String] = []
        for case let path as String in walk {
            var isFolder: ObjCBool = false
            let whole = root.appendingPathComponent("playlists/" + path).path
            if FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder), !isFolder.boolValue {
                paths.append("playlists/" + path)
            }
        }
        return paths.sorted()
    }()

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let root else { return [] }
        return [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
    }
}

extension Corpus {
    static func object(_ path: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(try bytes(path))) as? [String: Any] ?? [:]
    }

    /// The lines of `globocom-oracle.jsonl` with a result, as JSON by the path of their playlist.
    static let globocom: [String: [String: any Sendable]] = {
        guard let text = try? String(decoding: bytes("expected/globocom-oracle.jsonl"), as: UTF8.self) else { return [:] }
        var results: [String: [String: any Sendable]] = [:]
        for line in text.split(separator: "\n") {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let file = object["file"] as? String, let data = object["data"] as? [String: any Sendable]
            else { continue }
            results[file] = data
        }
        return results
    }()
}
