import type { Command } from 'commander';
import { evaluateCommand } from './evaluate/command.js';
import { placementCommand } from './placement/command.js';
import { replayCommand } from './replay/command.js';
import { simulateCommand } from './simulate/command.js';
import { splitCommand } from './split/command.js';
import { tuneCommand, type Rebuild } from './tune/command.js';

export type { Rebuild };

/** The commands of `muster` that are the laboratory's, as `muster --help` lists them. */
export interface Studies {
  /** `muster pools tune` */
  readonly tune: Command;
  readonly replay: Command;
  readonly split: Command;
  readonly evaluate: Command;
  readonly placement: Command;
  readonly simulate: Command;
}

/** What `muster` lends to them. */
export interface Lent {
  /** The data directory of a local system. */
  readonly defaultDataDir: string;
  readonly rebuildPool: Rebuild;
}

/** Defines options, help and actions of the laboratory's commands. */
export function defineStudies(studies: Studies, { defaultDataDir, rebuildPool }: Lent): void {
  tuneCommand(studies.tune, defaultDataDir, rebuildPool);
  replayCommand(studies.replay, defaultDataDir);
  splitCommand(studies.split);
  evaluateCommand(studies.evaluate);
  placementCommand(studies.placement);
  simulateCommand(studies.simulate);
}
