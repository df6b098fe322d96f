/* The trial of settings from afar (docs/settings.md): every order of steps, power cuts, crashes, refused writes and lost answers.
 *
 * The steps have the names of the code: `taking`, `counting`, `ending`, `keeping` and `givingUp` are those of Configuration/SettingsRecord.swift, the
 * phases and events those of SettingsMachine.swift. `disk` is the one file, whose second copy is not in the model; everything else is lost when the power is.
 * A restart of the machine by the trial of a system (docs/updates.md) is a power cut here.
 *
 * WAY is what begins a trial: 0 a restart of the player, 1 of the machine, whose system then has other settings, too.
 * Faults are counted, so that each run ends; a run that ends before the box is settled is found as an invalid end state.
 */
#ifndef WAY
#define WAY 1
#endif
#define DOCUMENTS 2     /* after the first one, which works */
#define FAULTS 4
#define MOST_STARTS 3
#define NO_BOOT 255

mtype = { settled, taking, due, readying, trying, keeping, givingUp, leaving };

typedef Record {
    byte kept;              /* the document that was kept; 0 is the one that works */
    byte trial;             /* the document on trial; 0: none */
    byte starts;            /* of the trial */
    bool ended;             /* the player ended in order during the trial */
    byte boot;              /* the start of the machine in which it was taken */
    byte spoiltBoot;        /* the start whose system has settings that were given up */
    byte newest             /* the highest revision that was taken */
};

Record disk;                /* what a power cut leaves */
Record next;                /* what is being written */
bool writing;               /* a write is under way */

mtype phase = settled;      /* of the machine in the player */
bool restart;               /* a restart was asked for */
bool trialTimer, retryTimer;
byte missing;               /* what was not reached yet: a bit for each of network, feed, settings, broker */
bool notCounted;            /* a start in this start of the machine was not: a mark in memory that only the power takes away */
byte player, system;        /* the documents with which they run */
byte boot = 1;
byte published;             /* the newest document of the operator */
byte faults = FAULTS, looks = 2, ends = 1;
byte reach[DOCUMENTS + 1];  /* what can be reached with a document: 15 is everything */

/* The settings in use. */
inline inForce(record, document) {
    if
    :: record.trial != 0 && record.starts > 0 -> document = record.trial
    :: else -> document = record.kept
    fi
}

inline copy(to, from) {
    to.kept = from.kept; to.trial = from.trial; to.starts = from.starts; to.ended = from.ended; to.boot = from.boot; to.spoiltBoot = from.spoiltBoot; to.newest = from.newest
}

inline store() { writing = true }

inline leave() { phase = leaving; restart = true; retryTimer = true }

/* SettingsRecord.givingUp */
inline giveUp(record) {
    record.trial = 0; record.starts = 0; record.ended = false;
    if
    :: WAY -> record.spoiltBoot = boot
    :: else
    fi
}

/* The system has the old settings until the machine starts again. */
#define WAITS (WAY && disk.starts == 0 && (disk.boot == boot || notCounted))

/* SettingsRecord.counting, whose result is written before anything uses the settings; `counts` is whether the disk takes it. */
inline counting(counts) {
    if
    :: disk.trial == 0 -> skip
    :: disk.trial != 0 && WAITS -> skip
    :: counts && disk.trial != 0 && !WAITS && disk.ended -> disk.ended = false
    :: counts && disk.trial != 0 && !WAITS && !disk.ended && disk.starts >= MOST_STARTS -> giveUp(disk)
    :: counts && disk.trial != 0 && !WAITS && !disk.ended && disk.starts < MOST_STARTS -> disk.starts++
    :: !counts && disk.trial != 0 && !WAITS -> notCounted = true
    fi
}

/* The player starts: RemoteSettings.init and SettingsMachine.init and start. */
inline startPlayer(isNewBoot, counts) {
    writing = false; restart = false; trialTimer = false; retryTimer = false; missing = 0;
    if
    :: isNewBoot -> boot++; notCounted = false
    :: else
    fi;
    counting(counts);
    inForce(disk, player);
    if
    :: isNewBoot -> system = player
    :: else
    fi;
    if
    :: disk.spoiltBoot == boot -> leave()
    :: disk.spoiltBoot != boot && disk.trial == 0 -> phase = settled
    :: disk.spoiltBoot != boot && disk.trial != 0 && disk.starts == 0 -> phase = due
    :: disk.spoiltBoot != boot && disk.trial != 0 && disk.starts > 0 -> phase = trying; missing = 15; trialTimer = true
    fi
}

inline stored() {
    if
    :: phase == taking -> phase = due
    :: phase == readying -> leave()
    :: phase == keeping -> phase = settled
    :: phase == givingUp -> leave()
    fi
}

inline notStored() {
    if
    :: phase == taking && disk.trial == 0 -> phase = settled
    :: phase == taking && disk.trial != 0 -> phase = due
    :: phase == readying -> phase = due
    :: phase == keeping || phase == givingUp -> retryTimer = true
    fi
}

inline reached(one) {
    missing = missing & ~one;
    if
    :: missing == 0 ->
        phase = keeping; trialTimer = false;
        copy(next, disk); next.kept = disk.trial; next.trial = 0; next.starts = 0; next.ended = false;
        store()
    :: else
    fi
}

/* What must be true always. */
inline check() {
    /* Never settings with which not everything was reached. */
    assert(reach[disk.kept] == 15);
    /* Player and system have the same settings, or a restart that makes it so was asked for or is certain to be. */
    assert(!WAY || player == system || restart || writing || phase == leaving);
    /* No older document comes back. */
    assert(disk.newest >= disk.kept && disk.newest >= disk.trial)
}

active proctype box() {
    byte one;
    d_step { disk.boot = NO_BOOT; disk.spoiltBoot = NO_BOOT; reach[0] = 15 }
    /* What the operator's documents lead to. */
    if :: reach[1] = 15 :: reach[1] = 13 :: reach[1] = 0 fi;
    if :: reach[2] = 15 :: reach[2] = 7 fi;

    do
    /* A document is published, accepted and written: SettingsMachine.take. One may take the place of another that waits for its restart. */
    :: atomic { published < DOCUMENTS && (phase == settled || phase == due || (phase == leaving && disk.trial != 0 && disk.spoiltBoot != boot)) ->
        published++;
        copy(next, disk);
        next.newest = published; next.trial = published; next.starts = 0; next.ended = false; next.boot = (WAY -> boot : NO_BOOT);
        phase = taking; store(); check() }
    /* The write. */
    :: atomic { writing -> writing = false; copy(disk, next); stored(); check() }
    :: atomic { writing && faults > 0 -> faults--; writing = false; notStored(); check() }
    :: atomic { writing && faults > 0 -> faults--; startPlayer(true, true); check() }
    :: atomic { writing && faults > 0 -> faults--; copy(disk, next); startPlayer(true, true); check() }
    /* looked: somebody watches, or nobody does. */
    :: atomic { phase == due && looks > 0 -> looks--; check() }
    :: atomic { phase == due -> phase = readying; copy(next, disk); store(); check() }
    /* The restart that was asked for. */
    :: atomic { restart -> startPlayer(WAY, true); check() }
    :: atomic { restart && faults > 0 -> faults--; startPlayer(WAY, false); check() }
    /* An answer; one that is lost never comes, and the timer of the trial fires. */
    :: atomic { phase == trying ->
        if
        :: missing & 1 -> one = 1
        :: missing & 2 -> one = 2
        :: missing & 4 -> one = 4
        :: missing & 8 -> one = 8
        fi;
        if
        :: (reach[player] & one) != 0 -> reached(one)
        :: (reach[player] & one) == 0 && trialTimer -> trialTimer = false; phase = givingUp; copy(next, disk); giveUp(next); store()
        fi;
        check() }
    :: atomic { phase == trying && trialTimer -> trialTimer = false; phase = givingUp; copy(next, disk); giveUp(next); store(); check() }
    /* ending: the player, perhaps with the machine, ends in order and starts again. If the disk refuses that, it is a crash. */
    :: atomic { phase == trying -> disk.ended = true; startPlayer(false, true); check() }
    :: atomic { phase == trying && ends > 0 -> ends--; disk.ended = true; startPlayer(true, true); check() }
    :: atomic { phase == trying && faults > 0 -> faults--; disk.ended = true; startPlayer(false, false); check() }
    /* A write is tried again. */
    :: atomic { retryTimer && (phase == keeping || phase == givingUp) && !writing -> retryTimer = false; store(); check() }
    /* A power cut, or a crash of the player, at any moment; the disk may refuse to count the start. */
    :: atomic { faults > 0 -> faults--; startPlayer(true, true); check() }
    :: atomic { faults > 0 -> faults--; startPlayer(true, false); check() }
    :: atomic { faults > 0 -> faults--; startPlayer(false, true); check() }
    :: atomic { faults > 0 -> faults--; startPlayer(false, false); check() }
    /* Nothing happens any more: the box can be reached. */
    :: atomic { phase == settled && !writing && !restart && published == DOCUMENTS ->
        assert(disk.trial == 0 && player == disk.kept && (!WAY || system == player) && reach[player] == 15);
        break }
    od
}
