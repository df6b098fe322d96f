// The page has independent parts. All of them reach the box through `box.js`, which also knows whether the box answers.

import * as commands from "./commands.js";
import * as errors from "./errors.js";
import * as feed from "./feed.js";
import * as library from "./library.js";
import * as log from "./log.js";
import * as machine from "./machine.js";
import * as now from "./now.js";
import * as outputs from "./outputs.js";
import * as remote from "./remote.js";
import * as screen from "./screen.js";
import * as storage from "./storage.js";
import * as typing from "./typing.js";
import * as views from "./views.js";

for (const part of [views, machine, screen, remote, now, outputs, library, storage, feed, errors, log, commands]) part.begin();
typing.begin(views.isShown("television"));
