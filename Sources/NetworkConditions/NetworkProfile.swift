/// The properties of a network. The named profiles have the values commonly used to test players.
package struct NetworkProfile: Sendable, Hashable {
    /// Its name on the command line.
    package var name: String
    /// Bits per second to the box, constant or from a trace.
    package var down: RateSchedule
    /// Bits per second from the box.
    package var up: Int64
    /// The one-way delay of a packet.
    package var delay: Duration
    /// The share of lost packets, 0…1. At 1 nothing passes.
    package var loss: Double
    /// The mean number of consecutive lost packets.
    package var burst: Double
    /// How long the first lookup of a host's name takes.
    package var nameDelay: Duration

    package init(
        name: String, down: RateSchedule, up: Int64, delay: Duration, loss: Double = 0, burst: Double = 1,
        nameDelay: Duration = .zero
    ) {
        self.name = name
        self.down = down
        self.up = up
        self.delay = delay
        self.loss = loss
        self.burst = burst
        self.nameDelay = nameDelay
    }

    /// A network without limits or delay.
    package static let unlimited = NetworkProfile(
        name: "none", down: RateSchedule(100_000_000_000), up: 100_000_000_000, delay: .zero)

    /// The named profiles.
    package static let named: [NetworkProfile] = [
        NetworkProfile(name: "loss-100", down: RateSchedule(0), up: 0, delay: .zero, loss: 1),
        NetworkProfile(name: "very-bad", down: RateSchedule(1_000_000), up: 1_000_000, delay: .milliseconds(500), loss: 0.1),
        NetworkProfile(name: "edge", down: RateSchedule(240_000), up: 200_000, delay: .milliseconds(400)),
        NetworkProfile(name: "3g", down: RateSchedule(780_000), up: 330_000, delay: .milliseconds(100)),
        NetworkProfile(name: "dsl", down: RateSchedule(2_000_000), up: 250_000, delay: .milliseconds(5)),
        NetworkProfile(name: "lte", down: RateSchedule(50_000_000), up: 10_000_000, delay: .milliseconds(50)),
        NetworkProfile(name: "wifi", down: RateSchedule(40_000_000), up: 33_000_000, delay: .milliseconds(1)),
        NetworkProfile(
            name: "wifi-lossy", down: RateSchedule(40_000_000), up: 33_000_000, delay: .milliseconds(1), loss: 0.02, burst: 4),
        NetworkProfile(
            name: "slow-dns", down: RateSchedule(40_000_000), up: 33_000_000, delay: .milliseconds(1), nameDelay: .seconds(3)),
    ]

    /// Parses a command-line value: the name of a profile, optionally with an outage after a comma, as in `lte,outage=60+30`:
    /// from second 60 on for 30 seconds.
    ///
    /// - Returns: nil when it is not valid.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let name = parts.first, var profile = ([Self.unlimited] + Self.named).first(where: { $0.name == name }) else {
            return nil
        }
        for part in parts.dropFirst() {
            let numbers = part.dropFirst("outage=".count).split(separator: "+").map { Int($0) }
            guard part.hasPrefix("outage="), numbers.count == 2, let start = numbers[0], let length = numbers[1], start >= 0,
                length > 0
            else { return nil }
            profile.down = profile.down.interrupted(from: .seconds(start), for: .seconds(length))
            profile.name = text
        }
        self = profile
    }
}

/// Network profiles as netem commands.
extension NetworkProfile {
    /// Why netem cannot do what this profile says; nil when it can.
    package var netemObstacle: String? {
        if nameDelay > .zero { return "netem cannot delay name resolution" }
        if loss < 1, down.periods.count > 1 || !down.outages.isEmpty { return "netem supports one rate only" }
        return nil
    }

    /// The tc(8) commands, one per line, that make the loopback treat traffic to and from a port like this network. Other
    /// loopback traffic is not affected (bands of sch_prio, selected by cls_u32).
    package func netemCommands(port: Int) -> [String] {
        let downLink = "tc qdisc add dev lo parent 1:1 handle 10: netem \(netem(rate: down.rate(at: .zero).rate))"
        let upLink = "tc qdisc add dev lo parent 1:2 handle 20: netem \(netem(rate: up))"
        let filter = "tc filter add dev lo parent 1: protocol ip u32 match ip"
        return [
            "tc qdisc replace dev lo root handle 1: prio bands 3 priomap 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2", downLink, upLink,
            "\(filter) sport \(port) 0xffff flowid 1:1", "\(filter) dport \(port) 0xffff flowid 1:2",
        ]
    }

    private func netem(rate: Int64) -> String {
        // Room for packets in flight: netem drops packets beyond its limit.
        var words = "limit 20000 delay \(delay.wholeNanoseconds / 1000)us"
        if loss >= 1 {
            words += " loss 100%"
        } else if loss > 0, burst > 1 {
            // The transition probabilities of Gilbert's model, as in `LossModel`.
            let leaving = 100 / burst
            words += " loss gemodel \(leaving * loss / (1 - loss))% \(leaving)%"
        } else if loss > 0 {
            words += " loss \(loss * 100)%"
        }
        return rate > 0 ? words + " rate \(rate)bit" : words
    }
}
