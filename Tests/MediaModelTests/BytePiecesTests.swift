import LinuxSupport
import MediaSources
import Testing

@Suite("Bytes in pieces")
struct BytePiecesTests {
    private static let piece = BytePieces.usualLength

    @Test("they are the bytes that were added, whatever the lengths, and each part of them is that part of the bytes")
    func parts() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var all: [UInt8] = []
            var pieces = BytePieces()
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let length = [0, 1, 700, Self.piece - 1, Self.piece, Self.piece + 1].randomElement(using: &random) ?? 0
                let bytes = (0..<length).map { UInt8(truncatingIfNeeded: all.count &+ $0 &* 7) }
                all += bytes
                pieces.append(bytes)
            }
            #expect(pieces.count == all.count && pieces.isEmpty == all.isEmpty && pieces.joined == all)
            #expect(pieces.pieces.allSatisfy { !$0.isEmpty })
            let place = Int.random(in: 0...all.count + 2, using: &random)
            #expect(pieces.prefix(place).joined == Array(all.prefix(place)))
            #expect(pieces.dropFirst(place).joined == Array(all.dropFirst(place)))
        }
    }

    @Test("a body that arrives byte by byte is kept in few pieces, and a whole piece is not copied")
    func few() {
        var slow = BytePieces()
        for _ in 0..<2 * Self.piece { slow.append([1]) }
        #expect(slow.pieces.map(\.count) == [Self.piece, Self.piece])
        let whole = [UInt8](repeating: 2, count: Self.piece)
        var pieces = BytePieces([1])
        pieces.append(whole)
        let isShared = pieces.pieces[1].withUnsafeBytes { kept in whole.withUnsafeBytes { $0.baseAddress == kept.baseAddress } }
        #expect(isShared)
    }
}
