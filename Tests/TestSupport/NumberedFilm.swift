import Glibc

/// A small film for tests, made by ffmpeg at first use and cached: its pictures carry their numbers (`NumberGrid`), its sound is
/// a soft tone of 440 Hz with a click at each whole second.
package struct NumberedFilm: Sendable, CustomStringConvertible {
    /// Its name in tests; the suffix decides the container.
    package var name: String
    /// The number of pictures; zero means no video track.
    package var frames = 75
    /// Pictures per second, in ffmpeg's syntax.
    package var rate = "25"
    /// The size of the pictures.
    package var size = (width: 128, height: 72)
    /// The video encoder options.
    package var video: [String]
    /// The audio encoder options; empty means no audio track.
    package var audio: [String]
    /// The duration of the sound, in seconds.
    package var soundSeconds = "3"
    /// Further options of the output.
    package var extra: [String] = []
    /// Options for copying the result into another file, if any.
    package var copying: [String]?
    /// Whether an MP4 file says that its pictures are to be turned left by a quarter.
    package var isTurned = false

    package init(_ name: String, video: [String] = NumberedFilm.h264, audio: [String] = NumberedFilm.aac, extra: [String] = []) {
        self.name = name
        self.video = video
        self.audio = audio
        self.extra = extra
    }

    /// H.264 with B-frames, one key picture per second.
    package static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "2", "-g", "25"]
    package static let aac = ["-c:a", "aac", "-b:a", "96k"]

    package var description: String { name }

    /// The same film with a change.
    package func with(_ change: (inout NumberedFilm) -> Void) -> NumberedFilm {
        var film = self
        change(&film)
        return film
    }

    /// The path of the file.
    package func path() throws -> String {
        let folder = Self.folder
        let path = "\(folder)/\(key)-\(name)"
        if Fixtures.isThere(path) { return path }
        var parent = ""
        for part in folder.split(separator: "/") {
            parent += "/\(part)"
            mkdir(parent, 0o755)
        }
        // Two tests may make it at the same time: each makes its own, and the last one stays.
        let bytes = try make()
        let fresh = "\(path).\(getpid()).\(pthread_self())"
        guard let file = fopen(fresh, "wb") else { throw FFmpegProgram.Failure(description: "\(fresh) could not be written") }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count, rename(fresh, path) == 0 else {
            unlink(fresh)
            throw FFmpegProgram.Failure(description: "\(path) could not be written")
        }
        return path
    }

    /// Its bytes.
    package func bytes() throws -> [UInt8] {
        let path = try path()
        guard let bytes = fileBytes(path) else { throw FFmpegProgram.Failure(description: "\(path) could not be read") }
        return bytes
    }

    private static var folder: String {
        let cache = Fixtures.variable("MARQUEE_CACHE") ?? (Fixtures.variable("HOME") ?? "/root") + "/.cache/marquee"
        return cache + "/test-films"
    }

    /// The properties decide the name.
    private var key: String {
        let words =
            [name, "\(frames)", rate, "\(size)", soundSeconds] + video + ["|"] + audio + ["|"] + extra + ["|"]
            + (copying ?? ["-"]) + (isTurned ? ["turned"] : [])
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in words.joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return String(hash, radix: 36)
    }

    private var suffix: String { name.split(separator: ".").last.map(String.init) ?? "mkv" }

    private func make() throws -> [UInt8] {
        var arguments: [String] = []
        if frames > 0 {
            let pictures = (0..<frames).flatMap { NumberGrid.picture($0, width: size.width, height: size.height) }
            let raw = try TemporaryFile(pictures)
            defer { withExtendedLifetime(raw) {} }
            arguments += [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(size.width)x\(size.height)", "-r", rate, "-i", raw.path,
            ]
            return try finish(arguments)
        }
        return try finish(arguments)
    }

    /// An MP4 file with another display matrix in its first track (ISO/IEC 14496-12, 8.3.2). Options for it differ between versions of ffmpeg.
    private static func turned(_ file: [UInt8]) throws -> [UInt8] {
        // Version, flags, times of 32 bits, number, duration, layer, group and volume come before it.
        let one: [UInt8] = [0, 1, 0, 0], minusOne: [UInt8] = [0xff, 0xff, 0, 0], none: [UInt8] = [0, 0, 0, 0]
        let matrix = none + minusOne + none + one + none + none
        guard let header = file.firstRange(of: Array("tkhd".utf8)), file[header.upperBound] == 0,
            file.count >= header.upperBound + 40 + matrix.count
        else { throw FFmpegProgram.Failure(description: "the film has no track header to turn") }
        var file = file
        file.replaceSubrange(header.upperBound + 40..<header.upperBound + 40 + matrix.count, with: matrix)
        return file
    }

    private func finish(_ pictures: [String]) throws -> [UInt8] {
        var arguments = pictures
        if !audio.isEmpty {
            let click = "0.05*sin(2*PI*440*t)+0.7*cos(2*PI*1000*t)*lt(mod(t\\,1)\\,0.005)"
            arguments += ["-f", "lavfi", "-i", "aevalsrc=exprs='\(click)':s=48000:d=\(soundSeconds)"]
        }
        if frames > 0 { arguments += video }
        if !audio.isEmpty { arguments += audio }
        // The encoder's own metadata depends on its version.
        let bytes = try FFmpegProgram.make(arguments + ["-fflags", "+bitexact"] + extra, suffix: suffix)
        if isTurned { return try Self.turned(bytes) }
        guard let copying else { return bytes }
        let first = try TemporaryFile(bytes)
        defer { withExtendedLifetime(first) {} }
        // Without a place for it the input comes first.
        let words = (copying.contains("INPUT") ? copying : ["INPUT"] + copying).flatMap {
            $0 == "INPUT" ? ["-i", first.path] : [$0]
        }
        return try FFmpegProgram.make(Array(words), suffix: suffix)
    }
}

/// A file that exists as long as this object.
package final class TemporaryFile {
    package let path: String

    /// Writes bytes into a new file.
    package init(_ bytes: [UInt8] = [], suffix: String = "") throws {
        var template = Array("/tmp/marquee-test-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw FFmpegProgram.Failure(description: "\(path) could not be made") }
        close(descriptor)
        guard append(bytes) else { throw FFmpegProgram.Failure(description: "\(path) could not be written") }
    }

    /// Appends to the file, as a recorder does.
    ///
    /// - Returns: whether all of it was written.
    @discardableResult
    package func append(_ bytes: some Collection<UInt8>) -> Bool {
        guard let file = fopen(path, "ab") else { return false }
        let bytes = Array(bytes)
        let written = fwrite(bytes, 1, bytes.count, file)
        return fclose(file) == 0 && written == bytes.count
    }

    deinit { unlink(path) }
}
