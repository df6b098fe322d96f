import LinuxSupport
import MessageBus

/// The other side: an iwd on a bus, with one adapter and networks as the test wants them. It obeys `doc/*-api.txt` of iwd, and fails as told.
@MainActor
final class FakeIWD {
    static let service = "net.connman.iwd"
    static let device = "/net/connman/iwd/0/3"
    private static let adapter = "/net/connman/iwd/0"

    /// A network around it.
    struct Network {
        var name: String
        var type = "psk"
        var strength: Int16 = -6000
        var passphrase: String?
        var isKnown = false
    }

    /// What a `Connect` does.
    enum Course {
        /// It asks for a passphrase where one is needed, and compares it.
        case usual
        /// It is never answered.
        case silent
        /// It fails with this error.
        case error(String)
        /// It asks for a user name and a password.
        case enterprise
    }

    private(set) var networks: [(path: String, network: Network)] = []
    var course = Course.usual
    private(set) var connected: String?
    private(set) var isPowered = true
    private(set) var scans = 0
    /// Whether it refuses to look for networks, as it does while it joins one.
    var refusesScans = false
    private(set) var refusedScans = 0
    /// Whether it has only its name on the bus, and no objects yet.
    private(set) var isStarting = false
    /// The methods that were called, but for readings.
    private(set) var calls: [String] = []
    private(set) var agent: (sender: String, path: String)?
    private var hasAdapter = true
    private var link: BusLink?
    private(set) var isOnBus = false
    private var objects: [FakeObject] = []
    /// `Connect` without an answer.
    private var unanswered: [BusCall] = []
    private let whenReady: @MainActor () -> Void

    init(
        _ address: String, loop: MainLoop, networks: [Network] = [], isStarting: Bool = false,
        whenReady: @escaping @MainActor () -> Void = {}
    ) throws {
        self.whenReady = whenReady
        self.isStarting = isStarting
        self.networks = networks.enumerated().map { ("\(Self.device)/n\($0)", $1) }
        link = try BusLink(address: address, loop: loop) { [weak self] event in
            if event == .connected { self?.appear() }
        }
    }

    /// Ends as a killed process does.
    func end() {
        link?.close()
        link = nil
        isOnBus = false
    }

    // MARK: What happens around it

    func becomeReady() {
        isStarting = false
        changed()
    }

    func setAdapter(_ isPresent: Bool) {
        hasAdapter = isPresent
        connected = nil
        link?.emit(
            "org.freedesktop.DBus.ObjectManager", isPresent ? "InterfacesAdded" : "InterfacesRemoved",
            [.path(Self.device), .texts(["\(Self.service).Station"])], on: "/")
    }

    func setNetworks(_ new: [Network]) {
        networks = new.enumerated().map { ("\(Self.device)/n\($0)", $1) }
        changed()
    }

    func switchOff() {
        isPowered = false
        connected = nil
        changed()
    }

    /// Asks the agent for a passphrase although nothing is being joined.
    func askWithoutReason(_ then: @escaping @MainActor (String?) -> Void) {
        guard let agent else { return then(nil) }
        link?.call(
            agent.sender, agent.path, "\(Self.service).Agent", "RequestPassphrase", [.path(networks[0].path)]
        ) { outcome in
            if case .success(let values) = outcome, case .text(let text)? = values.first { then(text) } else { then(nil) }
        }
    }

    private func changed() {
        link?.emit(
            "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.text("\(Self.service).Station"), .table(["Scanning": .flag(false)]), .texts([])], on: Self.device)
    }

    // MARK: On the bus

    private func appear() {
        func offer(_ object: FakeObject, _ path: String) {
            objects.append(object)
            _ = link?.register(object, at: path)
        }
        let answer: @MainActor (BusCall, String) -> Void = { [weak self] in self?.answer($0, at: $1) }
        offer(FakeObject("/", answer), "/")
        offer(FakeObject("/net/connman/iwd", answer), "/net/connman/iwd")
        offer(FakeObject(Self.device, answer), Self.device)
        offer(FakeObject(Self.adapter, answer), Self.adapter)
        for index in 0..<400 { offer(FakeObject("\(Self.device)/n\(index)", answer), "\(Self.device)/n\(index)") }
        for index in 0..<8 { offer(FakeObject("/known/n\(index)", answer), "/known/n\(index)") }
        link?.requestName(Self.service) { [weak self] reply in
            self?.isOnBus = reply == .owned
            self?.whenReady()
        }
    }

    private func answer(_ call: BusCall, at path: String) {
        switch call.method {
        case "GetManagedObjects": call.reply(.objects(managed))
        case "GetOrderedNetworks":
            call.reply(
                .array(of: "(on)", networks.map { .tuple([.path($0.path), .int16($0.network.strength)]) }))
        case "Scan" where refusesScans:
            refusedScans += 1
            call.fail("\(Self.service).Busy", "Operation already in progress")
        case "RegisterAgent" where isStarting:
            call.fail("org.freedesktop.DBus.Error.NotFound", "No matching object")
        case "Scan":
            scans += 1
            call.reply()
            changed()
        case "RegisterAgent":
            if case .path(let path)? = call.arguments.first { agent = (call.sender, path) }
            call.reply()
        case "Disconnect":
            calls.append("Disconnect")
            for waiting in unanswered { waiting.fail("\(Self.service).Aborted", "Aborted") }
            unanswered = []
            connected = nil
            call.reply()
            changed()
        case "Forget":
            calls.append("Forget")
            if let index = networks.indices.first(where: { path == "/known/n\($0)" }) {
                networks[index].network.isKnown = false
                if connected == networks[index].path { connected = nil }
            }
            call.reply()
            changed()
        case "Set":
            calls.append("Set")
            isPowered = true
            call.reply()
            changed()
        case "Connect": connect(call, path)
        default: call.fail("org.freedesktop.DBus.Error.UnknownMethod", "There is no \(call.method).")
        }
    }

    private func connect(_ call: BusCall, _ path: String) {
        calls.append("Connect")
        guard let index = networks.firstIndex(where: { $0.path == path }) else {
            return call.fail("org.freedesktop.DBus.Error.UnknownObject", "It is gone.")
        }
        switch course {
        case .silent: unanswered.append(call)
        case .error(let name): call.fail(name, "It was told to fail.")
        case .enterprise:
            ask("RequestUserNameAndPassword", path) { [weak self] _ in self?.finish(call, index, isRight: false, "Aborted") }
        case .usual:
            let network = networks[index].network
            guard network.type == "psk", !network.isKnown else { return finish(call, index, isRight: true) }
            ask("RequestPassphrase", path) { [weak self] given in
                guard let given else { return call.fail("\(Self.service).Aborted", "No passphrase.") }
                self?.finish(call, index, isRight: given == network.passphrase)
            }
        }
    }

    private func ask(_ method: String, _ path: String, _ then: @escaping @MainActor (String?) -> Void) {
        guard let agent else { return then(nil) }
        link?.call(agent.sender, agent.path, "\(Self.service).Agent", method, [.path(path)]) { outcome in
            if case .success(let values) = outcome, case .text(let text)? = values.first { then(text) } else { then(nil) }
        }
    }

    private func finish(_ call: BusCall, _ index: Int, isRight: Bool, _ error: String = "Failed") {
        guard isRight else { return call.fail("\(Self.service).\(error)", "Operation failed") }
        connected = networks[index].path
        networks[index].network.isKnown = true
        call.reply()
        changed()
    }

    private var managed: [String: [String: [String: BusValue]]] {
        guard !isStarting else { return [:] }
        var found: [String: [String: [String: BusValue]]] = [
            "/net/connman/iwd": ["\(Self.service).AgentManager": [:]]
        ]
        guard hasAdapter else { return found }
        found[Self.adapter] = ["\(Self.service).Adapter": ["Powered": .flag(isPowered)]]
        var device: [String: [String: BusValue]] = [
            "\(Self.service).Device": [
                "Name": .text("wlan7"), "Adapter": .path(Self.adapter), "Powered": .flag(isPowered), "Mode": .text("station"),
            ]
        ]
        if isPowered {
            var station: [String: BusValue] = [
                "Scanning": .flag(false), "State": .text(connected == nil ? "disconnected" : "connected"),
            ]
            station["ConnectedNetwork"] = connected.map { .path($0) }
            device["\(Self.service).Station"] = station
        }
        found[Self.device] = device
        for (index, entry) in networks.enumerated() {
            var properties: [String: BusValue] = [
                "Name": .text(entry.network.name), "Type": .text(entry.network.type), "Device": .path(Self.device),
                "Connected": .flag(connected == entry.path),
            ]
            if entry.network.isKnown { properties["KnownNetwork"] = .path("/known/n\(index)") }
            found[entry.path] = ["\(Self.service).Network": properties]
        }
        return found
    }
}

/// An object of the fake: all methods lead to it.
@MainActor
final class FakeObject: BusObject {
    private let path: String
    private let handler: @MainActor (BusCall, String) -> Void

    init(_ path: String, _ handler: @escaping @MainActor (BusCall, String) -> Void) {
        self.path = path
        self.handler = handler
    }

    func answer(_ call: BusCall) { handler(call, path) }
    func value(of property: String, in interface: String) -> BusValue? { nil }

    static let interfaces = """
        <node>
          <interface name="org.freedesktop.DBus.ObjectManager">
            <method name="GetManagedObjects"><arg name="objects" type="a{oa{sa{sv}}}" direction="out"/></method>
          </interface>
          <interface name="org.freedesktop.DBus.Properties">
            <method name="Set">
              <arg name="interface" type="s" direction="in"/><arg name="name" type="s" direction="in"/>
              <arg name="value" type="v" direction="in"/>
            </method>
          </interface>
          <interface name="net.connman.iwd.AgentManager">
            <method name="RegisterAgent"><arg name="path" type="o" direction="in"/></method>
          </interface>
          <interface name="net.connman.iwd.Station">
            <method name="Scan"/><method name="Disconnect"/>
            <method name="GetOrderedNetworks"><arg name="networks" type="a(on)" direction="out"/></method>
          </interface>
          <interface name="net.connman.iwd.Network"><method name="Connect"/></interface>
          <interface name="net.connman.iwd.KnownNetwork"><method name="Forget"/></interface>
        </node>
        """
}
