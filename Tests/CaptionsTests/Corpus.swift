import FoundationEssentials
import Glibc

/// Caption files of other projects, in the folder `shared` next to the package. Tests that need them are skipped without it.
enum Corpus {
    static let folder: String? = {
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let root = String(cString: real).split(separator: "/").dropLast(4).joined(separator: "/")
        let folder = "/\(root)/shared/corpus/hls/webvtt"
        return access(folder, R_OK) == 0 ? folder : nil
    }()

    /// The paths of all files below a folder of the corpus, sorted.
    static func files(_ name: String) -> [String] {
        guard let folder else { return [] }
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return all.sorted().map { "\(name)/\($0)" }
    }

    static func bytes(_ path: String) -> [UInt8]? {
        guard let folder else { return nil }
        return FileManager.default.contents(atPath: "\(folder)/\(path)").map { Array($0) }
    }
}

/// The corpus's expected result for a file, in the corpus's own format.
struct Expectation: Decodable {
    struct Cue: Decodable {
        var id: String
        var startTime: Double
        var endTime: Double
        var text: String
        var vertical: String
        var snapToLines: Bool
        var line: NumberOrWord
        var lineAlign: String
        var position: NumberOrWord
        var positionAlign: String
        var size: Double
        var align: String
        var region: RegionOrNone
    }

    struct Region: Decodable, Equatable {
        var width: Double
        var lines: Int
        var regionAnchorX: Double
        var regionAnchorY: Double
        var viewportAnchorX: Double
        var viewportAnchorY: Double
        var scroll: String
    }

    enum NumberOrWord: Decodable, Equatable {
        case number(Double)
        case word(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .word(try container.decode(String.self))
            }
        }
    }

    enum RegionOrNone: Decodable {
        case region(Region)
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let region = try? container.decode(Region.self) { self = .region(region) } else { self = .none }
        }
    }

    var cues: [Cue]
    var regions: [Region]

    /// The file's own expectation, otherwise its folder's for this kind of error.
    static func read(_ path: String) throws -> Expectation? {
        guard let bytes = Corpus.bytes(path) else { return nil }
        return try JSONDecoder().decode(Expectation.self, from: Data(bytes))
    }
}
