import BoxModel

/// Facts about the box, for the pages Network, Storage and About of Settings: names and values that are only shown.
package struct BoxFacts: Sendable, Hashable {
    /// A store of the box that can be deleted.
    package struct Store: Sendable, Hashable {
        /// The id for `deleteStore`.
        package var id: String
        package var kind: Kind
        /// The title of a saved programme; nil for a store with many things.
        package var title: String?
        /// Its size in bytes.
        package var bytes: Int64

        /// The contents of a store.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case downloads, pictures, places
        }

        package init(id: String, kind: Kind, title: String? = nil, bytes: Int64) {
            self.id = id
            self.kind = kind
            self.title = title
            self.bytes = bytes
        }
    }

    /// How it stands with updates of the firmware.
    package enum Update: Sendable, Hashable {
        case upToDate
        /// This version is installed at another time.
        case waiting(String)
        case installing(String, percent: Int)
        /// The next start is from this version.
        case installed(String)
        /// The last attempt with this version failed.
        case failed(String)
    }

    /// How it stands with a bundle on a USB stick.
    package enum StickUpdate: Sendable, Hashable {
        /// This version can be installed.
        case found(String)
        case installing(String, percent: Int)
        /// The box restarts.
        case installed(String)
        /// With the installer's sentence.
        case failed(String, reason: String)

        /// The version.
        package var version: String {
            switch self {
            case .found(let version), .installing(let version, _), .installed(let version), .failed(let version, _): version
            }
        }
    }

    /// A report for support, and how the last one ended.
    package enum Report: Sendable, Hashable {
        /// None was asked for.
        case possible
        case saving
        /// The name of the file on the USB stick.
        case saved(String)
        case noStick
        case full
        case readOnly
        case failed
    }

    /// Name of the box.
    package var name: String?
    /// Version of the firmware.
    package var version: String?
    /// How it stands with updates; nil where there are none.
    package var update: Update?
    /// A bundle on a USB stick; nil if there is none for this box.
    package var stickUpdate: StickUpdate?
    /// Id and revision of the feed.
    package var feed: String?
    /// The provider of the feed.
    package var provider: String?
    /// How a viewer reaches support.
    package var support: String?
    /// The session id, as on error cards.
    package var session: String?
    /// The SHA-256 of the page's certificate, with which another machine recognises the box.
    package var certificate: String?
    /// Whether there is a network; nil if unknown.
    package var isOnline: Bool?
    /// Name of the link, e.g. `eth0`.
    package var link: String?
    /// The box's address; never shown in kiosk mode.
    package var address: String?
    /// The display mode.
    package var screen: String?
    /// The audio output.
    package var sound: String?
    /// The free space for downloads, in bytes; nil if unknown.
    package var freeBytes: Int64?
    /// Why programmes cannot be stored; nil if they can.
    package var storageTrouble: StorageTrouble?
    /// The stores that can be deleted.
    package var stores: [Store]
    /// The report that can be saved to a USB stick; nil where that is not possible.
    package var report: Report?
    /// How many phones are paired with the box.
    package var pairedPhones = 0

    /// Makes facts; missing ones are not shown.
    package init(
        name: String? = nil, version: String? = nil, update: Update? = nil,
        stickUpdate: StickUpdate? = nil, feed: String? = nil, provider: String? = nil,
        support: String? = nil,
        session: String? = nil, isOnline: Bool? = nil, link: String? = nil, address: String? = nil, screen: String? = nil,
        sound: String? = nil, freeBytes: Int64? = nil, storageTrouble: StorageTrouble? = nil, stores: [Store] = []
    ) {
        self.name = name
        self.version = version
        self.update = update
        self.stickUpdate = stickUpdate
        self.feed = feed
        self.provider = provider
        self.support = support
        self.session = session
        self.isOnline = isOnline
        self.link = link
        self.address = address
        self.screen = screen
        self.sound = sound
        self.freeBytes = freeBytes
        self.storageTrouble = storageTrouble
        self.stores = stores
    }
}
