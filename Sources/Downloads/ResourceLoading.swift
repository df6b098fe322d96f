import LinuxSupport
import MediaSources
import MediaTime
import SegmentStore

/// What the store has of a resource.
package struct StoredPart: Sendable, Hashable {
    /// The bytes from the start of the resource.
    package var bytes: Int64 = 0
    package var isComplete = false
    /// What its server stated about the whole resource.
    package var version = ResourceVersion()
}

/// Which resources of a plan are stored, which are being loaded, and which are next. A value.
struct ResourceLoading: Sendable {
    private enum Slot: Sendable, Hashable {
        case missing
        case loading
        case stored
        /// It cannot be loaded, and the asset plays without it.
        case leftOut
    }

    /// Requests at the same time, where the network is so fast that `TransferWindow` allows them. More do not make a download faster, and they would take
    /// the network from other boxes.
    static let mostRequests = 4

    /// So far is looked for the next range of a run.
    private static let mostPassedOver = 1000

    private let resources: [DownloadResource]
    private var slots: [Slot]
    private var bytes: [Int64]
    private var cursor = 0
    /// The request of each resource that is being loaded, and how many of its resources are.
    private var requestOf: [Int: Int] = [:]
    private var sizes: [Int: Int] = [:]
    private var nextRequest = 0
    private var window = TransferWindow()
    private var open: Int
    private(set) var storedBytes: Int64 = 0
    /// The time ranges of what the asset needs, of each playlist for itself, in the order of time.
    private let timelines: [[(range: TimeRange, index: Int)]]

    init(resources: [DownloadResource]) {
        self.resources = resources
        timelines = Self.timelines(of: resources)
        slots = Array(repeating: .missing, count: resources.count)
        bytes = Array(repeating: 0, count: resources.count)
        open = resources.count
    }

    var isComplete: Bool { open == 0 }

    func resource(_ index: Int) -> DownloadResource? { resources.indices.contains(index) ? resources[index] : nil }

    /// The next loads, in the order of playback. Adjoining byte ranges of one file become one request (`StoredLoading.download`) and count as one.
    mutating func next(at now: HostTime) -> [Int] {
        if requestOf.isEmpty { window.begin(at: now) }
        var loads: [Int] = []
        var runs: [String: Run] = [:]
        var passedOver = 0
        while cursor < slots.count, slots[cursor] != .missing { cursor += 1 }
        for index in cursor..<slots.count where slots[index] == .missing {
            let resource = resources[index]
            if let range = resource.range, runs[resource.url]?.take(range, bytes[index]) == true, let run = runs[resource.url] {
                begin(index, in: run.request)
            } else if sizes.isEmpty || sizes.count < Self.mostRequests && allows(index) {
                begin(index, in: nextRequest)
                runs[resource.url] = resource.range.map { Run(request: nextRequest, range: $0) }
                nextRequest += 1
            } else {
                // The ranges of several files may come in turns.
                guard !runs.isEmpty, passedOver < Self.mostPassedOver else { break }
                passedOver += 1
                continue
            }
            loads.append(index)
        }
        return loads
    }

    private func allows(_ index: Int) -> Bool {
        window.allows(resources[index].expectedBytes, beside: requestOf.keys.map { resources[$0].expectedBytes })
    }

    /// Adjoining ranges of one file.
    private struct Run {
        let request: Int
        var range: Range<Int64>

        /// - Parameter stored: what is there of it already; the rest is requested by itself.
        /// - Returns: whether the range is part of the run now.
        mutating func take(_ next: Range<Int64>, _ stored: Int64) -> Bool {
            guard next.lowerBound == range.upperBound, stored == 0, next.upperBound != .max,
                next.upperBound - range.lowerBound <= StoredLoading.longestJoinedRequest
            else { return false }
            range = range.lowerBound..<next.upperBound
            return true
        }
    }

    private mutating func begin(_ index: Int, in request: Int) {
        set(index, .loading)
        requestOf[index] = request
        sizes[request, default: 0] += 1
    }

    mutating func take(inventory parts: [StoredPart]) {
        for (index, part) in zip(resources.indices, parts) where slots[index] == .missing {
            setBytes(index, part.bytes)
            if part.isComplete { set(index, .stored) }
        }
    }

    mutating func take(_ part: StoredPart, of index: Int, at now: HostTime) {
        guard slots.indices.contains(index), slots[index] == .loading else { return }
        window.take(max(part.bytes - bytes[index], 0), at: now)
        setBytes(index, part.bytes)
        set(index, part.isComplete ? .stored : .missing)
    }

    mutating func leaveOut(_ index: Int) { set(index, .leftOut) }

    /// All requests have been cancelled. What they have stored is kept.
    mutating func stop() { for index in slots.indices where slots[index] == .loading { set(index, .missing) } }

    private mutating func set(_ index: Int, _ slot: Slot) {
        let old = slots[index]
        if old == .loading, let request = requestOf.removeValue(forKey: index), let size = sizes[request] {
            sizes[request] = size > 1 ? size - 1 : nil
        }
        if !Self.isOpen(slot), Self.isOpen(old) { open -= 1 }
        if Self.isOpen(slot), !Self.isOpen(old) { open += 1 }
        if slot == .missing { cursor = min(cursor, index) }
        slots[index] = slot
    }

    private static func isOpen(_ slot: Slot) -> Bool {
        switch slot {
        case .missing, .loading: true
        case .stored, .leftOut: false
        }
    }

    private mutating func setBytes(_ index: Int, _ count: Int64) {
        storedBytes += count - bytes[index]
        bytes[index] = count
    }

    // MARK: Progress

    /// The part of the bytes that is stored, as far as sizes are known.
    var fractionOfBytes: Double {
        let known = resources.indices.reduce(Int64(0)) { $0 &+ max(resources[$1].expectedBytes ?? 0, bytes[$1]) }
        return known > 0 && open < resources.count || known > storedBytes ? Double(storedBytes) / Double(max(known, 1)) : 0
    }

    private static func timelines(of resources: [DownloadResource]) -> [[(range: TimeRange, index: Int)]] {
        var byRole: [PlaylistRole: [(range: TimeRange, index: Int)]] = [:]
        for index in resources.indices where !resources[index].isOptional {
            for range in resources[index].timeRanges { byRole[resources[index].place.role, default: []].append((range, index)) }
        }
        return byRole.values.map { $0.sorted { $0.range.start < $1.range.start } }
    }

    /// The ranges in which all playlists that the asset needs are stored. The screen asks for it every two seconds, and a film may have 300,000 resources.
    var loadedTimeRanges: [TimeRange] {
        guard var common = timelines.first.map(loaded) else { return [] }
        for timeline in timelines.dropFirst() { common = Self.intersection(common, loaded(timeline)) }
        return common
    }

    /// The loaded ranges of a playlist in order, with adjoining ones joined.
    private func loaded(_ timeline: [(range: TimeRange, index: Int)]) -> [TimeRange] {
        var result: [TimeRange] = []
        var open: TimeRange?
        for (range, index) in timeline where slots[index] == .stored || slots[index] == .leftOut {
            if let last = open, range.start <= last.end {
                open = TimeRange(start: last.start, end: max(last.end, range.end))
            } else {
                if let open { result.append(open) }
                open = range
            }
        }
        if let open { result.append(open) }
        return result
    }

    private static func intersection(_ left: [TimeRange], _ right: [TimeRange]) -> [TimeRange] {
        var (i, j) = (0, 0)
        var result: [TimeRange] = []
        while i < left.count, j < right.count {
            if let both = left[i].intersection(right[j]), !both.isEmpty { result.append(both) }
            if left[i].end < right[j].end { i += 1 } else { j += 1 }
        }
        return result
    }
}
