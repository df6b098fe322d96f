"""Inspects the box through its agent: writable files, listening ports, privileges of processes, resource use."""

import ipaddress
import json
import re
import time

# TCP and UDP ports on which the box may listen, as address:port of /proc/net.
ALLOWED_TCP = {"127.0.0.1:8080", "::1:8080"}
ALLOWED_UDP = {":68", ":546"}
# Setuid programs that are allowed: none.
ALLOWED_SETUID = set()
PLAYER = "marquee.service"


def provisioning(check, machine):
    # Its unit stays active after it has finished.
    end = time.monotonic() + 180
    while machine.run("systemctl is-active marquee-provision.service")[0] != "active" and time.monotonic() < end:
        time.sleep(1)
    text, code = machine.run("cat /firmware/applied.txt")
    lines = [line for line in text.splitlines() if re.search(r"overscan|colour", line)]
    check.say(code == 0 and len(lines) >= 2, f"applied.txt names the wrong key and the unknown one: {' / '.join(lines)[:200] or text[:200]}")
    check.bad_key_on_screen(next((line for line in lines if "overscan" in line), "no line in applied.txt names it"))
    check.say(machine.value("cat /proc/sys/kernel/hostname") == "check-box", "the box has the name that marquee.toml gives it")
    text = machine.value("cat /firmware/marquee.toml")
    check.say("hush-hush" not in text, "the secret in marquee.toml has been taken out of the file")


def files(check, machine):
    check.say(machine.run("touch /usr/written /etc/written 2>/dev/null")[1] != 0, "the root file system cannot be written")
    mounts = machine.value("cat /proc/mounts").splitlines()
    root = next(line for line in mounts if line.split()[1] == "/")
    check.say(root.startswith("/dev/mapper/system / squashfs ro") or root.startswith("/dev/dm-0 / squashfs ro"), f"root is a verified squashfs: {root}")
    writable = sorted(
        line.split()[1] for line in mounts
        if line.split()[3].split(",")[0] == "rw" and line.split()[2] in ("ext4", "vfat", "squashfs", "overlay", "btrfs"))
    check.say(writable == ["/data"], f"of disks only the data partition is mounted for writing: {writable}")
    found = machine.value("find / /data /run /var /tmp -xdev ! -type l -perm -0002 ! -type s ! -type c ! -path '/run/check/*' ! \\( -type d -perm -1000 \\) 2>/dev/null | sort -u", 180)
    check.say(found == "", f"no file is world-writable {found[:300]}")
    found = set(machine.value("find / /data /run /var /tmp -xdev -type f -perm /6000 2>/dev/null | sort -u", 180).split())
    check.say(found <= ALLOWED_SETUID, f"setuid programs: {sorted(found) or 'none'}")


def ports(check, machine):
    listening = sockets(machine)
    wrong = not_allowed(listening)
    # A DNS or NTP query uses a UDP port until its answer arrives: a listening port is still there later.
    for _ in range(12):
        if not any(protocol == "udp" for protocol, _, _ in wrong):
            break
        time.sleep(5)
        listening = sockets(machine)
        wrong = {socket for socket in wrong if socket[0] == "tcp"} | (wrong & not_allowed(listening))
    words = sorted(f"{protocol} {address}:{port}" for protocol, address, port in wrong)
    check.say(not wrong, f"no port is listened on but the allowed ones: {sorted(listening)} {'not allowed: ' if wrong else ''}{words or ''}")


def sockets(machine):
    """(protocol, address, port) of every listening socket."""
    listening = set()
    for name, protocol, state in (("tcp", "tcp", "0A"), ("tcp6", "tcp", "0A"), ("udp", "udp", "07"), ("udp6", "udp", "07")):
        text, _ = machine.run(f"cat /proc/net/{name}")
        for line in text.splitlines()[1:]:
            words = line.split()
            if len(words) > 3 and words[3] == state and words[2].endswith(":0000"):
                address, port = words[1].split(":")
                listening.add((protocol, readable(address), int(port, 16)))
    return listening


def not_allowed(listening):
    return {
        (protocol, address, port) for protocol, address, port in listening
        if not (protocol == "tcp" and f"{address}:{port}" in ALLOWED_TCP) and not (protocol == "udp" and f":{port}" in ALLOWED_UDP)}


def readable(address):
    """The usual form of an address: in /proc/net each word of four bytes has the order of the machine."""
    words = [bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8)]
    return str(ipaddress.ip_address(b"".join(words)))


def rights(check, machine):
    text = machine.value("grep -E '^(Uid|NoNewPrivs|Seccomp|CapEff|CapBnd):' /proc/$(systemctl show --property=MainPID --value marquee.service)/status")
    facts = {line.split(":")[0]: line.split()[1] for line in text.splitlines()}
    good = facts["Uid"] != "0" and facts["NoNewPrivs"] == "1" and facts["Seccomp"] == "2" and int(facts["CapEff"], 16) == 0 and int(facts["CapBnd"], 16) == 0
    check.say(good, f"the player runs with the least rights: {facts}")
    # The player's view of /proc: its working folder is the root of its mount namespace.
    inside = "/proc/$(systemctl show --property=MainPID --value marquee.service)/cwd/proc"
    text = machine.value(f"for path in sys/kernel/random/boot_id device-tree; do test ! -e /proc/$path || test -e {inside}/$path || echo $path; done")
    check.say(text == "", f"the player sees the boot id and the device tree {text}")
    text = machine.value("systemctl show --property=Type,WatchdogUSec,DevicePolicy,MemoryMax,Restart marquee.service").replace("\n", " ")
    check.say("Type=notify" in text and "WatchdogUSec=10s" in text and "DevicePolicy=closed" in text, f"its unit: {text}")
    logins = machine.value("systemctl list-units --no-legend --plain '*getty*' '*login*' 'ssh*' 'dropbear*' | cat")
    check.say(logins == "", f"nobody can log in {logins[:200]}")
    failed = machine.value("systemctl list-units --failed --no-legend --plain | cat")
    check.say(failed == "", f"no unit has failed {failed[:300]}")


def allocators(check, machine):
    """The memory of pictures, as reported by the doctor; the player releases the screen for it."""
    machine.value("systemctl stop marquee.service")
    text, code = machine.run("marquee doctor --display kms", 180)
    machine.value("systemctl start --no-block marquee.service")
    named = [line for line in text.splitlines() if re.match(r"(video|interface) memory: (dma-heap|dumb|gbm|memory),", line)]
    tried = [line for line in text.splitlines() if re.match(r"(video|interface) memory [a-z]", line)]
    check.say(code == 0 and len(named) == 2 and len(tried) >= 2, f"the doctor names the allocators in use: {' / '.join(named + tried)[:400] or text[:400]}")


def player_memory(machine):
    text = machine.value("grep -E '^(Rss|Pss|Pss_Anon|Private_Dirty):' /proc/$(systemctl show --property=MainPID --value marquee.service)/smaps_rollup")
    return {line.split(":")[0]: round(int(line.split()[1]) * 1024 / 1e6, 1) for line in text.splitlines()}


def memory(check, machine):
    """Resident memory, including all shared pages, while the player plays and while it shows Home."""
    allowed = check.allowed
    check.say(True, f"memory of the player while it plays, MB: {player_memory(machine)}")
    machine.press("home")
    machine.wait_for("end of the film at Home", 240, lambda picture: picture.strip() is None)
    time.sleep(5)
    sizes = player_memory(machine)
    check.keep("home")
    check.figures["player_idle_memory_mb"] = sizes["Rss"]
    check.say(sizes["Rss"] <= allowed["player_idle_memory_mb"], f"memory of the player at Home, MB: {sizes}; allowed {allowed['player_idle_memory_mb']:.0f}")


def boot_figures(check, machine, is_last):
    """One start: what the player waited for, which is counted, and its times by the kernel's clock. Returns whether this start has been told of. Where
    times are judged, one that does not meet their budgets is told of, as a failure, only if it is the last one."""
    judged, allowed = check.are_times_judged, check.allowed
    manager = machine.value("systemctl show --property=UserspaceTimestampMonotonic,UnitsLoadFinishTimestampMonotonic")
    manager = {key: int(value) / 1e6 for key, value in (line.split("=") for line in manager.splitlines())}
    text, code = machine.run("cat /run/marquee/boot")
    stamps = {line.split()[0]: int(line.split()[1]) / 1e9 for line in text.splitlines()} if code == 0 else {}
    if not {"main", "flip"} <= stamps.keys():
        check.say(False, f"the player has noted when it reached its main and its first flip: {text[:200]}")
        return True
    first_unit = manager["UnitsLoadFinishTimestampMonotonic"]
    unit_to_main = stamps["main"] - first_unit
    main_to_flip = stamps["flip"] - stamps["main"]
    is_soon = unit_to_main <= allowed["boot_unit_to_main"] * first_unit
    early = f"kernel to first unit (a) {first_unit:.2f} s, first unit to main (b) {unit_to_main:.2f} s, allowed {allowed['boot_unit_to_main']} of (a)"
    if judged and not is_soon and not is_last:
        check.say(True, f"a start that did not keep its budgets is made again: {early}")
        return False
    # For this start: before the player is ended for the comparison.
    machine.run("timeout 120 systemctl is-system-running --wait", 150)
    started = services_as_started(machine)
    chain = json.loads(machine.value("marquee doctor --boot --json", 180))["chain"]
    waited = [link["unit"] for link in chain if link["unit"].endswith(".service") and link["unit"] != PLAYER]
    words, _ = machine.run("dmesg | grep -F 'marquee:'; systemd-analyze critical-chain marquee.service | cat; marquee doctor --boot 2>&1", 180)
    machine.value("systemctl stop marquee.service")
    version = seconds_of(machine, "marquee --version >/dev/null")
    flip = seconds_of(machine, "/run/check/flip")
    machine.value("systemctl start --no-block marquee.service")
    is_quick = main_to_flip <= allowed["boot_main_to_flip"] * (version + flip)
    late = (f"main to first flip (c) {main_to_flip:.2f} s; marquee --version {version:.2f} s, the program that flips once {flip:.2f} s, "
            f"allowed {allowed['boot_main_to_flip']} of their sum; total from the kernel's start {stamps['flip']:.2f} s")
    if judged and not is_quick and not is_last:
        check.say(True, f"a start that did not keep its budgets is made again: {early}; {late}")
        return False
    check.figures |= {"kernel_to_first_unit": first_unit, "first_unit_to_main": unit_to_main, "main_to_flip": main_to_flip, "version": version,
                      "flip_program": flip, "total": stamps["flip"]}
    check.say(started[0] == PLAYER, f"the player is the first service that is started: {started[:started.index(PLAYER) + 3]} of {len(started)}")
    check.say(bool(chain) and not waited, f"the player waits for no other service: {[link['unit'] for link in chain]}")
    check.say(is_soon or not judged, early)
    check.say(is_quick or not judged, late)
    check.say(True, f"the critical chain:\n{words}")
    return True


def services_as_started(machine):
    """The names of the services that the service manager has started, in this order."""
    text = machine.value("systemctl show --type=service --property=Id,ExecMainStartTimestampMonotonic '*'", 120)
    services = [dict(line.split("=", 1) for line in block.splitlines() if "=" in line) for block in text.split("\n\n")]
    starts = {service["Id"]: int(service.get("ExecMainStartTimestampMonotonic") or 0) for service in services if "Id" in service}
    return sorted((name for name in starts if starts[name] > 0), key=starts.__getitem__)


def seconds_of(machine, command):
    """The median of three runs with an empty page cache, like the start of the box."""
    took = []
    for _ in range(3):
        text = machine.value(f"sync; echo 3 >/proc/sys/vm/drop_caches; read a b </proc/uptime; {command} || exit 1; read c d </proc/uptime; echo $a $c", 240)
        begin, end = map(float, text.split()[-2:])
        took.append(end - begin)
    return sorted(took)[1]
