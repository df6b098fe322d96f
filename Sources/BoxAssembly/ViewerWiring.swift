import Appliance
import CommandSupport
import Glibc
import Housekeeping
import KeptArtwork
import Library
import Screens
import Speech
import StatusModel

/// The box's parts for viewers: settings in the library, facts, and a voice if the system has one.
@MainActor
extension Box {
    static func complete(
        _ viewer: inout ViewerParts, _ plan: BoxPlan, library: Library?, saved: SavedProgrammes?, artwork: ArtworkFiles?,
        updates: UpdateFacts, report: ReportFacts, voice: DispatcherVoice?, log: LogBook
    ) {
        viewer.pinDigest = plan.viewer.pinDigest
        viewer.start = plan.viewer.start
        viewer.hours = plan.viewer.hours
        viewer.parentalLimit = plan.viewer.parentalLimit
        viewer.volume = plan.sound.volume
        viewer.canReset = plan.viewer.canReset
        if let saved { viewer.saved = saved.items }
        if let library {
            viewer.settings = LibrarySettings(library)
            viewer.choices = LibraryChoices(library)
            viewer.together = { library.together($0) }
        } else {
            viewer.settings.save(plan.viewer.settings)
        }
        viewer.voice = voice
        voice?.onFailure = { log.note($0, .warning) }
        let (name, certificate) = (plan.viewer.boxName, plan.doors.certificate?.fingerprint)
        viewer.facts = { languages in
            var facts = BoxFacts(name: name, version: Program.version, address: MachineFacts.address)
            facts.isOnline = facts.address != nil
            facts.certificate = certificate
            facts.update = updates.fact
            facts.stickUpdate = updates.stickFact
            facts.report = report.fact
            facts.storageTrouble = saved?.trouble
            facts.stores = saved?.stores(languages: languages) ?? []
            if let artwork { facts.stores += [BoxFacts.Store(id: "pictures", kind: .pictures, bytes: artwork.bytes)] }
            if let library {
                // The estimated size of a saved position on the disk.
                facts.stores += [BoxFacts.Store(id: "places", kind: .places, bytes: Int64(library.recentPlaces.count) * 4096)]
            }
            facts.freeBytes = StateFolder.path().flatMap { FileSystemRoom(at: $0)?.free }
            return facts
        }
        viewer.deleteStore = { id in
            switch id {
            case "places":
                log.note("the viewing history was deleted")
                library?.forgetPlaces()
            case "pictures":
                log.note("the stored pictures were deleted")
                artwork?.removeAll()
            default: saved?.delete(store: id)
            }
        }
    }
}
