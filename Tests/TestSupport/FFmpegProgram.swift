import Glibc

/// The ffmpeg program, which makes small media for tests.
package enum FFmpegProgram {
    /// Whether it is installed: for `.enabled(if:)`.
    package static let isPresent = path != nil

    /// The message when it is absent.
    package static let absence = "the ffmpeg program is absent: run scripts/setup"

    private static let path: String? = (Fixtures.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        .map { "\($0)/ffmpeg" }.first { access($0, X_OK) == 0 }

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
        var template = Array("/tmp/marquee-test-XXXXXX".utf8CString)
        guard let path, mkdtemp(&template) != nil else { throw Failure(description: absence) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let output = "\(folder)/out.\(suffix)"
        defer {
            unlink(output)
            rmdir(folder)
        }
        let all = ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y", "-threads", "1"] + arguments + [output]
        var words: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, path, nil, nil, &words, environ) == 0 else {
            throw Failure(description: "ffmpeg could not be started")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0, let bytes = fileBytes(output) else {
            throw Failure(description: "ffmpeg \(arguments.joined(separator: " ")) failed")
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
