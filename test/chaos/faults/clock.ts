import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faketime } from '../stall/faketime.js';
import type { Row } from './row.js';

const replicas = ['queue-1', 'assignment-1', 'allocator-1', 'rating-1'];
/** Offsets that follow each other, in seconds. */
const jumps = ['+300s', '-300s', '+7200s', '+0s'];
const everyMs = 8_000;

let offsetFile = '';

/** The clock of one replica of each service jumps. The monotonic clock does not. */
export const clockJumps: Row = {
  name: 'clock',
  what: 'the clock of one replica of each service jumps: 5 min ahead, 5 min behind, 2 h ahead, and back',
  seconds: (jumps.length * everyMs) / 1000,
  cannot: () => (faketime() === null ? 'libfaketime is not installed' : null),
  surround: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'muster-clock-'));
    offsetFile = join(directory, 'offset');
    await writeFile(offsetFile, '+0s');
    const variables = {
      LD_PRELOAD: faketime() ?? '',
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      // The file is read again each second.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    return {
      env: {
        MUSTER_REPLICA_ENV: JSON.stringify(Object.fromEntries(replicas.map((name) => [name, variables]))),
      },
      remove: () => rm(directory, { recursive: true, force: true }),
    };
  },
  begin: async () => {
    const file = offsetFile;
    let next = 0;
    const jump = (): void => {
      const to = jumps[next++];
      if (to !== undefined) void writeFile(file, to);
    };
    jump();
    const timer = setInterval(jump, everyMs);
    return async () => {
      clearInterval(timer);
      await writeFile(file, '+0s');
    };
  },
};
