import StatusModel

/// `GET /v1/box`: what the box is, and the state of its machine and network. Values that are not known are left out.
struct BoxAnswer: Encodable, Sendable {
    /// In bytes.
    struct Room: Encodable, Sendable {
        var size: Int
        var free: Int

        init(_ room: MachineDescription.Room) { (size, free) = (room.size, room.free) }
    }
    struct Link: Encodable, Sendable {
        var name: String
        /// `wired`, `wireless` or `mobile`.
        var kind: String
        var carrier: Bool
        /// In bits per second.
        var speed: Int?
        var addresses: [String]

        init(_ link: MachineDescription.Link) {
            (name, kind, carrier, addresses) = (link.name, link.kind.rawValue, link.hasCarrier, link.addresses)
            speed = link.speed.map { $0 * 1_000_000 }
        }
    }
    struct Network: Encodable, Sendable {
        var address: String?
        var links: [Link]
        var metered: Bool
        /// In bits per second.
        var throughput: Double?
        /// Why it cannot be used, as one sentence.
        var trouble: String?
    }
    struct Machine: Encodable, Sendable {
        /// In seconds.
        var uptime: Int?
        var memory: Room?
        var storage: Room?
        /// In degrees Celsius.
        var temperature: Double?
        var crashes: Int
    }

    struct Update: Encodable, Sendable {
        var state: String
        var running: String?
        var trial: Bool
        var offered: String?
        /// From 0 to 1.
        var progress: Double?
        var waitsFor: String?
        var trouble: String?

        init(_ update: BoxDescription.Update) {
            (state, running, trial, offered) = (update.state, update.running, update.isOnTrial, update.offered)
            (waitsFor, trouble) = (update.waitsFor, update.trouble)
            progress = update.percent.map { Double($0) / 100 }
        }
    }

    struct Settings: Encodable, Sendable {
        /// `settled`, `waiting` or `trying`.
        var state: String
        var revision: Int?
        var offered: Int?
        var waitsFor: [String]
        var givenUp: Int?
        var trouble: String?
        var refusal: String?
        var refusals: Int

        init(_ settings: BoxDescription.Settings) {
            (state, revision, offered) = (settings.state.rawValue, settings.revision, settings.offered)
            (waitsFor, givenUp, trouble) = (settings.waitsFor, settings.givenUp, settings.trouble)
            (refusal, refusals) = (settings.refusal, settings.refusals)
        }
    }

    /// A token's right, or that of this machine.
    var right: String
    var name: String?
    var version: String?
    var build: String?
    var slot: String?
    var screen: String?
    var sound: String?
    var outputs: OutputsAnswer?
    /// Of the player, in seconds.
    var uptime: Int64?
    var network: Network
    var machine: Machine
    var update: Update?
    var settings: Settings?
    /// The public key with which plays are signed, in Base64.
    var playsKey: String?

    init(_ box: BoxDescription?, _ machine: MachineDescription, right: AccessRight) {
        self.right = right.rawValue
        (name, version, build) = (box?.name, box?.version, box?.build)
        (screen, sound) = (box?.screen, box?.sound)
        outputs = box?.route.map { OutputsAnswer($0, chosen: box?.chosenOutput) }
        uptime = box?.uptime.components.seconds
        slot = machine.slot
        network = Network(
            address: machine.address, links: machine.links.map(Link.init), metered: box?.isMetered ?? false,
            throughput: box?.throughput, trouble: machine.networkTrouble)
        self.machine = Machine(
            uptime: machine.uptime, memory: machine.memory.map(Room.init), storage: machine.storage.map(Room.init),
            temperature: machine.temperature.map { Double($0) / 1000 }, crashes: machine.crashes)
        update = box?.update.map(Update.init)
        settings = box?.settings.map(Settings.init)
        playsKey = box?.playsKey
    }
}

/// What is published of the box when it changes: `online`, and what `/v1/now` and `/v1/health` answer.
struct StatusAnswer: Encodable, Sendable {
    var online = true
    var box: String?
    var version: String?
    var now: NowAnswer
    var health: HealthAnswer
    /// Where sound goes.
    var currentRoute: OutputAnswer?
    /// Settings from afar.
    var settings: BoxAnswer.Settings?

    init(box: BoxDescription?, now: NowAnswer, health: HealthAnswer) {
        (self.box, version) = (box?.name, box?.version)
        (self.now, self.health) = (now, health)
        currentRoute = box?.route?.current.map(OutputAnswer.init)
        settings = box?.settings.map(BoxAnswer.Settings.init)
    }
}
