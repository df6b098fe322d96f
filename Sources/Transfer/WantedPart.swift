/// The part of a resource that a transfer wants, and how far its answers have brought it. A value: it decides which bytes of a body are passed on, and
/// what is asked for next. No server has to serve ranges, and one that does may answer with less than was asked for (RFC 9110, 14.2 and 15.3.7).
struct WantedPart {
    /// What follows an answer's last byte.
    enum Sequel: Equatable {
        /// All of it is there.
        case end
        /// The answer was shorter than its request: the rest is asked for.
        case rest
        /// The rest would come in too many answers, or an answer brought nothing.
        case short
    }

    /// What the head of an answer says about its body.
    enum Answer: Equatable {
        /// The bytes are used.
        case use
        /// It is a packed part, which cannot be unpacked: the whole is asked for.
        case askForWhole
        /// It is another part, or the wanted one is too far behind its start.
        case refuse
    }

    /// A server that ignores ranges sends so many bytes in vain at most.
    static let mostSkipped: Int64 = 32 << 20
    /// An answer with less than this for each request, after the first ones, is none.
    static let fewestForEach: Int64 = 1 << 10
    private static let freeAnswers: Int64 = 64

    /// The bytes of the resource; nil for all.
    private let range: Range<Int64>?
    private let mayCut: Bool
    /// How many bytes were passed on.
    private(set) var received: Int64 = 0
    /// Whether the request says which bytes it wants.
    private(set) var asksForRange: Bool
    /// How many bytes the resource has, if that is known.
    private(set) var resourceLength: Int64?
    /// How many bytes of the current body come before the wanted ones.
    private var toSkip: Int64 = 0
    private var answers: Int64 = 0
    private var receivedBefore: Int64 = 0
    private var hasOpenEnd = false
    /// Whether the current body goes on behind the wanted bytes, as far as is known.
    private(set) var isCutOut = false

    /// - Parameter mayCut: whether they may be cut out of the whole.
    init(_ range: Range<Int64>?, mayCut: Bool = true) {
        self.range = range
        self.mayCut = mayCut
        asksForRange = range != nil
    }

    private var start: Int64 { range?.lowerBound ?? 0 }
    private var end: Int64 { range?.upperBound ?? .max }
    /// The offset of the next wanted byte.
    private var next: Int64 { start.addingReportingOverflow(received).overflow ? .max : start + received }
    /// Whether the wanted bytes have an end, and were all passed on.
    var isComplete: Bool { end != .max && next >= end }
    /// How many bytes the whole transfer passes on; nil if that is unknown.
    var length: Int64? {
        let last = min(end, resourceLength ?? .max)
        return last == .max ? nil : max(last - start, 0)
    }
    /// Whether the wanted bytes begin and end with the resource.
    private var isWhole: Bool { start == 0 && end == .max }

    /// The value of the request's range, as libcurl takes it; nil for none.
    var request: String? { asksForRange ? "\(next)-" + (end == .max ? "" : "\(end - 1)") : nil }

    /// The head of an answer of status 200 or 206 has arrived.
    ///
    /// - Parameters:
    ///   - isPartial: whether the status is 206.
    ///   - range: Content-Range, if stated.
    ///   - length: Content-Length, if stated and if the body is not packed.
    ///   - isPacked: whether the body is compressed: then lengths and offsets are not those of what is passed on.
    mutating func begin(isPartial: Bool, _ range: ContentRange?, length: Int64?, isPacked: Bool) -> Answer {
        answers += 1
        receivedBefore = received
        toSkip = 0
        isCutOut = false
        hasOpenEnd = isPartial && range != nil && range?.total == nil
        if isPartial, isPacked {
            let isAll = range.map { $0.first == 0 && $0.last.map { $0 + 1 } == $0.total && $0.total != nil } ?? true
            hasOpenEnd = false
            guard isWhole, received == 0, isAll else { return asksForRange ? .askForWhole : .refuse }
            return .use
        }
        guard isPartial else { return beginWhole(length) }
        let first = range?.first ?? next
        if first < next {
            // A part that begins earlier and has the wanted bytes too: some scripts answer with everything, whatever they are asked for.
            guard mayCut, next - first <= Self.mostSkipped, let last = range?.last, last >= next else { return .refuse }
        }
        guard first <= next else { return .refuse }
        if let total = range?.total {
            // Another version of the resource: its bytes do not belong to those that are there.
            if received > 0, let resourceLength, resourceLength != total { return .refuse }
            resourceLength = total
        }
        toSkip = next - first
        isCutOut = toSkip > 0
        return .use
    }

    private mutating func beginWhole(_ length: Int64?) -> Answer {
        // The part itself, from a server that does not say so: a resource of that length would end before the part does.
        if asksForRange, next > 0, end != .max, length == end - next { return .use }
        if let length {
            if received > 0, let resourceLength, resourceLength != length { return .refuse }
            if range != nil || resourceLength == nil { resourceLength = length }
        }
        guard mayCut || isWhole || range == nil, next <= Self.mostSkipped, length.map({ next < $0 || next == 0 }) ?? true else {
            return .refuse
        }
        toSkip = next
        isCutOut = true
        return .use
    }

    /// Bytes of the body have arrived.
    ///
    /// - Returns: which of them are wanted. They count as passed on when `take` is called with them.
    func wanted(of count: Int) -> Range<Int> {
        let first = Int(min(toSkip, Int64(count)))
        let room = end == .max ? Int64.max : max(end - next, 0)
        return first..<first + Int(min(Int64(count - first), room))
    }

    /// - Parameters:
    ///   - part: what was passed on.
    ///   - count: how many bytes had arrived.
    mutating func take(_ part: Range<Int>) {
        toSkip -= Int64(part.lowerBound)
        received += Int64(part.count)
    }

    /// The body of an answer has ended as it should.
    func sequel(isPartial: Bool) -> Sequel {
        if isComplete || !isPartial { return toSkip > 0 ? .short : .end }
        let last = min(end, resourceLength ?? .max)
        if next >= last { return .end }
        guard hasOpenEnd || last != .max else { return .end }
        // Nothing more of a resource whose length is unknown.
        guard received > receivedBefore else { return hasOpenEnd && received > 0 ? .end : .short }
        return answers - Self.freeAnswers > received / Self.fewestForEach ? .short : .rest
    }

    /// The request is repeated for what an answer left out.
    mutating func askForRest() { asksForRange = true }

    /// Whether what is there is all of the resource, when a server refuses the range.
    ///
    /// - Parameter total: the length of the resource, as the refusal states it.
    func isAll(total: Int64?) -> Bool {
        received > 0 ? next >= (total ?? resourceLength ?? next) : isWhole && total == 0
    }

    /// Whether the range lies behind the end that a refusal states.
    func isBehind(total: Int64?) -> Bool { total.map { next >= $0 && next > 0 } ?? false }

    /// The request is repeated without a range, from which the wanted bytes are cut.
    ///
    /// - Returns: false if there was none, or they begin too far behind.
    mutating func askForWhole() -> Bool {
        guard asksForRange, mayCut || isWhole, next <= Self.mostSkipped else { return false }
        asksForRange = false
        return true
    }
}

/// The value of a Content-Range line (RFC 9110, 14.4): `bytes 0-99/1234`, `bytes 0-99/*`, `bytes */1234`.
struct ContentRange: Equatable {
    var first: Int64?
    var last: Int64?
    /// Nil if the server does not know it.
    var total: Int64?

    /// Nil for what is none.
    init?(_ text: String) {
        let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "=" || $0 == "\t" })
        guard words.first == "bytes" else { return nil }
        let parts = words.dropFirst().joined().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        total = Self.number(parts[1])
        guard parts[0] != "*" else { return }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), last >= first else {
            return nil
        }
        (self.first, self.last) = (first, last)
    }

    private static func number(_ text: Substring) -> Int64? { Int64(text).flatMap { $0 >= 0 && $0 < .max ? $0 : nil } }
}
