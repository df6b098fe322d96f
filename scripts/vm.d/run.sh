# shellcheck shell=bash disable=SC2054,SC2154 # QEMU's options hold commas; scripts/vm sets the variables
# Starts the machine, returns the command's output and exit code, and checks the kernel log.

# Lines of the kernel log that report errors. A busy host slows down the emulated machine, so the kernel's watchdogs
# against slowness are disabled on its command line and not matched here.
vm_complaint='WARNING:|BUG:|Oops|Kernel panic|kernel BUG|\*ERROR\*|UBSAN|KASAN|refcount_t|[Mm]emory leak|leaked|blocked for more than'
# vkms logs this when its timer fires while the vblank is being disabled: a known race in vkms. The kernel's console, which is not checked
# here, waits a tenth of a second for a blank, which may not come in that time on a busy host.
vm_no_complaint='vkms failure on handling vblank|WARNING:.* at drm_crtc_wait_one_vblank'

# The parts of the caller's environment that the command sees: enough to find tools, files and settings.
vm_environment() {
    local name
    printf 'cd %q || exit 125\n' "$PWD"
    for name in $(compgen -e); do
        case "$name" in
            PATH | LD_LIBRARY_PATH | HOME | USER | LOGNAME | SHELL | TERM | TZ | LANG | LC_* | MARQUEE_* | SWIFT_* | XDG_CACHE_HOME)
                printf 'export %s=%q\n' "$name" "${!name}" ;;
        esac
    done
}

# Passes on the output of a pipe, and keeps draining it when the reader has closed ("| head"), since a full
# pipe would stop the machine.
vm_relay() {
    { cat || cat >/dev/null; } <"$1"
}

# vm_start yes|no: makes the control folder and starts QEMU; $vm_control/status has the exit code afterwards.
vm_start() {
    local interactive="$1" i kernel_line
    vm_require qemu-system-x86_64 udevadm modprobe ip busybox setsid
    vm_environment >"$vm_control/environment"
    cp "$vm_support/guest-init" "$vm_control/guest-init"
    chmod 755 "$vm_control/guest-init"
    {
        printf 'kernel_folder=%q\ntimeout_seconds=%q\ninteractive=%q\nvirtio_gpu=%q\nwritable=(' \
            "$vm_kernel" "$timeout_seconds" "$interactive" "${MARQUEE_VM_VIRTIO_GPU:-}"
        [ "${#writable[@]}" -eq 0 ] || printf ' %q' "${writable[@]}"
        printf ' )\n'
    } >"$vm_control/settings"

    kernel_line="console=ttyS0 loglevel=5 panic=-1 mitigations=off nowatchdog rcupdate.rcu_cpu_stall_suppress=1"
    kernel_line+=" workqueue.watchdog_thresh=0 sysctl.kernel.hung_task_timeout_secs=300"
    # Nothing blinks on the console: each change would wait for a blank.
    kernel_line+=" vt.global_cursor_default=0"
    kernel_line+=" audit=0 apparmor=0 selinux=0 fsck.mode=skip 8250.nr_uarts=1 tsc=reliable"
    # The kernel's option for the mode of a screen: see "Kernel Mode Setting, video=" in its documentation.
    # The second connector is that of virtio-gpu.
    [ -z "${MARQUEE_VM_SCREEN:-}" ] || kernel_line+=" video=Virtual-1:${MARQUEE_VM_SCREEN}M@60 video=Virtual-2:${MARQUEE_VM_SCREEN}M@60"
    local qemu=(
        qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none -vga none -nic none
        -machine "pc,i8042=off,usb=off" -smp "${MARQUEE_VM_CPUS:-2}" -m "${MARQUEE_VM_MEMORY:-2G}"
        -kernel "$vm_kernel/vmlinuz" -initrd "$vm_kernel/initramfs" -append "$kernel_line"
        -serial "file:$vm_control/console.log"
        -fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
        -device virtio-9p-pci,fsdev=root,mount_tag=root
        -fsdev "local,id=control,path=$vm_control,security_model=none"
        -device virtio-9p-pci,fsdev=control,mount_tag=control
        -device virtio-serial-pci
    )
    if [ "${MARQUEE_VM_KVM:-}" = 1 ]; then
        qemu+=(-accel kvm -cpu host)
    else
        # A clock that counts instructions: what the host does meanwhile changes nothing in the machine. It needs one thread for all processors.
        if [ -n "${MARQUEE_VM_INSTRUCTIONS:-}" ]; then
            qemu+=(-accel "tcg,thread=single" -icount "shift=$MARQUEE_VM_INSTRUCTIONS,sleep=on" -cpu max)
        else
            qemu+=(-accel "tcg,thread=multi" -cpu max)
        fi
    fi
    [ "${MARQUEE_VM_VIRTIO_GPU:-}" != 1 ] || qemu+=(-device virtio-gpu-pci)
    for i in "${!writable[@]}"; do
        [[ "${writable[i]}" != *,* ]] || vm_fail "QEMU takes no folder with a comma in its name: ${writable[i]}."
        qemu+=(-fsdev "local,id=writable$i,path=${writable[i]},security_model=none,multidevs=remap"
            -device "virtio-9p-pci,fsdev=writable$i,mount_tag=writable$i")
    done
    if [ "$interactive" = yes ]; then
        qemu+=(-chardev stdio,id=console,signal=off -device virtconsole,chardev=console)
        "${qemu[@]}"
        return
    fi

    rm -f "$vm_control"/{stdout,stderr,failure,console.log}
    mkfifo "$vm_control/stdout" "$vm_control/stderr"
    qemu+=(-chardev "file,id=stdout,path=$vm_control/stdout" -device virtserialport,chardev=stdout,name=stdout
        -chardev "file,id=stderr,path=$vm_control/stderr" -device virtserialport,chardev=stderr,name=stderr)
    vm_relay "$vm_control/stdout" &
    vm_relays=("$!")
    vm_relay "$vm_control/stderr" >&2 &
    vm_relays+=("$!")
    # The machine itself ends the command in time; this is for a machine that hangs. A slow one takes minutes to start.
    timeout --kill-after=5 "$((timeout_seconds + 600))" "${qemu[@]}" </dev/null >"$vm_control/qemu.log" 2>&1 &
    vm_qemu=$!
    wait "$vm_qemu" || true
    # If QEMU never opened the pipes, their readers still wait: open and close them once.
    : <>"$vm_control/stdout" <>"$vm_control/stderr"
    wait "${vm_relays[@]}" || true
}

vm_clean_up() {
    [ -z "${vm_qemu:-}" ] || kill "$vm_qemu" 2>/dev/null || true
    rm -rf "$vm_control"
}

vm_make_control() {
    mkdir -p "$vm_cache/logs"
    vm_control="$(mktemp -d "${TMPDIR:-/tmp}/marquee-vm.XXXXXX")"
    trap vm_clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# Keeps the newest logs of the machine for inspection after the run.
vm_keep_logs() {
    local name
    for name in console.log kernel.log qemu.log failure; do
        rm -f "$vm_cache/logs/$name"
        [ ! -s "$vm_control/$name" ] || cp "$vm_control/$name" "$vm_cache/logs/$name"
    done
}

# Starts the machine, which runs the command. It fails if the command did not start, which the files of the guest show.
vm_start_command() {
    vm_start no
    if [ -s "$vm_control/status" ] || [ -e "$vm_control/started" ]; then return; fi
    vm_tell "the machine did not start$([ ! -s "$vm_control/failure" ] || printf ': %s' "$(<"$vm_control/failure")")"
    return 1
}

vm_run() {
    local status complaints
    vm_make_control
    {
        cat <(vm_environment)
        printf 'exec'
        printf ' %q' "$@"
        printf '\n'
    } >"$vm_control/command"
    # A machine that did not start the command, because the host stalled, is started once more.
    again 2 1 vm_tell vm_start_command || true
    vm_keep_logs
    if [ ! -s "$vm_control/status" ]; then
        tail -n 30 "$vm_control/qemu.log" "$vm_control/console.log" >&2 || true
        [ "${MARQUEE_VM_KVM:-}" != 1 ] || vm_fail "the test machine did not run with KVM (see above); unset MARQUEE_VM_KVM to emulate it instead."
        [ ! -s "$vm_control/failure" ] || vm_fail "the test machine did not start: $(<"$vm_control/failure")."
        vm_fail "the test machine ended or hung before the command did; its logs are in $vm_cache/logs."
    fi
    status="$(<"$vm_control/status")"
    complaints="$(sed -n '/marquee-vm: the command starts/,$p' "$vm_control/kernel.log")"
    if [ -e "$vm_control/timed-out" ]; then
        echo "scripts/vm: '$*' did not end within $timeout_seconds seconds and was ended; raise --timeout or find out why it hangs. Its threads:" >&2
        head -n 120 "$vm_control/timed-out" >&2
        status=124
    fi
    if [ "$status" -ne 0 ] && [ "$(wc -l <<<"$complaints")" -gt 1 ]; then
        echo "scripts/vm: kernel messages while the command ran:" >&2
        tail -n +2 <<<"$complaints" | tail -n 30 >&2
    fi
    if complaints="$(grep -E "$vm_complaint" "$vm_control/kernel.log" | grep -vE "$vm_no_complaint")"; then
        echo "scripts/vm: the kernel logged an error; the whole log is $vm_cache/logs/kernel.log:" >&2
        echo "$complaints" >&2
        [ "$status" -ne 0 ] || status=99
    fi
    if [ -s "$vm_control/leftovers" ]; then
        echo "scripts/vm: display objects were left after every process of the command had ended:" >&2
        cat "$vm_control/leftovers" >&2
        [ "$status" -ne 0 ] || status=99
    fi
    exit "$status"
}

vm_shell() {
    vm_make_control
    [ -t 0 ] || vm_fail "the shell needs a terminal; use 'scripts/vm run' in scripts."
    local terminal
    terminal="$(stty -g)"
    stty raw -echo
    vm_start yes || true
    stty "$terminal"
    [ -s "$vm_control/status" ] || { vm_keep_logs; vm_fail "the test machine did not run; its logs are in $vm_cache/logs."; }
}
