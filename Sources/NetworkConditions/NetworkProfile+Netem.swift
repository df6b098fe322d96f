/// Network profiles as netem commands.
extension NetworkProfile {
    /// Why netem cannot do what this profile says; nil when it can.
    package var netemObstacle: String? {
        if nameDelay > .zero { return "netem does not know names" }
        if loss < 1, down.periods.count > 1 || !down.outages.isEmpty { return "netem keeps to one rate" }
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
