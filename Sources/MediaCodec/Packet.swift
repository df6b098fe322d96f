import CFFmpeg
import Glibc
import MediaModel

/// One encoded sample in FFmpeg's packet, with its side data. The packet shares its bytes with other references.
// Unchecked: the packet is filled in `init`, never changed after that, and freed when the last owner releases it.
final class Packet: SamplePayload, @unchecked Sendable {
    private let packet: UnsafeMutablePointer<AVPacket>

    /// Moves the contents of a packet that was just read, leaving it blank.
    init(moving other: UnsafeMutablePointer<AVPacket>) {
        packet = allocated(av_packet_alloc(), "a packet")
        av_packet_move_ref(packet, other)
    }

    /// Copies bytes.
    init(_ bytes: [UInt8]) {
        packet = allocated(av_packet_alloc(), "a packet")
        precondition(av_new_packet(packet, Int32(clamping: bytes.count)) >= 0, "no memory left for a packet")
        bytes.withUnsafeBytes { source in
            guard let first = source.baseAddress, let data = packet.pointee.data else { return }
            memcpy(data, first, Int(packet.pointee.size))
        }
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    var byteCount: Int { Int(packet.pointee.size) }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: packet.pointee.data, count: byteCount))
    }

    var cueIdentifier: (id: String, settings: String) {
        (text(AV_PKT_DATA_WEBVTT_IDENTIFIER), text(AV_PKT_DATA_WEBVTT_SETTINGS))
    }

    private func text(_ kind: AVPacketSideDataType) -> String {
        var count = 0
        guard let data = av_packet_get_side_data(packet, kind, &count) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
    }

    /// Lets `other`, which is blank, point to the same bytes and side data without owning them: for a call that copies what it keeps, such as
    /// `av_write_frame`. `takeBack` ends that; this packet must live as long.
    func lend(to other: UnsafeMutablePointer<AVPacket>) {
        other.pointee.data = packet.pointee.data
        other.pointee.size = packet.pointee.size
        other.pointee.side_data = packet.pointee.side_data
        other.pointee.side_data_elems = packet.pointee.side_data_elems
        other.pointee.flags = packet.pointee.flags
    }

    /// Makes a packet blank again that `lend` has filled.
    static func takeBack(_ other: UnsafeMutablePointer<AVPacket>) {
        other.pointee.data = nil
        other.pointee.size = 0
        other.pointee.side_data = nil
        other.pointee.side_data_elems = 0
        av_packet_unref(other)
    }

    /// Makes `other` reference the same bytes and side data.
    func reference(into other: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
        try ffmpeg("av_packet_ref") { av_packet_ref(other, packet) }
    }
}
