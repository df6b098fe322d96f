import LinuxSupport
import MediaModel
import MediaTime

// The values that several facts share.

extension DumpValue {
    static func time(_ time: MediaTime) -> DumpValue { .word("\(time)") }
    static func instant(_ instant: HostTime) -> DumpValue { .word("\(instant)") }
    static func ratio(_ ratio: Ratio) -> DumpValue { .word("\(ratio)") }
    static func flag(_ flag: Bool) -> DumpValue { .word("\(flag)") }
    static func optional(_ time: MediaTime?) -> DumpValue { time.map(Self.time) ?? .nothing }
    static func optional(_ identifier: String?) -> DumpValue { identifier.map(Self.identifier) ?? .nothing }
}
