import Cryptography
import LinuxSupport
import MediaSources
import TestSupport
import Testing

@testable import SegmentStore

/// Drawn lives of a store, whose power is cut at drawn moments: between any two operations of the disk, with what was not synced there,
/// torn or lost.
@Suite("Power cuts")
@MainActor
struct PowerCutTests {
    /// What a store holds, as its owner was told.
    private struct Told {
        /// The version of each stored resource.
        var stored: [ResourceKey: Int] = [:]
        var assets: [String: (metadata: [UInt8], isRequired: Bool, isComplete: Bool, members: Set<ResourceKey>)] = [:]
        /// The durable bytes of suspended bodies, with their versions.
        var partials: [ResourceKey: (length: Int64, version: Int)] = [:]
    }

    /// Several resources have equal bytes, so that bodies are shared.
    private static func bytes(_ key: ResourceKey, _ version: Int) -> [UInt8] {
        let number = Int(key.name) ?? 0
        return body(number % 9 * 100 + version, 300 + number % 9 * 700)
    }

    private static func description(_ key: ResourceKey, _ version: Int) -> BodyDescription {
        BodyDescription(
            contentType: "video/mp4",
            version: ResourceVersion(validator: "\"\(version)\"", length: Int64(bytes(key, version).count)))
    }

    /// One drawn life: after each answer, how many operations the disk had done and what the owner knew.
    private struct Life {
        var disk: MemoryDisk
        var moments: [(operations: Int, told: Told)]
    }

    private func live(
        _ seed: UInt64, steps: Int, from start: MemoryDisk.Contents = .init(), options: SegmentStore.Options = .init()
    ) throws -> Life {
        var random = SeededGenerator(seed: seed)
        let disk = MemoryDisk(start)
        disk.setFree(40_000)
        let rig = try StoreRig.opened(disk, options: options)
        var told = Told()
        var moments = [(disk.log.count, told)]
        for _ in 0..<steps {
            step(rig, &told, &random)
            moments.append((disk.log.count, told))
        }
        rig.store.close()
        return Life(disk: disk, moments: moments)
    }

    private func step(_ rig: StoreRig, _ told: inout Told, _ random: inout SeededGenerator) {
        let key = ResourceKey(name: "\(Int.random(in: 0..<24, using: &random))")
        let asset = "asset \(Int.random(in: 0..<4, using: &random))"
        let version = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0...6: save(rig, key, version, &told)
        case 7...9: suspend(rig, key, version, &told, &random)
        case 10...11:
            let metadata = body(Int.random(in: 0..<100, using: &random), 20)
            let isRequired = Bool.random(using: &random)
            guard rig.setAsset(asset, metadata, isRequired: isRequired) == nil else { return }
            let old = told.assets[asset]
            told.assets[asset] = (metadata, isRequired, old?.isComplete ?? false, old?.members ?? [])
        case 12...14:
            guard told.assets[asset] != nil else { return }
            let keys = (0..<3).map { _ in ResourceKey(name: "\(Int.random(in: 0..<24, using: &random))") }
            guard rig.add(keys, to: asset) == nil else { return }
            if !told.assets[asset]!.members.isSuperset(of: keys) { told.assets[asset]?.isComplete = false }
            told.assets[asset]?.members.formUnion(keys)
        case 15...16:
            let metadata = body(Int.random(in: 100..<200, using: &random), 20)
            guard rig.complete(asset, metadata) == nil else { return }
            told.assets[asset]?.metadata = metadata
            told.assets[asset]?.isComplete = true
        case 17: if rig.removeAsset(asset) == nil { learn(rig, &told) }
        case 18: if rig.removeResource(key) == nil { learn(rig, &told) }
        default:
            rig.store.noteUse(of: asset)
            if rig.makeRoom(Int64.random(in: 0..<45_000, using: &random)).failure == nil { learn(rig, &told) }
        }
    }

    private func save(_ rig: StoreRig, _ key: ResourceKey, _ version: Int, _ told: inout Told) {
        guard let writer = try? rig.store.makeWriter(for: key, Self.description(key, version)) else { return }
        writer.append(Array(Self.bytes(key, version)[Int(writer.offset)...]))
        if rig.finish(writer).failure == nil {
            told.stored[key] = version
            told.partials[key] = nil
        }
    }

    private func suspend(_ rig: StoreRig, _ key: ResourceKey, _ version: Int, _ told: inout Told, _ random: inout SeededGenerator)
    {
        guard told.stored[key] == nil, let writer = try? rig.store.makeWriter(for: key, Self.description(key, version)) else {
            return
        }
        let rest = Self.bytes(key, version)[Int(writer.offset)...]
        writer.append(Array(rest.prefix(Int.random(in: 0...rest.count, using: &random))))
        rig.suspend(writer)
        learn(rig, &told)
    }

    /// Takes over what the store says after removals.
    private func learn(_ rig: StoreRig, _ told: inout Told) {
        told.stored = told.stored.filter { rig.store.bodies.body(of: $0.key) != nil }
        told.assets = told.assets.filter { rig.store.asset($0.key) != nil }
        told.partials = [:]
        for number in 0..<24 {
            let key = ResourceKey(name: "\(number)")
            guard let partial = rig.store.partial(of: key) else { continue }
            told.partials[key] = (partial.length, partial.description.version.validator == "\"1\"" ? 1 : 0)
        }
    }

    /// Opens what a power cut left, and compares it with what the owner knew before and after the step that it fell into.
    private func check(
        _ life: Life, after count: Int, options: SegmentStore.Options = .init(), _ random: inout SeededGenerator
    ) throws {
        let left = MemoryDisk.afterPowerCut(life.disk.log, after: count, folders: life.disk.contents.folders, &random)
        let rig = try StoreRig.opened(MemoryDisk(left), options: options)
        rig.settle()
        let before = life.moments.last { $0.operations <= count }?.told ?? Told()
        let after = life.moments.first { $0.operations >= count }?.told ?? before
        for number in 0..<24 {
            let key = ResourceKey(name: "\(number)")
            try checkResource(rig, key, before, after)
        }
        try checkAssets(rig, before, after)
        // No file without a resource, and nothing left to remove at the start after.
        let files = rig.disk.names(StoreRig.bodies)
        #expect(files.count == Set(rig.store.bodies.index.digests.keys).count + rig.store.bodies.index.partials.count)
        rig.store.close()
        let again = try StoreRig(MemoryDisk(rig.disk.contents), options: options)
        let report = try again.open().get()
        #expect(report.orphansRemoved == 0 && report.bodiesMissing == 0 && report.warning == nil)
    }

    private func checkResource(_ rig: StoreRig, _ key: ResourceKey, _ before: Told, _ after: Told) throws {
        if rig.store.bodies.body(of: key) != nil {
            let bytes = try rig.read(key).get()
            #expect(bytes == Self.bytes(key, 0) || bytes == Self.bytes(key, 1), "the body of \(key.name) is corrupt")
            if let version = before.stored[key], after.stored[key] == version { #expect(bytes == Self.bytes(key, version)) }
        } else {
            #expect(before.stored[key] == nil || after.stored[key] != before.stored[key], "\(key.name) was stored and is lost")
        }
        guard let partial = before.partials[key], let later = after.partials[key], later == partial else { return }
        let found = try #require(rig.store.partial(of: key))
        #expect(found.length == partial.length)
        let bytes: Result<[UInt8], StoreError> = rig.wait { rig.store.readPartial(of: key, $0) }
        #expect(try bytes.get() == Array(Self.bytes(key, partial.version)[..<Int(partial.length)]))
    }

    private func checkAssets(_ rig: StoreRig, _ before: Told, _ after: Told) throws {
        for id in rig.store.assetIDs {
            let asset = try #require(rig.store.asset(id))
            #expect(before.assets[id] != nil || after.assets[id] != nil, "\(id) was removed or never made")
            guard asset.isComplete else { continue }
            #expect(asset.members.allSatisfy { rig.store.bodies.body(of: $0) != nil })
            let known = [before.assets[id], after.assets[id]].compactMap(\.self)
            #expect(
                known.contains { $0.isComplete && $0.metadata == asset.metadata && $0.members == Set(asset.members) }
                    || known.contains { $0.metadata == asset.metadata && $0.members.isEmpty })
        }
        for (id, asset) in before.assets {
            guard let later = after.assets[id] else { continue }
            let found = try #require(rig.store.asset(id), "\(id) is lost")
            #expect(found.isRequired == asset.isRequired || found.isRequired == later.isRequired)
            #expect(Set(found.members).isSuperset(of: asset.members))
        }
    }

    @Test("what was told to be stored is there after a power cut at any of 250 moments, nothing is corrupt, and no orphan stays")
    func drawnMoments() throws {
        for seed in 1...25 as ClosedRange<UInt64> {
            let life = try live(seed, steps: 50)
            var random = SeededGenerator(seed: seed &+ 1000)
            for _ in 0..<10 { try check(life, after: Int.random(in: 0...life.disk.log.count, using: &random), &random) }
        }
    }

    @Test("the same for a store that is encrypted")
    func sealed() throws {
        let scratch = ScratchFolder("store-key")
        let options = SegmentStore.Options(keyFile: scratch.path + "/key")
        for seed in 1...4 as ClosedRange<UInt64> {
            let life = try live(seed, steps: 40, options: options)
            var random = SeededGenerator(seed: seed &+ 2000)
            for _ in 0..<10 {
                try check(life, after: Int.random(in: 0...life.disk.log.count, using: &random), options: options, &random)
            }
        }
    }

    @Test("a power cut after each single operation of a short life")
    func everyMoment() throws {
        let life = try live(77, steps: 25)
        var random = SeededGenerator(seed: 5)
        for count in 0...life.disk.log.count { try check(life, after: count, &random) }
    }

    @Test("a store that lives on after one power cut survives the next")
    func againAndAgain() throws {
        var random = SeededGenerator(seed: 9)
        var contents = MemoryDisk.Contents()
        for seed in 1...12 as ClosedRange<UInt64> {
            let life = try live(seed, steps: 20, from: contents)
            let cut = Int.random(in: 0...life.disk.log.count, using: &random)
            var whole = MemoryDisk.afterPowerCut(
                life.disk.log, after: cut, folders: life.disk.contents.folders, on: contents, &random)
            swap(&contents, &whole)
            let rig = try StoreRig.opened(MemoryDisk(contents))
            for number in 0..<24 {
                let key = ResourceKey(name: "\(number)")
                guard rig.store.bodies.body(of: key) != nil else { continue }
                let bytes = try rig.read(key).get()
                #expect(bytes == Self.bytes(key, 0) || bytes == Self.bytes(key, 1))
            }
            rig.settle()
            #expect(
                rig.disk.names(StoreRig.bodies).count
                    == rig.store.bodies.index.digests.count + rig.store.bodies.index.partials.count)
            contents = rig.disk.contents
        }
    }

    @Test("a power cut while the journal is rewritten leaves the old one or the new one")
    func whileRewriting() throws {
        let disk = MemoryDisk()
        let rig = try StoreRig.opened(disk)
        #expect(rig.setAsset("film") == nil && rig.add([named("1")], to: "film") == nil)
        rig.put(Self.bytes(named("1"), 0), named("1"))
        let start = disk.log.count
        for round in 0..<2200 { rig.store.setAsset("film", metadata: [UInt8(round % 256)], isRequired: true) }
        #expect(rig.complete("film", [9]) == nil)
        rig.settle()
        let log = disk.log
        let renames = log.indices.filter { if case .rename(_, let name) = log[$0] { name.hasSuffix("/journal") } else { false } }
        #expect(!renames.isEmpty)
        var random = SeededGenerator(seed: 3)
        for rename in renames {
            for count in max(start, rename - 6)...min(log.count, rename + 6) {
                let left = MemoryDisk.afterPowerCut(log, after: count, folders: disk.contents.folders, &random)
                let second = try StoreRig.opened(MemoryDisk(left))
                #expect(second.store.asset("film")?.members == [named("1")])
                #expect(try second.read(named("1")).get() == Self.bytes(named("1"), 0))
            }
        }
    }
}
