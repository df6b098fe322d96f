import LinuxSupport
import TestSupport
import Testing

@testable import WirelessNetworks

/// What the kernel's files say of wireless adapters.
struct WirelessAdaptersTests {
    @Test(arguments: [
        ([], false), (["ieee80211", "net"], false), (["net/eth0/queues", "net/lo"], false),
        (["ieee80211/phy0", "net/eth0"], true),
        (["net/eth0", "net/wlan0/wireless"], true), (["net/wireless"], false),
    ])
    func anAdapterIsARadioOrAWirelessInterface(folders: [String], isPresent: Bool) {
        let classes = ScratchFolder("device-classes")
        for folder in folders { Folder.make("\(classes.path)/\(folder)") }
        #expect(WirelessAdapters(classes: classes.path).isPresent == isPresent)
        #expect(!WirelessAdapters(classes: classes.path + "/missing").isPresent)
    }
}
