import CivilTime
import Glibc
import LinuxSupport

extension CivilZone {
    /// The zone of a name; nil if this machine does not have it.
    package static func named(_ name: String) -> CivilZone? {
        let isShaped = !name.isEmpty && name.first != "/" && !name.contains("..")
        guard isShaped, let bytes = WholeFile.read("/usr/share/zoneinfo/\(name)", most: 1 << 20) else { return nil }
        return CivilZone(name: name, file: bytes)
    }

    /// The machine's zone, as its library finds it: that of `TZ`, otherwise that of /etc/localtime, otherwise UTC.
    package static func machine() -> CivilZone {
        if let variable = getenv("TZ") {
            let name = String(cString: variable)
            return named(String(name.hasPrefix(":") ? name.dropFirst() : name[...])) ?? .utc
        }
        let path = "/etc/localtime"
        guard let bytes = WholeFile.read(path, most: 1 << 20), let real = realpath(path, nil) else { return .utc }
        defer { free(real) }
        let place = String(cString: real)
        let name = place.firstRange(of: "/zoneinfo/").map { String(place[$0.upperBound...]) }
        return CivilZone(name: name ?? "the machine's zone", file: bytes) ?? .utc
    }
}
