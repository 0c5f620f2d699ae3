import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RecordedCall } from './recording.js';

/** The folder of recorded releases. */
export const releasesDir = resolve('test/e2e/compat');

/** The open work in the database of a release. */
export interface LeftOpen {
  /** A rated match, and one of its players. */
  readonly rated: { readonly matchId: string; readonly playerId: string };
  /** A running match, with its session and its server. */
  readonly open: {
    readonly matchId: string;
    readonly sessionId: string;
    readonly serverId: string;
    readonly build: string;
  };
  /** A match with a result, whose `rate-match` job is in the outbox. */
  readonly ended: { readonly matchId: string };
  /** A match without a server. */
  readonly unplaced: { readonly matchId: string; readonly build: string };
  /** A party with its leader. */
  readonly party: { readonly partyId: string; readonly leader: string };
  /** A pool with a running rebuild. */
  readonly rebuilding: { readonly pool: string };
}

/** `release.json` of a recorded release. */
export interface Release {
  readonly version: string;
  /** The name of its last migration. */
  readonly lastMigration: string;
  readonly left: LeftOpen;
}

/** A recorded release. */
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
