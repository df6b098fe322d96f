import Glibc
import LinuxSupport
import MediaSources
import Testing

@testable import SegmentStore

/// A disk of the kernel's scsi_debug: scripts/check-vm.d/disk.py pulls it and connects it again.
private struct PulledDisk {
    let folder = String(cString: getenv("MARQUEE_DISK"))
    private let pipes = String(cString: getenv("MARQUEE_DISK_PIPES"))

    /// Blocks until it is done.
    func order(_ what: String) throws {
        let orders = try FileDescriptor(opening: pipes + "/orders", flags: O_WRONLY)
        let answers = try FileDescriptor(opening: pipes + "/answers", flags: O_RDONLY)
        let line = Array((what + "\n").utf8)
        try systemCall("write", on: pipes) { write(orders.number, line, line.count) }
        var answer = [UInt8](repeating: 0, count: 5)
        try systemCall("read", on: pipes) { read(answers.number, &answer, answer.count) }
    }
}

@Suite(
    "A disk that is pulled", .serialized,
    .enabled(if: getenv("MARQUEE_DISK") != nil, "no disk that can be pulled: runs in the test machine, with scripts/check-vm"))
@MainActor
struct PulledDiskTests {
    /// A store on the disk, and what it says.
    @MainActor
    private final class Rig {
        let loop: MainLoop
        let store: SegmentStore
        private(set) var failures: [StoreError] = []

        init(_ disk: PulledDisk) throws {
            loop = try MainLoop(time: .real)
            store = SegmentStore(folder: disk.folder + "/saved", clock: loop.clock)
            store.onFailure = { [weak self] in self?.failures.append($0) }
            let report: Result<StoreReport, StoreError> = wait { store.open($0) }
            _ = try report.get()
        }

        func wait<Value>(_ body: (@escaping @MainActor @Sendable (Value) -> Void) -> Void) -> Value {
            var value: Value?
            body { value = $0 }
            loop.run(until: { value != nil })
            return value!
        }

        func put(_ number: Int) -> Result<StoredBody, StoreError> {
            wait { done in store.store(body(number, 70_000), as: named("s\(number)")) { done($0) } }
        }
    }

    @Test("what was stored is intact afterwards, what was under way fails with a sentence, and nothing hangs")
    func pulled() throws {
        let disk = PulledDisk()
        let first = try Rig(disk)
        #expect(first.wait { first.store.setAsset("film", metadata: [1], isRequired: true, $0) } == nil)
        let keys = (0..<16).map { named("s\($0)") }
        #expect(first.wait { first.store.add(keys, to: "film", $0) } == nil)
        for number in 0..<10 { _ = try first.put(number).get() }
        let writer = try first.store.makeWriter(for: keys[10], BodyDescription(version: ResourceVersion(validator: "\"1\"")))
        writer.append(Array(body(10, 70_000)[..<35_000]))

        try disk.order("pull")
        writer.append(Array(body(10, 70_000)[35_000...]))
        let underWay: Result<StoredBody, StoreError> = first.wait { done in writer.finish { done($0) } }
        #expect(underWay.failure.map { [.disk, .readOnly, .folderLost].contains($0.reason) } == true, "\(underWay)")
        for number in 11..<15 { #expect(first.put(number).failure != nil) }
        #expect(first.store.refusal != nil)
        // What is read is right or refused, never something else.
        for number in 0..<10 {
            let read: Result<[UInt8], StoreError> = first.wait { first.store.read(keys[number], nil, $0) }
            if case .success(let bytes) = read { #expect(bytes == body(number, 70_000)) }
        }
        #expect(first.wait { first.store.probe($0) } != nil)
        first.store.close()
        #expect(throws: (any Error).self) { _ = try Rig(disk) }

        try disk.order("return")
        let second = try Rig(disk)
        #expect(second.store.asset("film")?.members.count == 16 && second.store.refusal == nil)
        for number in 0..<10 {
            let read: Result<[UInt8], StoreError> = second.wait { second.store.read(keys[number], nil, $0) }
            #expect(try read.get() == body(number, 70_000))
        }
        let damaged: Result<[ResourceKey], StoreError> = second.wait { second.store.verify("film", $0) }
        #expect(try damaged.get().isEmpty)
        for number in 10..<16 { _ = try second.put(number).get() }
        #expect(second.store.size(of: "film")?.storedMembers == 16)
        second.store.close()
        // No file is left without a use.
        let third = try Rig(disk)
        #expect(Folder.names(disk.folder + "/saved/bodies").count == 16 && third.failures.isEmpty)
        third.store.close()
    }
}
