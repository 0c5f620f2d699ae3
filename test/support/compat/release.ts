import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RecordedCall } from './recording.js';

/** Where recorded releases are kept. */
export const releasesDir = resolve('test/e2e/compat');

/** What was left open in the database of a release. */
export interface LeftOpen {
  /** A match that was played and rated, and one of its players. */
  readonly rated: { readonly matchId: string; readonly playerId: string };
  /** A match that is being played, with its session and its server. */
  readonly open: {
    readonly matchId: string;
    readonly sessionId: string;
    readonly serverId: string;
    readonly build: string;
  };
  /** A match whose result is there, and whose `rate-match` job is in the outbox. */
  readonly ended: { readonly matchId: string };
  /** A match that no server has taken yet. */
  readonly unplaced: { readonly matchId: string; readonly build: string };
  /** A party with the player who leads it. */
  readonly party: { readonly partyId: string; readonly leader: string };
  /** The pool whose rebuild runs. */
  readonly rebuilding: { readonly pool: string };
}

/** `release.json` of a recorded release. */
export interface Release {
  readonly version: string;
  /** The name of the last migration that it has. */
  readonly lastMigration: string;
  readonly left: LeftOpen;
}

/** A release as it was recorded. */
export interface RecordedRelease extends Release {
  readonly directory: string;
  readonly calls: readonly RecordedCall[];
}

/** All recorded releases, by their versions. */
export function recordedReleases(): RecordedRelease[] {
  return readdirSync(releasesDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const directory = join(releasesDir, name);
      const release = JSON.parse(readFileSync(join(directory, 'release.json'), 'utf8')) as Release;
      const lines = readFileSync(join(directory, 'requests.jsonl'), 'utf8').trimEnd().split('\n');
      return { ...release, directory, calls: lines.map((line) => JSON.parse(line) as RecordedCall) };
    });
}
