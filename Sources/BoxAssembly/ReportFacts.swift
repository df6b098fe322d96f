import Housekeeping
import Screens

/// What the page About of Settings shows of reports on a USB stick. The box is made before its keeping.
@MainActor
final class ReportFacts {
    weak var life: BoxLife?

    var fact: BoxFacts.Report? { life?.reportFact }
}
