import Appliance
import BoxModel
import Configuration
import Display
import Glibc
import Housekeeping
import LinuxSupport
import MediaModel
import Screens
import Shell
import Supervision
import TestSupport

@testable import BoxAssembly
@testable import CommandSupport
@testable import marquee

/// A whole box of real parts on the simulated clock, configured by a `marquee.toml`.
@MainActor
final class Desk {
    let folder: ScratchFolder
    let plan: BoxPlan
    let box: Box
    let keeping: BoxKeeping
    let supervisor: Supervisor
    var loop: MainLoop { box.loop }

    /// - Parameters:
    ///   - toml: the file; nil for none.
    ///   - files: files next to it, and below the folder of the test.
    ///   - announced: the reply of the network to service discovery.
    ///   - decision: the policy's decision about earlier crashes.
    ///   - old: the same box before it was switched off, with its disk.
    init(
        _ toml: String?, files: [String: String] = [:], session: Session? = nil, decision: CrashPolicy.Decision = .init(),
        pagePort: UInt16? = nil, announced: [String] = [], after old: Desk? = nil
    ) throws {
        folder = old?.folder ?? ScratchFolder("box")
        if let toml { folder.put(toml, "firmware/marquee.toml") } else { mkdir(folder.path + "/firmware", 0o755) }
        for name in files.keys.sorted() { folder.put(files[name]!, name) }
        mkdir(folder.path + "/state", 0o755)
        let provisioned = ProvisioningFiles(file: folder.path + "/firmware/marquee.toml", folder: folder.path + "/data")
        let remote = RemoteSettings(
            card: try provisioned.read(), folder: folder.path + "/state", runtimeFolder: nil, boot: "desk")
        let provisioning = AdoptedSettings.standing(for: remote.provisioning, in: folder.path + "/state")
        var plan = BoxPlan(display: .headless(DisplayMode(text: "320x180@60")!), audio: .null)
        plan.clock = .simulated()
        plan.stateFolder = folder.path + "/state"
        plan.apply(
            provisioning.configuration, files: provisioned, options: try PlayerOptions.parse([]), serial: "77",
            folder: folder.path + "/state")
        plan.sound.output = .null
        plan.viewer.canReset = true
        self.plan = plan
        box = try Box(plan)
        supervisor = Supervisor(decision: decision, session: session)
        var life = BoxLife.Plan(provisioning: provisioning, files: provisioned)
        life.remote = remote
        life.stateFolder = plan.stateFolder
        life.remarks = plan.remarks
        life.media = folder.path + "/media"
        life.pagePort = pagePort
        life.question = { announced }
        keeping = box.keep(life, supervisor: supervisor)
    }

    var screen: PresentationState { box.appliance.shown }

    /// Runs until a condition holds.
    @discardableResult
    func run(within limit: Duration = .seconds(120), until isDone: () -> Bool) -> Bool {
        loop.run(within: limit, until: isDone)
    }

    /// Lets simulated time pass.
    func run(for length: Duration) { run(within: length, until: { false }) }

    @discardableResult
    func press(_ key: RemoteKey) -> CommandResult {
        let result = box.appliance.handle(RemoteEvent(key: key, phase: .press, time: loop.clock.now, device: "test"))
        run(for: .milliseconds(100))
        _ = box.appliance.handle(RemoteEvent(key: key, phase: .release, time: loop.clock.now, device: "test"))
        return result
    }

    /// All log lines.
    var log: String { box.log.tail(1000).joined(separator: "\n") }

    func close() {
        keeping.close()
        box.close()
    }
}
