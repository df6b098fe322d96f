import MediaTime

/// What a stream says of a moment or a range of it, for clients that act on it or count it. Its texts have no secrets, and are bounded.
package enum StreamCue: Sendable, Equatable {
    /// EXT-X-DATERANGE (RFC 8216bis, 4.4.5.1).
    package struct DateRange: Sendable, Equatable {
        package struct Attribute: Sendable, Equatable {
            package var name: String
            package var value: String

            package init(name: String, value: String) { (self.name, self.value) = (name, value) }
        }

        package var id: String
        /// CLASS.
        package var classID: String?
        /// In asset time.
        package var start: MediaTime
        /// In nanoseconds since the start of 1970, UTC.
        package var startDate: Int64
        package var endDate: Int64?
        package var duration: MediaTime?
        package var plannedDuration: MediaTime?
        /// `SCTE35-…` in hexadecimal as in the playlist, and `X-…`, in order.
        package var attributes: [Attribute] = []
        /// How many attributes were left out, because they are more or longer than a client can want.
        package var omitted = 0

        package init(id: String, start: MediaTime, startDate: Int64) {
            (self.id, self.start, self.startDate) = (id, start, startDate)
        }
    }

    /// An ID3 tag, or an event message of fragmented MP4.
    package struct Metadata: Sendable, Equatable {
        package struct Frame: Sendable, Equatable {
            package enum Content: Sendable, Equatable {
                case text(String)
                /// In hexadecimal.
                case splice(String)
                /// Its length alone.
                case data(byteCount: Int, type: String?)
            }

            /// The name of a frame of ID3, the value of an event message.
            package var key: String
            /// What several frames of one name are told apart by.
            package var info: String?
            package var content: Content

            package init(key: String, info: String?, content: Content) {
                (self.key, self.info, self.content) = (key, info, content)
            }
        }

        /// `org.id3`, or the scheme of the message.
        package var scheme: String
        /// In asset time.
        package var start: MediaTime
        package var frames: [Frame] = []
        package var omitted = 0

        package init(scheme: String, start: MediaTime) { (self.scheme, self.start) = (scheme, start) }
    }

    /// The playback position has come into a date range.
    case began(DateRange)
    /// It has left it.
    case ended(DateRange)
    /// It has reached metadata inside the stream.
    case metadata(Metadata)
}
