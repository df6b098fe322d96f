import BoxModel
import MessageBus

/// Gives iwd the passphrase of the network that is being joined, once (`net.connman.iwd.Agent`). Main loop only.
@MainActor
final class IWDAgent: BusObject {
    static let path = "/org/marquee/WirelessAgent"
    private static let cancelled = "net.connman.iwd.Agent.Error.Canceled"

    /// The unique name of iwd on the bus, from which alone requests are answered.
    var owner: String?
    private var network: String?
    private var passphrase: Passphrase?
    /// Whether iwd has got the passphrase.
    private(set) var gavePassphrase = false
    /// Whether iwd wanted something that the viewer had not given.
    private(set) var wasAskedInVain = false

    /// A network is going to be joined.
    func begin(_ network: String, passphrase: Passphrase?) {
        (self.network, self.passphrase) = (network, passphrase)
        (gavePassphrase, wasAskedInVain) = (false, false)
    }

    /// Nothing is being joined: nothing is given.
    func end() { (network, passphrase) = (nil, nil) }

    func answer(_ call: BusCall) {
        switch call.method {
        case "Release", "Cancel": call.reply()
        case "RequestPassphrase":
            guard call.sender == owner, let network, call.arguments == [.path(network)] else { return refuse(call) }
            guard let given = passphrase else {
                wasAskedInVain = true
                return refuse(call)
            }
            passphrase = nil
            gavePassphrase = true
            call.reply(.text(given.secret))
        default:
            // User names and keys cannot be typed on the television.
            wasAskedInVain = true
            refuse(call)
        }
    }

    private func refuse(_ call: BusCall) { call.fail(Self.cancelled, "No passphrase was given.") }

    func value(of property: String, in interface: String) -> BusValue? { nil }

    static let interfaces = """
        <node>
          <interface name="net.connman.iwd.Agent">
            <method name="Release"/>
            <method name="RequestPassphrase">
              <arg name="network" type="o" direction="in"/><arg name="passphrase" type="s" direction="out"/>
            </method>
            <method name="RequestPrivateKeyPassphrase">
              <arg name="network" type="o" direction="in"/><arg name="passphrase" type="s" direction="out"/>
            </method>
            <method name="RequestUserNameAndPassword">
              <arg name="network" type="o" direction="in"/><arg name="user" type="s" direction="out"/>
              <arg name="password" type="s" direction="out"/>
            </method>
            <method name="RequestUserPassword">
              <arg name="network" type="o" direction="in"/><arg name="user" type="s" direction="in"/>
              <arg name="password" type="s" direction="out"/>
            </method>
            <method name="Cancel"><arg name="reason" type="s" direction="in"/></method>
          </interface>
        </node>
        """
}
