import ArgumentParser
import LinuxSupport
import MediaCodec
import MediaModel
import Transfer

/// `MarqueeBench colour`: decodes all pictures of a file as for a screen of standard dynamic range, and prints how many there were. The CPU time of the
/// process is the figure.
struct ColourBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "colour",
        abstract: "Decode all pictures of a file as for a screen of standard dynamic range; print their count.")

    @Argument(help: "A file with one video track.")
    var file: String

    @Option(help: "The threads of the decoder.")
    var threads = 1

    func run() throws {
        try MainActor.assumeIsolated {
            let loop = try MainLoop(time: .real)
            let stream = CurlTransfer(clock: loop.clock, version: "bench").stream(file)
            do throws(MediaError) {
                print(try Self.pictures(of: stream, threads: threads))
            } catch {
                throw BenchFailure(error.sentence)
            }
        }
    }

    private static func pictures(of stream: any ByteStream, threads: Int) throws(MediaError) -> Int {
        let codecs = FFmpegCodecs(videoThreads: threads)
        let demuxer = try codecs.openDemuxer(stream, hint: nil)
        let video = demuxer.description.tracks.first { $0.type == .video }?.id
        let allocator = MemoryAllocator()
        var decoder: (any VideoDecoding)?
        var count = 0
        while let sample = try demuxer.nextSample() {
            guard sample.track == video else { continue }
            let open: any VideoDecoding
            if let decoder { open = decoder } else { open = try codecs.openVideoDecoder(sample.parameters, allocator: allocator) }
            decoder = open
            count += try open.decode(sample).count
        }
        return count + (try decoder?.decode(nil).count ?? 0)
    }
}
