import MediaTime

/// `MediaTime` under a name that is free where a library has a public type of that name.
package typealias ExactTime = MediaTime
/// `TimeRange` under such a name.
package typealias ExactRange = TimeRange
