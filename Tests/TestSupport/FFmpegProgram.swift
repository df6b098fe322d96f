import Glibc

/// The ffmpeg program, which makes small media for tests.
package enum FFmpegProgram {
    /// Whether it is installed: for `.enabled(if:)`.
    package static let isPresent = path != nil

    /// The message when it is absent.
    package static let absence = "the ffmpeg program is absent: run scripts/setup"

    private static let path = find("ffmpeg")

    private static func find(_ program: String) -> String? {
        (Fixtures.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Why no file was made.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs it and returns the resulting file.
    ///
    /// - Parameters:
    ///   - arguments: all except the output's name.
    ///   - suffix: the output's suffix, which decides the container, e.g. `mp4`.
    package static func make(_ arguments: [String], suffix: String) throws -> [UInt8] {
        try run(path, ["-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-threads", "1"] + arguments, suffix: suffix) {
            [$0]
        }
    }

    /// A filter that says of pictures which colours of BT.2020 they have: FFmpeg 7.1 gives an encoder what its filters say, and not what options of the output do.
    package static func colours(primaries: String, transfer: String) -> String {
        "setparams=color_primaries=\(primaries):color_trc=\(transfer):colorspace=bt2020nc:range=tv"
    }

    /// What the program ffprobe, which comes with ffmpeg, says of a file: its entries by their names, such as `streams.stream.0.codec_name`.
    ///
    /// - Parameter entries: as `-show_entries` takes them.
    package static func probe(_ file: String, entries: String, options: [String] = []) throws -> [String: String] {
        let arguments = ["-loglevel", "error"] + options + ["-show_entries", entries, "-of", "flat", file]
        let text = String(decoding: try run(find("ffprobe"), arguments, suffix: "txt") { ["-o", $0] }, as: UTF8.self)
        var found: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { found[String(parts[0])] = parts[1].filter { $0 != "\"" } }
        }
        return found
    }

    /// Runs a program and returns the file that it wrote.
    ///
    /// - Parameter naming: the arguments that name the file.
    private static func run(
        _ path: String?, _ arguments: [String], suffix: String, naming: (String) -> [String]
    ) throws -> [UInt8] {
        var template = Array("/tmp/marquee-test-XXXXXX".utf8CString)
        guard let path, mkdtemp(&template) != nil else { throw Failure(description: absence) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let output = "\(folder)/out.\(suffix)"
        defer {
            unlink(output)
            rmdir(folder)
        }
        let name = String(path.split(separator: "/").last ?? "ffmpeg")
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments + naming(output)).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, path, nil, nil, &words, environ) == 0 else {
            throw Failure(description: "\(name) could not be started")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0, let bytes = fileBytes(output) else {
            throw Failure(description: "\(name) \(arguments.joined(separator: " ")) failed")
        }
        return bytes
    }

    /// Two seconds of a moving picture and a tone of 440 Hz.
    package static func clip(
        seconds: Int = 2, size: String = "320x180", rate: String = "25",
        video: [String] = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"],
        audio: [String] = ["-c:a", "aac"], extra: [String] = [], suffix: String
    ) throws -> [UInt8] {
        var arguments = ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate):d=\(seconds)"]
        if !audio.isEmpty { arguments += ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)"] }
        return try make(arguments + video + audio + extra, suffix: suffix)
    }
}
