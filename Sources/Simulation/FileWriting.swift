import Glibc

/// Whether the kernel lets this process write to files, as on a disk that is full or read-only. Pipes and sockets are not concerned.
///
/// It is the limit of the length of files (`setrlimit`, RLIMIT_FSIZE): a write fails with EFBIG, as it fails with ENOSPC on a full disk, so that every
/// writer meets it in the kernel, SQLite too. It concerns the whole process: only the command that runs simulations uses it.
@MainActor
enum FileWriting {
    static var isRefused = false {
        didSet {
            guard isRefused != oldValue else { return }
            // The signal of a write that is too long would end the process.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = isRefused ? 0 : limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }
    }
}
