import { describe, expect, it } from 'vitest';
import { KnownBuilds } from './known-builds.js';

describe('the builds of servers', () => {
  function setUp() {
    const said = { now: 1_000_000, answers: 0, builds: ['1.4.1'], startsNone: true, failures: 0 };
    const reader = {
      builds: async () => {
        said.answers++;
        if (said.builds.length === 0) throw new Error('away');
        return { builds: said.builds, startsNone: said.startsNone };
      },
    };
    const builds = new KnownBuilds(reader, { now: () => said.now }, () => said.failures++);
    return { said, builds };
  }

  it('are read once a second, whatever the number of tickets without a build', async () => {
    const { said, builds } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => builds.ofUnnamed()));
    said.now += 999;
    said.builds = ['1.4.1', '1.4.2'];
    expect(await builds.ofUnnamed()).toBe('1.4.1');
    expect(said.answers).toBe(1);
    said.now += 1;
    await expect(builds.ofUnnamed()).rejects.toThrow('several builds');
    expect(said.answers).toBe(2);
  });

  it('are read again when the clock was set back', async () => {
    const { said, builds } = setUp();
    await builds.ofUnnamed();
    said.now -= 300_000;
    await builds.ofUnnamed();
    expect(said.answers).toBe(2);
  });

  it('are told to a ticket of an older one that no server has', async () => {
    const { said, builds } = setUp();
    said.builds = ['1.9.0', '1.10.0', 'night'];
    expect(await builds.newerThan('1.9.1')).toEqual(['1.10.0']);
    for (const build of ['1.9.0', '1.10.0', '1.11.0', '0f3c2a1'])
      expect(await builds.newerThan(build)).toEqual([]);
    said.now += 1_000;
    said.builds = Array.from({ length: 11 }, (_, i) => `2.${i}`);
    expect(await builds.newerThan('1.9.1')).toEqual([]);
    said.now += 1_000;
    said.builds = [];
    expect(await builds.newerThan('1.9.1')).toEqual([]);
  });

  it('leave an older one without a server, unless servers are started for matches', async () => {
    const { said, builds } = setUp();
    said.builds = ['1.9.0', '1.10.0'];
    expect(await builds.isObsolete('1.8.0')).toBe(true);
    for (const build of ['1.9.0', '1.11.0', 'night']) expect(await builds.isObsolete(build)).toBe(false);
    said.startsNone = false;
    said.now += 1_000;
    expect(await builds.isObsolete('1.8.0')).toBe(false);
  });

  it('never block a ticket when they cannot be read, and are read again a second later', async () => {
    const { said, builds } = setUp();
    said.builds = [];
    expect(await Promise.all([builds.ofUnnamed(), builds.ofUnnamed()])).toEqual(['dev', 'dev']);
    expect(said).toMatchObject({ answers: 1, failures: 1 });
    said.builds = ['1.4.1'];
    said.now += 1_000;
    expect(await builds.ofUnnamed()).toBe('1.4.1');
  });
});
