import BoxModel
import LinuxSupport
import MessageBus
import StatusModel

/// The player on a session bus, as MPRIS 2.2 has it (`org.mpris.MediaPlayer2`): media keys and panels of a desktop steer it and show what
/// plays. Its methods are the remote's commands; one that fails is answered by an error with the reason, e.g. `failed(linear)`.
@MainActor
package final class MediaPlayerService: BusObject {
    /// The name that other programs look for.
    package static let name = "org.mpris.MediaPlayer2.marquee"
    private static let path = "/org/mpris/MediaPlayer2"
    private static let playerInterface = "org.mpris.MediaPlayer2.Player"
    private static let failure = "org.freedesktop.DBus.Error.Failed"

    private let clock: any HostClock
    private let door: any CommandDoor
    private let status: any StatusPublishing
    private let note: @MainActor (String) -> Void
    private var link: BusLink?
    private var changes: Subscription?
    private var properties: PlayerProperties
    /// Whether other programs find it.
    private(set) var isOwner = false
    /// Whether the last sentence was that the bus cannot be used.
    private var hasFailed = false

    /// Connects to a bus and answers there, also after the bus was restarted. Returns at once.
    ///
    /// - Parameters:
    ///   - address: of the bus, as in `DBUS_SESSION_BUS_ADDRESS`.
    ///   - note: receives sentences about a bus that cannot be used; the box does without it meanwhile.
    /// - Throws: `SystemError` when the loop cannot watch a descriptor.
    package init(
        address: String, loop: MainLoop, door: any CommandDoor, status: any StatusPublishing,
        note: @escaping @MainActor (String) -> Void
    ) throws(SystemError) {
        clock = loop.clock
        self.door = door
        self.status = status
        self.note = note
        properties = PlayerProperties(status.nowPlaying)
        link = try BusLink(address: address, loop: loop) { [weak self] in self?.take($0) }
    }

    /// Leaves the bus.
    package func close() {
        leave()
        link?.close()
        link = nil
    }

    /// Gives up what depends on the connection.
    private func leave() {
        isOwner = false
        changes?.cancel()
        changes = nil
    }

    private func take(_ event: BusLink.Event) {
        switch event {
        case .connected:
            if hasFailed { note("session bus: connected") }
            hasFailed = false
            appear()
        case .lost:
            note("session bus: the connection was lost")
            hasFailed = true
            leave()
        case .unreachable(let reason):
            // One sentence until it is there again.
            if !hasFailed { note("session bus: \(reason)") }
            hasFailed = true
        }
    }

    private func appear() {
        guard link?.register(self, at: Self.path) == true else {
            return note("session bus: the player could not be registered")
        }
        link?.requestName(Self.name) { [weak self] in self?.named($0) }
    }

    private func named(_ reply: BusLink.NameReply) {
        switch reply {
        case .owned: isOwner = true
        // Without a queue: the second player of a session is not found, and says so.
        case .taken: return note("session bus: another player has the name \(Self.name)")
        // Of a connection that ends meanwhile, `lost` tells.
        case .failed(let reason):
            if link?.isConnected == true { note("session bus: the name was refused: \(reason)") }
            return
        }
        changes = status.statusEvents.listen { [weak self] event in
            if event == .nowPlaying { self?.announceChanges() }
        }
        announceChanges()
    }

    // MARK: Calls and properties

    package func answer(_ call: BusCall) {
        switch MediaPlayerCall(call.method, call.arguments, trackID: PlayerProperties(status.nowPlaying).trackID) {
        case .ignored: call.reply()
        case .refused(let sentence): call.fail(Self.failure, sentence)
        case .command(let command):
            switch door.perform(command, from: "mpris").told(of: command) {
            case .success: call.reply()
            case .failed(let reason): call.fail(Self.failure, CommandResult.failed(reason).description)
            }
        }
    }

    package func value(of name: String, in interface: String) -> BusValue? {
        if interface == Self.playerInterface {
            return PlayerProperties(status.nowPlaying).value(of: name, at: clock.now)
        }
        switch name {
        case "Identity": return .text("Marquee")
        case "SupportedUriSchemes", "SupportedMimeTypes": return .texts([])
        default: return .flag(false)
        }
    }

    private func announceChanges() {
        let old = properties
        properties = PlayerProperties(status.nowPlaying)
        let before = old.announced
        let changed = properties.announced.filter { before[$0.key] != $0.value }
        if !changed.isEmpty {
            link?.emit(
                "org.freedesktop.DBus.Properties", "PropertiesChanged",
                [.text(Self.playerInterface), .table(changed), .texts([])], on: Self.path)
        }
        if properties.hasJumped(since: old) {
            link?.emit(Self.playerInterface, "Seeked", [.int64(properties.position(at: clock.now))], on: Self.path)
        }
    }

    /// Introspection data of the interfaces: GDBus holds callers to it.
    package static let interfaces = """
        <node>
          <interface name="org.mpris.MediaPlayer2">
            <method name="Raise"/><method name="Quit"/>
            <property name="CanQuit" type="b" access="read"/><property name="CanRaise" type="b" access="read"/>
            <property name="HasTrackList" type="b" access="read"/><property name="Identity" type="s" access="read"/>
            <property name="SupportedUriSchemes" type="as" access="read"/>
            <property name="SupportedMimeTypes" type="as" access="read"/>
          </interface>
          <interface name="org.mpris.MediaPlayer2.Player">
            <method name="Next"/><method name="Previous"/><method name="Pause"/><method name="PlayPause"/>
            <method name="Stop"/><method name="Play"/>
            <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
            <method name="SetPosition">
              <arg name="TrackId" type="o" direction="in"/><arg name="Position" type="x" direction="in"/>
            </method>
            <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
            <signal name="Seeked"><arg name="Position" type="x"/></signal>
            <property name="PlaybackStatus" type="s" access="read"/><property name="Rate" type="d" access="read"/>
            <property name="Metadata" type="a{sv}" access="read"/><property name="Volume" type="d" access="read"/>
            <property name="Position" type="x" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>
            <property name="MinimumRate" type="d" access="read"/><property name="MaximumRate" type="d" access="read"/>
            <property name="CanGoNext" type="b" access="read"/><property name="CanGoPrevious" type="b" access="read"/>
            <property name="CanPlay" type="b" access="read"/><property name="CanPause" type="b" access="read"/>
            <property name="CanSeek" type="b" access="read"/><property name="CanControl" type="b" access="read"/>
          </interface>
        </node>
        """
}
