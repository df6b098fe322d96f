/// What the box knows of itself, for the pages Network, Storage and About of Settings: names and values that are only read.
package struct BoxFacts: Sendable, Hashable {
    /// Something of the box's own that can be deleted.
    package struct Store: Sendable, Hashable {
        /// What `deleteStore` names.
        package var id: String
        /// What it is.
        package var kind: Kind
        /// How much room it takes, in bytes.
        package var bytes: Int64

        /// What a store holds.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case downloads, pictures, places
        }

        package init(id: String, kind: Kind, bytes: Int64) {
            self.id = id
            self.kind = kind
            self.bytes = bytes
        }
    }

    /// Name of the box.
    package var name: String?
    /// Version of the firmware.
    package var version: String?
    /// Id and revision of the feed.
    package var feed: String?
    /// Who offers the feed.
    package var provider: String?
    /// How a viewer reaches help.
    package var support: String?
    /// The session, as error cards name it.
    package var session: String?
    /// Whether there is a network; nil: not known.
    package var isOnline: Bool?
    /// Name of the link, e.g. `eth0`.
    package var link: String?
    /// The box's address; never shown in kiosk mode.
    package var address: String?
    /// The screen's mode.
    package var screen: String?
    /// Where sound goes.
    package var sound: String?
    /// Room that is free for downloads, in bytes; nil: not known.
    package var freeBytes: Int64?
    /// What can be deleted.
    package var stores: [Store]

    /// Makes facts; what is not given is not shown.
    package init(
        name: String? = nil, version: String? = nil, feed: String? = nil, provider: String? = nil, support: String? = nil,
        session: String? = nil, isOnline: Bool? = nil, link: String? = nil, address: String? = nil, screen: String? = nil,
        sound: String? = nil, freeBytes: Int64? = nil, stores: [Store] = []
    ) {
        self.name = name
        self.version = version
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
        self.stores = stores
    }
}
