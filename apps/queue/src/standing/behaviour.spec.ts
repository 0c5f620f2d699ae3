import type { BehaviourMark, BehaviourReport, MatchRoster } from '@muster/domain';
import { defaultBehaviourModel as model } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { Behaviour } from './behaviour.js';
import type { PostgresBehaviourStore } from './behaviour.store.js';

const now = 1_800_000_000_000;
const { halfLifeMs } = model;

const player = (playerId: string, team: number, ticketId: string | null = `t-${playerId}`) => ({
  playerId,
  team,
  ticketId,
});
const played: MatchRoster = {
  state: 'rated',
  placed: true,
  players: [player('ann', 0), player('bob', 0), player('cid', 0, 't-bob'), player('dan', 1)],
};

function setUp(roster: MatchRoster | null = played, said: Readonly<Record<string, BehaviourMark[]>> = {}) {
  const reports: BehaviourReport[] = [];
  let since = NaN;
  const store: Pick<PostgresBehaviourStore, 'report' | 'marksOf' | 'reportsOn'> = {
    report: async (report) => {
      reports.push(report);
      return 'counted';
    },
    marksOf: async (playerIds, from) => {
      since = from;
      return new Map(playerIds.flatMap((id) => (said[id] ? [[id, said[id]] as const] : [])));
    },
    reportsOn: async (playerId) =>
      (said[playerId] ?? []).map((mark) => ({ ...mark, reported: playerId, note: null })),
  };
  const behaviour = new Behaviour(store, { rosterOf: async () => roster }, model, { now: () => now });
  return { behaviour, reports, since: () => since };
}
const crowd = (size: number, over: Partial<BehaviourMark> = {}): BehaviourMark[] =>
  Array.from({ length: size }, (_, i) => ({
    matchId: 'm',
    party: null,
    reporter: `r${i}`,
    kind: 'abuse',
    weight: 1,
    at: now,
    ...over,
  }));

describe('R18 a report', () => {
  it('is stored with the weight of its reporter', async () => {
    const { behaviour, reports } = setUp(played, { ann: crowd(2) });
    await behaviour.report('m1', 'ann', { playerId: 'bob', kind: 'abuse', note: 'shouted' });
    await behaviour.report('m1', 'bob', { playerId: 'ann', kind: 'leaving' });
    // Ann's own score is 4/6: a third of the way from ½ to 1.
    expect(reports[0]?.weight).toBeCloseTo(1 / 3, 12);
    expect(reports).toMatchObject([
      { matchId: 'm1', reporter: 'ann', reported: 'bob', kind: 'abuse', note: 'shouted', at: now },
      { reporter: 'bob', reported: 'ann', weight: 1, note: null },
    ]);
  });

  it('has no weight for praise within a party, and full weight for complaints', async () => {
    const { behaviour, reports } = setUp();
    await behaviour.report('m1', 'bob', { playerId: 'cid', kind: 'friendly' });
    await behaviour.report('m1', 'bob', { playerId: 'cid', kind: 'sabotage' });
    await behaviour.report('m1', 'ann', { playerId: 'cid', kind: 'friendly' });
    expect(reports.map(({ weight }) => weight)).toEqual([0, 1, 1]);
  });

  it('of an opponent is taken for cheating, with the party of its reporter', async () => {
    const { behaviour, reports } = setUp();
    expect(await behaviour.report('m1', 'bob', { playerId: 'dan', kind: 'cheating' })).toBe(true);
    await behaviour.report('m1', 'cid', { playerId: 'dan', kind: 'cheating' });
    await behaviour.report('m1', 'ann', { playerId: 'dan', kind: 'cheating' });
    expect(reports.map(({ weight, party }) => [weight, party])).toEqual([
      [1, 1],
      [1, 1],
      [1, null],
    ]);
  });

  it('treats players of a match played elsewhere as belonging to no party', async () => {
    const elsewhere = { ...played, players: [player('ann', 0, null), player('bob', 0, null)] };
    const { behaviour, reports } = setUp(elsewhere);
    await behaviour.report('m1', 'ann', { playerId: 'bob', kind: 'friendly' });
    expect(reports[0]?.weight).toBe(1);
  });

  it.each([
    ['of an opponent', played, 'ann', 'dan', 'report-refused'],
    ['of a player who was not in the match', played, 'ann', 'eve', 'report-refused'],
    ['of oneself', played, 'ann', 'ann', 'report-refused'],
    ['from a player who was not in the match', played, 'eve', 'ann', 'match-not-found'],
    ['of an unknown match', null, 'ann', 'bob', 'match-not-found'],
    ['during the match', { ...played, state: 'placed' }, 'ann', 'bob', 'match-not-over'],
    ['before the match', { ...played, state: 'formed', placed: false }, 'ann', 'bob', 'match-not-over'],
    [
      'of a match that was never played',
      { ...played, state: 'abandoned', placed: false },
      'ann',
      'bob',
      'report-refused',
    ],
  ] satisfies [string, MatchRoster | null, string, string, string][])(
    'is refused %s',
    async (_, roster, reporter, playerId, code) => {
      const { behaviour, reports } = setUp(roster);
      await expect(behaviour.report('m1', reporter, { playerId, kind: 'abuse' })).rejects.toMatchObject({
        code,
      });
      expect(reports).toEqual([]);
    },
  );

  it('is accepted after an abandoned match', async () => {
    const { behaviour } = setUp({ ...played, state: 'abandoned' });
    expect(await behaviour.report('m1', 'ann', { playerId: 'bob', kind: 'leaving' })).toBe(true);
  });
});

describe('R18 a score', () => {
  it('is the lowest of a ticket’s players; none without reports', async () => {
    const { behaviour, since } = setUp(played, {
      bob: crowd(4),
      cid: crowd(1),
      dan: crowd(3, { kind: 'friendly' }),
    });
    expect(await behaviour.leastOf(['ann', 'bob', 'cid', 'dan'])).toBe(0.5);
    expect(await behaviour.leastOf(['ann', 'dan'])).toBeUndefined();
    expect(since()).toBe(now - 10 * halfLifeMs);
  });

  it('is shown to operators with its parts, and to the player as a word', async () => {
    const { behaviour } = setUp(played, { bob: crowd(5, { at: now - halfLifeMs }) });
    const account = await behaviour.of('bob');
    expect(account).toMatchObject({ playerId: 'bob', score: 4 / 6.5, word: 'mixed' });
    expect(account.reports).toHaveLength(5);
    expect(account.reports[0]).toMatchObject({ reporter: 'r0', kind: 'abuse', weight: 1, counts: 0.5 });
    expect(await behaviour.wordOf('bob')).toBe('mixed');
    expect(await behaviour.wordOf('ann')).toBe('good');
  });
});
