/// A page that a key, a button or a row opens.
package enum PageKind: Sendable, Equatable {
    case settings, search, guide, channels, delay(DelayedPart), wireless
}
