import Appliance
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import SegmentStore
import Shell

/// The engines of a simulated box, which stand for the outside. All other parts of the box are the real ones.
@MainActor
package struct SimulatedEngines {
    package let loop: MainLoop
    package let loader: any ByteLoading
    package let codecs: any CodecFactory
    package let display: any DisplayOutput
    package let sink: any AudioSink
    /// The date that the machine's clock shows.
    package let date: @MainActor () -> FeedDate
}

/// What a simulated box is started with.
@MainActor
package struct SimulatedStart {
    package let engines: SimulatedEngines
    /// The address of the feed.
    package let feed: String
    package let isKiosk: Bool
    /// The folder that survives power cuts.
    package let stateFolder: String
    /// Where programmes are saved; nil if none are.
    package let saving: SavingPlace?
    /// What was playing when the process crashed; nil after a power cut, and at the first start.
    package let session: Session?
    /// Receives each line of the dump.
    package let dump: @MainActor (DumpLine) -> Void
    /// Called when the process must be replaced, because decoders hang.
    package let restart: @MainActor () -> Void
}

/// Where and when a simulated box saves programmes.
package struct SavingPlace: Sendable {
    /// The disk, which survives power cuts.
    package let disk: MemoryDisk
    /// The folder on it.
    package let folder: String
    /// The hours of the day in which it saves; nil for always.
    package let window: Range<Int>?
}

/// What a simulated box has of its saved programmes.
@MainActor
package protocol SavedContents: AnyObject {
    /// The items that the box shows as saved.
    var items: Set<String> { get }
    /// The names of the files that the box has a use for.
    var files: Set<String> { get }
    /// The media of an item by their addresses; nil for one that cannot be read.
    func media(of item: String) -> [(address: String, bytes: [UInt8]?)]
}

/// A whole box in simulated time. The program implements it with its own parts.
@MainActor
package protocol SimulatedBox: AnyObject {
    var appliance: Appliance { get }
    /// The feed in use; nil if there is none yet.
    var feed: Feed? { get }
    /// The date that the box trusts; nil if it has none.
    var date: FeedDate? { get }
    /// The viewer's settings and choices that are stored, one line each, sorted.
    var settings: [String] { get }
    /// The stored position of an item; nil if there is none.
    func place(of id: String) -> MediaTime?
    /// nil while it has none, or has not read them yet.
    var saved: (any SavedContents)? { get }
    /// The last lines of the log, oldest first.
    func log(_ count: Int) -> [String]
    /// Ends all threads.
    func close()
}

/// Makes and starts a box.
package typealias SimulatedBoxMaker = @MainActor (SimulatedStart) throws -> any SimulatedBox
