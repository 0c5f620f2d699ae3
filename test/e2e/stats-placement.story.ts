import type { PlacementView } from '@muster/contracts';
import { seededRandom, type Random } from '@muster/domain';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/gate.js';
import { ask, problemOf } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

const placement = { leastR2: 0.1, minMatches: 60, window: 5 };
const rules = { shadowMatches: 0, convergedBelow: 0.75 };
/** Stats that tell skill, the same results without placement, and stats that tell nothing. */
const pools = ['stats-tell', 'stats-plain', 'stats-silent'] as const;
type Pool = (typeof pools)[number];

let stack: Stack;
let played = 0;
beforeAll(async () => {
  stack = await storiesStack();
  for (const name of pools)
    await stack.operator.createPool({ name, ...rules, ...(name === 'stats-plain' ? {} : { placement }) });
  await history(seededRandom(11));
});

/** From 0 to 19. */
const skillOf = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

async function duel(
  pool: Pool,
  names: readonly [string, string],
  won: boolean,
  random: Random,
): Promise<void> {
  const stats = Object.fromEntries(
    names.map((name) => [
      name,
      {
        damage: (pool === 'stats-silent' ? 0 : 10 * skillOf(name)) + 20 * random(),
        hero: random() < 0.5 ? 'axe' : 'bow',
      },
    ]),
  );
  played++;
  await stack.operator.reportMatch({
    eventId: `stats-match-${played}`,
    pool,
    teams: names.map((name) => [name]),
    ranks: won ? [1, 2] : [2, 1],
    playedAt: 1_700_000_000_000 + played,
    stats,
  });
}

/** Twenty players play eleven duels each, in every pool the same. */
async function history(random: Random): Promise<void> {
  for (let round = 0; round < 11; round++) {
    const mixed = Array.from({ length: 20 }, (_, i) => ({ name: `stat-p${i}`, at: random() })).toSorted(
      (a, b) => a.at - b.at,
    );
    const duels = Array.from({ length: 10 }, async (_, i) => {
      const names = [mixed[2 * i]?.name ?? '', mixed[2 * i + 1]?.name ?? ''] as const;
      const won = random() < 1 / (1 + Math.exp((skillOf(names[1]) - skillOf(names[0])) / 4));
      for (const pool of pools) await duel(pool, names, won, random);
    });
    await Promise.all(duels);
  }
}

async function fitted(pool: Pool, isDone: (view: PlacementView) => boolean): Promise<PlacementView> {
  await until(async () => isDone(await stack.operator.placement(pool)));
  return stack.operator.placement(pool);
}

/** A strong newcomer whose first results are only middling. */
async function arrive(pool: Pool): Promise<void> {
  const random = seededRandom(4);
  for (const [i, won] of [true, false, true, false, true].entries())
    await duel(pool, ['stat-new19', `stat-p${8 + i}`], won, random);
}

const seedsOf = async (pool: Pool) =>
  (await stack.operator.ratingHistory(pool, 'stat-new19')).changes.filter(({ kind }) => kind === 'seed');

describe('R4 placement from stats', () => {
  it('is fitted to what results report, and places a newcomer nearer the truth', async () => {
    const view = await fitted('stats-tell', ({ fit }) => (fit?.matches ?? 0) >= 90);
    expect(view).toMatchObject({ used: true, rules: placement });
    expect(view.why).toMatch(/^Stats explain \d+(\.\d)? % of the differences/);
    expect(view.fit?.stats[0]?.name).toBe('damage');

    await arrive('stats-tell');
    await arrive('stats-plain');
    await until(async () => (await seedsOf('stats-tell')).length > 0);
    expect(await seedsOf('stats-tell')).toMatchObject([
      {
        by: 'placement',
        reason: expect.stringMatching(/^The stats of 5 matches measure .* by results that is/),
      },
    ]);
    expect(await seedsOf('stats-plain')).toEqual([]);
    const [settled, placed, plain] = await Promise.all([
      stack.operator.rating('stats-plain', 'stat-p19'),
      stack.operator.rating('stats-tell', 'stat-new19'),
      stack.operator.rating('stats-plain', 'stat-new19'),
    ]);
    expect(Math.abs(placed.mu - settled.mu)).toBeLessThan(Math.abs(plain.mu - settled.mu));
    expect(placed.sigma).toBeLessThan(plain.sigma);
  });

  it('is the same after a rebuild', async () => {
    const before = await stack.operator.rating('stats-tell', 'stat-new19');
    await stack.operator.rebuildPool('stats-tell', {});
    await until(async () => {
      const { rebuilds } = await stack.operator.rebuilds('stats-tell');
      return rebuilds[0]?.state === 'done';
    });
    expect(await stack.operator.rating('stats-tell', 'stat-new19')).toEqual(before);
  });

  it('is refused with the figures when stats tell nothing', async () => {
    const view = await fitted('stats-silent', ({ fit }) => (fit?.matches ?? 0) >= 90);
    expect(view.used).toBe(false);
    expect(view.why).toMatch(/^Stats explain -?\d+(\.\d)? % .*; placing by them needs 10 %\.$/);
    await arrive('stats-silent');
    expect(await seedsOf('stats-silent')).toEqual([]);
  });

  it('is not asked for by a pool without the rule, which says how to', async () => {
    const view = await stack.operator.placement('stats-plain');
    expect(view).toMatchObject({ used: false, rules: null, fit: null });
    expect(view.why).toContain('muster pools change stats-plain --placement on');
  });

  it('is a matter of operators', async () => {
    for (const token of [await stack.token('stat-p1'), stack.run.serverKey]) {
      const answer = await ask(stack.url, '/v1/pools/stats-tell/placement', { token });
      expect(problemOf(answer)).toMatchObject({ status: 403 });
    }
  });
});

describe('a tuning', () => {
  it('is remembered with the length of the history', async () => {
    expect(await stack.operator.rememberTuning('stats-plain')).toEqual({ pool: 'stats-plain', matches: 115 });
    expect(await stack.operator.pool('stats-plain')).not.toHaveProperty('proposals');
  });
});
