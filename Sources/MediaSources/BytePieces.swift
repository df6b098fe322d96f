/// Bytes in the pieces in which they arrived, so that they can be kept, passed on and written without being copied together.
package struct BytePieces: Sendable {
    /// None of them is empty.
    package private(set) var pieces: [[UInt8]] = []
    package private(set) var count = 0

    /// Loaders hand over pieces of at most this length. A longer block of memory would get a mapping of its own for every piece (mallopt(3)), whose pages
    /// the kernel has to clear.
    package static let usualLength = 64 << 10

    package init() {}

    package init(_ bytes: [UInt8]) { append(bytes) }

    package var isEmpty: Bool { count == 0 }

    /// All bytes in one array; a copy if there are several pieces.
    package var joined: [UInt8] {
        if pieces.count <= 1 { return pieces.first ?? [] }
        var all: [UInt8] = []
        all.reserveCapacity(count)
        for piece in pieces { all += piece }
        return all
    }

    /// Adds a piece. Short pieces become one, so that a body that arrives byte by byte takes not much more memory than its bytes.
    package mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        count += piece.count
        if let last = pieces.indices.last, pieces[last].count + piece.count <= Self.usualLength {
            pieces[last] += piece
        } else {
            pieces.append(piece)
        }
    }

    package mutating func append(_ other: BytePieces) { for piece in other.pieces { append(piece) } }

    package mutating func append(contentsOf bytes: some Collection<UInt8>) { append(Array(bytes)) }

    /// The first bytes; all if there are fewer.
    package func prefix(_ wanted: Int) -> BytePieces {
        var result = BytePieces()
        for piece in pieces where result.count < wanted {
            let missing = wanted - result.count
            result.append(piece.count <= missing ? piece : Array(piece[..<missing]))
        }
        return result
    }

    /// The bytes after the first ones; none if there are fewer.
    package func dropFirst(_ unwanted: Int) -> BytePieces {
        var result = BytePieces()
        var left = max(0, unwanted)
        for piece in pieces {
            if left == 0 {
                result.append(piece)
            } else if left >= piece.count {
                left -= piece.count
            } else {
                result.append(Array(piece[left...]))
                left = 0
            }
        }
        return result
    }
}
