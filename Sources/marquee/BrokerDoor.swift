import BoxAssembly
import CommandSupport
import Configuration
import ControlServer
import Housekeeping
import LinuxSupport
import MQTT
import MediaModel
import WireFormats

/// The operator's broker, where the settings name one.
@MainActor
final class BrokerDoor {
    private let session: BrokerSession
    private let events: Subscription
    private let plays: Subscription?
    private let settings: Subscription?

    /// - Returns: nil without a broker, and where it cannot be used as the settings say; the log says why.
    init?(box: Box, plan: BoxPlan, configuration: Configuration, files: ProvisioningFiles?, server: ControlServer, life: BoxLife)
    {
        guard let address = configuration.broker else { return nil }
        let log = box.log
        guard !RefusedAddress.all(in: configuration, serial: MachineFacts.serial).contains(where: { $0.name == "mqtt.url" })
        else {
            log.note("mqtt.url: nothing is connected, because it is without TLS and its host is not in [feed] allow_http")
            return nil
        }
        let identity = BrokerSession.Identity(
            box: configuration.name(serial: MachineFacts.serial), group: configuration.group, root: configuration.brokerTopic)
        var options = MosquittoLink.Options(
            host: address.host, port: address.port, isSecure: address.isSecure, client: identity.box,
            will: BrokerSession.will(of: identity))
        (options.user, options.password) = configuration.brokerAccount
        options.authorities = plan.network.transfer.authorities
        if let names = configuration.brokerCertificate, let files {
            (options.certificate, options.key) = (files.beside(names.certificate), files.beside(names.key))
        }
        let link: MosquittoLink
        do throws(MediaError) {
            link = try MosquittoLink(options, clock: box.loop.clock)
        } catch {
            log.note("mqtt: \(error.sentence)")
            return nil
        }
        let right = AccessRight(rawValue: configuration.brokerRight) ?? .look
        var parts = BrokerSession.Box(
            status: { server.statusText() }, report: { life.makeReportText() }, date: { life.date },
            carryOut: { command, completion in
                server.answer(method: command.method, target: command.path, body: command.body, right: right) { answer in
                    completion(CommandReply(status: answer.status, type: answer.type, body: answer.body))
                }
            })
        if let prefix = configuration.discoveryPrefix {
            parts.discovery = BrokerSession.Discovery(
                prefix: prefix, version: Program.version, board: MachineFacts.board, canSteer: right >= .steer,
                canConfigure: right >= .configure)
        }
        if configuration.reportsPlays { parts.plays = box.plays.map { Self.plays($0, of: identity) } }
        let session = BrokerSession(
            link, identity, box: parts, clock: box.loop.clock, log: log, interval: configuration.reportInterval,
            memoryFile: plan.stateFolder.map { $0 + "/commands" },
            discoveryFile: plan.stateFolder.map { $0 + "/discovery" },
            seed: BoxLife.seed(configuration, serial: MachineFacts.serial))
        self.session = session
        events = server.watchEvents { name, data in
            session.tell(name, data)
            session.statusMayHaveChanged()
        }
        settings = life.settingsChanges?.listen { session.statusMayHaveChanged() }
        plays = box.plays?.changes.listen { session.playsMayHaveChanged() }
        session.start()
    }

    private static func plays(_ keeper: PlayKeeper, of identity: BrokerSession.Identity) -> PlayDispatch.Source {
        PlayDispatch.Source(
            next: { () -> (@Sendable () -> PlayDispatch.Batch?)? in
                guard let next = keeper.next(for: .broker) else { return nil }
                return {
                    guard let page = next(), let last = page.last else { return nil }
                    return PlayDispatch.Batch(
                        last: last, text: JSONText.object([("box", .string(identity.box))] + page.members).text)
                }
            }, acknowledge: { keeper.acknowledge($0, by: .broker) })
    }

    /// Whether the broker has let the box in.
    var isConnected: Bool { session.isConnected }

    func close() {
        events.cancel()
        plays?.cancel()
        settings?.cancel()
        session.close()
    }
}
