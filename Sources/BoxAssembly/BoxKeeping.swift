import Appliance
import CommandSupport
import Housekeeping
import LinuxSupport
import Updates

extension Appliance: ApplianceDoor {
    package var leadsToWireless: Bool { wireless.leadsToPage }
    package var isRadioWithoutCountry: Bool { wireless.isWithoutCountry }
    package func openWireless() { wireless.open() }
}

/// Joins a box and its housekeeping.
extension Box {
    /// A supervisor watches over the box until the subscription ends.
    package func supervise(with supervisor: Supervisor) -> Subscription {
        supervisor.watch(
            .init(
                player: player, display: display, clock: loop.clock, log: log, appliance: appliance,
                keepAll: { [weak self] in self?.keepAll() }))
        return appliance.events.listen { event in
            switch event {
            case .player(let event): supervisor.take(event)
            case .programmeChanged(let id): supervisor.programmeChanged(id)
            default: break
            }
        }
    }

    /// Makes the housekeeping of this box from a plan.
    package func keep(_ plan: BoxLife.Plan, supervisor: Supervisor) -> BoxKeeping {
        let display = display
        var parts = BoxParts(
            appliance: appliance, clock: loop.clock, loader: loader, log: log, wallClock: { [wallClock] in wallClock.now },
            applyMetered: { [weak self] in self?.applyMetered($0) }, tally: tally,
            machine: ReportedMachine(
                version: Program.version, screen: { "\(display.name) \(display.mode)" },
                sound: { [sink = player.services.sink] in sink.name },
                isMetered: isMetered, throughput: { [weak self] in self?.throughput }))
        parts.networkReturned = { [weak self] in self?.artwork.networkReturned() }
        let settings = plan.provisioning.configuration
        plays?.sign(as: settings.signsPlays ? settings.name(serial: MachineFacts.serial) : nil)
        parts.plays = plays
        parts.isLibraryRefused = { [library] in library?.isRefused ?? false }
        parts.downloads = saved?.makeKeeper(for: self, plan)
        parts.stickUpdates = makeStickUpdateKeeper()
        parts.updates = makeUpdateKeeper(plan, stick: parts.stickUpdates)
        parts.stickUpdates?.isInstallerTaken = { [weak keeper = parts.updates] in keeper?.isInstalling ?? false }
        parts.settings = makeSettingsKeeper(plan, updates: parts.updates, stick: parts.stickUpdates)
        (updates.keeper, updates.stick) = (parts.updates, parts.stickUpdates)
        parts.restartMachine = Self.machineRestart
        let life = BoxLife(parts, plan: plan, supervisor: supervisor)
        report.life = life
        artwork.files?.wanted = { [weak life] in life?.feedInUse?.artwork ?? [] }
        return BoxKeeping(life: life, appliance: appliance)
    }

    /// Starts the machine again; nil on a system that is not Marquee's own.
    private static var machineRestart: (@MainActor () -> Bool)? {
        guard MachineFacts.board != nil, let folder = RuntimeFolder.path else { return nil }
        return { WholeFile.write([], to: "\(folder)/\(InstallerFiles.folder)/\(InstallerFiles.restart)", isSynced: false) }
    }

    /// Nil on a system that is not Marquee's own.
    private func makeStickUpdateKeeper() -> StickUpdateKeeper? {
        guard let board = MachineFacts.board, let folder = RuntimeFolder.path else { return nil }
        let keeper = StickUpdateKeeper(folder: folder + "/" + InstallerFiles.folder, board: board, clock: loop.clock, log: log)
        keeper.onChange = { [weak appliance] in appliance?.factsChanged() }
        return keeper
    }

    /// Nil where no keys for settings from afar are pinned.
    private func makeSettingsKeeper(
        _ plan: BoxLife.Plan, updates: UpdateKeeper?, stick: StickUpdateKeeper?
    ) -> SettingsKeeper? {
        guard let remote = plan.remote, remote.isWanted else { return nil }
        let address = plan.address
        let clock = loop.clock
        let trial = TrialMark(runtimeFolder: RuntimeFolder.path)
        let surroundings = SettingsKeeper.Surroundings(
            hasNetwork: { address() != nil },
            isWatched: { [weak appliance] in
                guard let appliance, !appliance.isInStandby, let key = appliance.lastPress else { return false }
                return clock.now - key < UpdatePolicy.attention
            },
            isUpdating: { [weak updates, weak stick] in
                updates?.isInstalling ?? false || stick?.isBusy ?? false || trial.isOnTrial
            }, date: { [wallClock] in wallClock.now })
        let serial = MachineFacts.serial
        return SettingsKeeper(
            remote, surroundings: surroundings, serial: serial,
            seed: BoxLife.seed(plan.provisioning.configuration, serial: serial), canRestartMachine: Self.machineRestart != nil,
            loader: loader, clock: clock, log: log)
    }

    /// Nil where the settings name no updates, and on a system that is not Marquee's own.
    private func makeUpdateKeeper(_ plan: BoxLife.Plan, stick: StickUpdateKeeper?) -> UpdateKeeper? {
        guard let board = MachineFacts.board, let folder = RuntimeFolder.path,
            let source = UpdateKeeper.Source(plan.provisioning.configuration, serial: MachineFacts.serial, log: log)
        else { return nil }
        let address = plan.address
        let surroundings = UpdateKeeper.Surroundings(
            timeOfDay: { [wallClock] in wallClock.secondsSinceMidnight }, lastKey: { [weak appliance] in appliance?.lastPress },
            hasNetwork: { address() != nil }, isMetered: isMetered)
        return UpdateKeeper(
            source, surroundings: surroundings, folder: folder + "/" + InstallerFiles.folder, board: board,
            stateFolder: plan.stateFolder, loader: loader, clock: loop.clock, log: log,
            isInstallerTaken: { [weak stick] in stick?.isBusy ?? false })
    }
}

/// A box's housekeeping, and its subscriptions to the box's events.
@MainActor
package final class BoxKeeping {
    package let life: BoxLife
    private let requests: Subscription

    init(life: BoxLife, appliance: Appliance) {
        self.life = life
        requests = appliance.events.listen { [weak life] event in
            switch event {
            case .asked(let task): life?.carryOut(task)
            case .firstRun(let request): life?.perform(request)
            default: break
            }
        }
    }

    package func start() { life.start() }

    package func close() {
        requests.cancel()
        life.close()
    }
}
