import LinuxSupport
import MediaModel
import Synchronization

/// A stream whose requests are recorded.
package protocol TransferRecording: ByteStream {
    /// Outlives the stream.
    var record: TransferRecord { get }
}

/// What a stream has asked its server for, request by request, for the access log. Any thread.
///
/// The request of a film lasts as long as the film is read, so that what has come is told while it is under way.
package final class TransferRecord: Sendable {
    /// An answered request.
    package struct Request: Sendable, Equatable {
        /// Its address after redirects.
        package var url: String
        /// The server's numeric address.
        package var serverAddress: String?
        /// From the request to the head of its answer.
        package var timeToFirstByte: Duration
        package var byteCount: Int64 = 0
        /// Without the time in which the reader had enough.
        package var transferDuration: Duration

        init(url: String, serverAddress: String?, timeToFirstByte: Duration) {
            (self.url, self.serverAddress, self.timeToFirstByte) = (url, serverAddress, timeToFirstByte)
            transferDuration = timeToFirstByte
        }
    }

    /// How far a request is.
    package struct Progress: Sendable, Equatable {
        /// As far as it is.
        package var request: Request
        /// What came since it was told last.
        package var newBytes: Int64
        package var newDuration: Duration
        /// Whether it was not told before.
        package var isNew: Bool
        package var isOver: Bool
    }

    private struct Entry {
        var request: Request
        /// As it was told last.
        var told: Request?

        mutating func tell(isOver: Bool) -> Progress? {
            guard isOver || told != request else { return nil }
            defer { told = request }
            return Progress(
                request: request, newBytes: request.byteCount - (told?.byteCount ?? 0),
                newDuration: request.transferDuration - (told?.transferDuration ?? .zero), isNew: told == nil, isOver: isOver)
        }
    }

    private struct State {
        /// What went wrong without an end.
        var remarks: [MediaError] = []
        var id: TransferEngine.ID?
        var asked = HostTime.zero
        /// Since when time counts; nil while the reader has enough.
        var since: HostTime?
        /// Nil before the answer.
        var current: Entry?
        var ended: [Entry] = []

        mutating func count(until now: HostTime) {
            if let since { current?.request.transferDuration += now - since }
            since = nil
        }
    }

    private let state = Mutex(State())
    /// Ended requests that wait to be told. Further ones are not recorded.
    private static let mostEnded = 256

    /// Remarks that may wait to be told. Further ones are not recorded.
    private static let mostRemarks = 16

    /// What went wrong since the last call, while the stream went on.
    package func takeRemarks() -> [MediaError] {
        state.withLock { state in
            defer { state.remarks = [] }
            return state.remarks
        }
    }

    /// Notes what went wrong while the stream goes on.
    func note(_ remark: MediaError) {
        state.withLock { if $0.remarks.count < Self.mostRemarks { $0.remarks.append(remark) } }
    }

    /// What has changed since the last call.
    package func take() -> [Progress] {
        state.withLock { state in
            var progress: [Progress] = []
            for var entry in state.ended { entry.tell(isOver: true).map { progress.append($0) } }
            state.ended = []
            state.current?.tell(isOver: false).map { progress.append($0) }
            return progress
        }
    }

    func began(_ id: TransferEngine.ID, at now: HostTime) {
        state.withLock { state in
            (state.id, state.asked, state.since, state.current) = (id, now, nil, nil)
        }
    }

    func answered(_ id: TransferEngine.ID, _ head: ResponseHead, at now: HostTime) {
        state.withLock { state in
            guard state.id == id, state.current == nil else { return }
            state.current = Entry(
                request: Request(url: head.url, serverAddress: head.serverAddress, timeToFirstByte: now - state.asked))
            state.since = now
        }
    }

    func received(_ count: Int, _ id: TransferEngine.ID, at now: HostTime) {
        state.withLock { state in
            guard state.id == id else { return }
            state.count(until: now)
            state.since = now
            state.current?.request.byteCount += Int64(count)
        }
    }

    /// The reader has enough for now.
    func rested(_ id: TransferEngine.ID, at now: HostTime) {
        state.withLock { if $0.id == id { $0.count(until: now) } }
    }

    func resumed(_ id: TransferEngine.ID, at now: HostTime) {
        state.withLock { if $0.id == id, $0.current != nil { $0.since = now } }
    }

    /// It has come to its end, or was given up.
    func ended(_ id: TransferEngine.ID, at now: HostTime) {
        state.withLock { state in
            guard state.id == id else { return }
            state.count(until: now)
            if let entry = state.current, state.ended.count < Self.mostEnded { state.ended.append(entry) }
            (state.id, state.current) = (nil, nil)
        }
    }
}
