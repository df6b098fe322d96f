/// What the box knows of itself, for the pages Network, Storage and About of Settings: names and values that are only read.
public struct BoxFacts: Sendable, Hashable {
    /// Something of the box's own that can be deleted.
    public struct Store: Sendable, Hashable {
        /// What `deleteStore` names.
        public var id: String
        /// What it is.
        public var kind: Kind
        /// How much room it takes, in bytes.
        public var bytes: Int64

        /// What a store holds.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case downloads, pictures, places
        }

        /// Makes a store.
        public init(id: String, kind: Kind, bytes: Int64) {
            self.id = id
            self.kind = kind
            self.bytes = bytes
        }
    }

    /// Name of the box.
    public var name: String?
    /// Version of the firmware.
    public var version: String?
    /// Id and revision of the feed.
    public var feed: String?
    /// Who offers the feed.
    public var provider: String?
    /// How a viewer reaches help.
    public var support: String?
    /// The session, as error cards name it.
    public var session: String?
    /// Whether there is a network; nil: not known.
    public var isOnline: Bool?
    /// Name of the link, e.g. `eth0`.
    public var link: String?
    /// The box's address; never shown in kiosk mode.
    public var address: String?
    /// The screen's mode.
    public var screen: String?
    /// Where sound goes.
    public var sound: String?
    /// Room that is free for downloads, in bytes; nil: not known.
    public var freeBytes: Int64?
    /// What can be deleted.
    public var stores: [Store]

    /// Makes facts; what is not given is not shown.
    public init(
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
