import { beforeEach, describe, expect, it } from 'vitest';
import { FleetStanding } from './fleet-standing.js';

type KnownFleetKey = NonNullable<ReturnType<FleetStanding['keyOf']>>;

const key = (id: string): KnownFleetKey => ({
  id,
  fleet: 'f',
  mustSign: false,
  expiresAt: null,
  revokedAt: null,
  endsServers: false,
});

let elapsed: number;
let keys: KnownFleetKey[];
let revoked: { serverId: string; incarnation: number }[];
let asked: number[];
let isDown: boolean;
let standing: FleetStanding;
beforeEach(() => {
  [elapsed, keys, revoked, asked, isDown] = [0, [key('flk_1')], [], [], false];
  const store = {
    keys: async () => {
      if (isDown) throw new Error('down');
      return keys;
    },
    revokedLately: async (ms: number) => {
      asked.push(ms);
      return revoked;
    },
  };
  standing = new FleetStanding(
    store,
    () => elapsed,
    () => undefined,
    (_, work) => work,
  );
});

describe('what a process knows of keys and removed servers', () => {
  it('is read at the first use, in the background when it is older than 300 ms, and waited for when older than 700 ms', async () => {
    await standing.recent();
    expect(standing.keyOf('flk_1')).toMatchObject({ fleet: 'f' });
    revoked = [{ serverId: 's', incarnation: 3 }];
    elapsed = 300;
    expect(standing.recent()).toBeNull();
    expect(asked).toHaveLength(1);
    elapsed = 301;
    expect(standing.recent()).toBeNull();
    await new Promise(setImmediate);
    expect(standing.isRevoked('s', 3)).toBe(true);
    expect(standing.isRevoked('s', 4)).toBe(false);
    expect(standing.isRevoked('other', 1)).toBe(false);
    keys = [];
    elapsed = 1_002;
    await standing.recent();
    expect(standing.keyOf('flk_1')).toBeUndefined();
    // The first time all that may still count, then what is new since the last, and a little more.
    expect(asked).toEqual([30 * 86_400_000, 30_301, 30_701]);
  });

  it('is read once more for a key that is not known, as it may have been made a moment ago', async () => {
    await standing.recent();
    keys = [key('flk_1'), key('flk_2')];
    expect(standing.recent()).toBeNull();
    expect(standing.keyOf('flk_2')).toBeUndefined();
    await standing.again();
    expect(standing.keyOf('flk_2')).toBeDefined();
  });

  it('is used for ten minutes while the database is away, which is asked once a second', async () => {
    await standing.recent();
    isDown = true;
    elapsed = 5_000;
    await standing.recent();
    await standing.recent();
    expect(asked).toHaveLength(2);
    expect(standing.keyOf('flk_1')).toBeDefined();
    elapsed = 600_001;
    await expect(standing.recent()).rejects.toThrow(/down/);
    isDown = false;
    elapsed += 1_001;
    await standing.recent();
    expect(standing.keyOf('flk_1')).toBeDefined();
  });
});
