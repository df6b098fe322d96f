import BoxModel

/// `GET /v1/downloads`.
struct DownloadsAnswer: Encodable, Sendable {
    struct Download: Encodable, Sendable {
        var id: String
        var title: String?
        /// `queued`, `downloading`, `saved` or `failed`.
        var state: String
        var required: Bool
        /// The stored part, from 0 to 1.
        var progress: Double
        /// On the disk.
        var bytes: Int64
        /// Of the whole, as far as known.
        var expectedBytes: Int64?
        /// Why it is not being stored now, as one word.
        var waitsFor: String?
        var error: NowAnswer.Fault?
        /// `running`, `intact`, `damaged` or `failed`.
        var verification: String?
    }

    /// The number of all downloads.
    var total: Int
    /// The place of the first one in the list.
    var offset: Int
    var downloads: [Download]
    var freeBytes: Int64?
    /// `full` or `unusable`.
    var trouble: String?

    @MainActor
    init(_ door: (any DownloadDoor)?, offset: Int, limit: Int) {
        let (end, overflow) = offset.addingReportingOverflow(limit)
        let part = door?.downloads(offset..<(overflow ? .max : end))
        total = part?.total ?? 0
        self.offset = offset
        downloads = (part?.downloads ?? []).map(Download.init)
        freeBytes = door?.freeBytes
        trouble = door?.trouble?.rawValue
    }
}

extension DownloadsAnswer.Download {
    init(_ status: DownloadStatus) {
        id = status.id
        title = status.title
        state = status.state.rawValue
        required = status.isRequired
        progress = status.progress
        bytes = status.bytes
        expectedBytes = status.expectedBytes
        waitsFor = status.waitsFor
        error = status.error.map { NowAnswer.Fault(code: $0.code.rawValue, sentence: $0.sentence) }
        verification = status.verification?.rawValue
    }
}
