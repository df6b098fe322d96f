/// An address in the settings that the player does not use, because others could read and change what goes over it.
package struct RefusedAddress: Sendable, Hashable {
    /// The key that has it.
    package let name: String
    package let host: String
    /// What is wrong with it, such as "plain http".
    package let fault: String
    /// How it begins where nothing is wrong.
    let remedy: String

    /// Those without TLS on hosts that `[feed] allow_http` does not have.
    package static func all(in settings: Configuration, serial: String?) -> [RefusedAddress] {
        let addresses = [
            ("feed.url", settings.feedURL == nil ? nil : settings.feedAddress(serial: serial)),
            ("update.url", settings.updateAddress(serial: serial)),
            ("report.url", settings.reportURL), ("settings.url", settings.settingsAddress(serial: serial)),
        ]
        let plain = addresses.compactMap { name, address -> RefusedAddress? in
            guard let host = address.flatMap({ PlainHTTP.host(of: $0) }), !PlainHTTP.isAllowed(host, by: settings.plainHTTPHosts)
            else {
                return nil
            }
            return RefusedAddress(name: name, host: host, fault: "plain http", remedy: "https://")
        }
        guard let broker = settings.broker, !broker.isSecure,
            !settings.plainHTTPHosts.contains(where: { $0.lowercased() == broker.host.lowercased() })
        else {
            return plain
        }
        return plain + [RefusedAddress(name: "mqtt.url", host: broker.host, fault: "MQTT without TLS", remedy: "mqtts://")]
    }
}
