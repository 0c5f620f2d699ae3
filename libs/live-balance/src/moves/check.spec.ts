import { message, type TeamParam } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { change, team, teams } from '../../test-support/rosters.js';
import { callVote, check, freshBalance, type BalanceState, type Check } from './check.js';
import { hive, muster, none, policies, sectorsEdge, synelo, twentyPercent } from '../policies.js';
import type { Policy } from '../policy.js';
import { afterMoves, sumsOf, type Roster } from '../roster/roster.js';

const edge = sectorsEdge('1.2.1');

/** Powers 26 to 42, the second team has to give; all are dead, so that every movable player can move. */
const stomp: Roster = {
  teams: 2,
  players: [...team(0, [1, 2, 3, 4], { alive: false }), ...team(1, [5, 6, 7, 8], { alive: false })],
  teamNames: ['Red', 'Blue'],
};
const even = teams([1, 4, 5, 8], [2, 3, 6, 7]);

/** A sequence of checks, each with the state of the previous one. */
function fold(policy: Policy, steps: readonly (readonly [number, Roster])[]): Check[] {
  let state: BalanceState = freshBalance;
  return steps.map(([now, roster]) => {
    const found = check(roster, policy, state, now);
    ({ state } = found);
    return found;
  });
}

const stronger = message('balance.much-stronger', { from: 'Blue', to: 'Red', strength: 42, against: 26 });
const moving = (...ways: readonly (readonly [players: number, to: TeamParam])[]) =>
  message('balance.moving', {
    ways: ways.map(([players, to]) => message('balance.moving-to', { players, to })),
  });

describe('a check', () => {
  it('waits 20 s from the first finding on, then moves a player (L8)', () => {
    const found = fold(edge, [
      [1_000, stomp],
      [20_999, stomp],
      [21_000, stomp],
    ]);

    expect(found.map(({ outcome, dueAt }) => [outcome, dueAt])).toEqual([
      ['delayed', 21_000],
      ['delayed', 21_000],
      ['moves', null],
    ]);
    expect(found[2]?.directive).toEqual({
      moves: [
        {
          playerId: 'b0',
          from: 1,
          to: 0,
          why: [message('balance.you-play-for', { to: 'Red' }), stronger, message('balance.not-again')],
        },
      ],
      withinMs: 10_000,
      exact: true,
      why: [stronger, moving([1, 'Red'])],
    });
    expect(found[0]?.why).toEqual([stronger, message('balance.delayed', { to: 'Red', seconds: 20 })]);
  });

  it('restarts the delay when teams were balanced in between, or the other team is too strong', () => {
    const other: Roster = {
      ...stomp,
      players: stomp.players.map((player) => ({ ...player, team: 1 - player.team! })),
    };
    const found = fold(edge, [
      [0, stomp],
      [10_000, even],
      [11_000, stomp],
      [25_000, stomp],
      [26_000, other],
      [45_999, other],
      [46_000, other],
    ]);

    expect(found.map(({ outcome }) => outcome)).toEqual([
      'delayed',
      'balanced',
      'delayed',
      'delayed',
      'delayed',
      'delayed',
      'moves',
    ]);
  });

  it('waits for a death, and names the players', () => {
    const alive = change(
      stomp,
      Object.fromEntries(['b0', 'b1', 'b2', 'b3'].map((id, points) => [id, { alive: true, points }])),
    );
    const [, late] = fold(edge, [
      [0, alive],
      [20_000, alive],
    ]);

    expect(late).toMatchObject({ outcome: 'waiting', forOneOf: ['b0', 'b1'], directive: null });
    expect(late?.why).toContainEqual(message('balance.next-death', { from: 'Blue', to: 'Red' }));
  });

  it('continues without a new delay until teams are balanced, and moves nobody twice', () => {
    const lopsided: Roster = { teams: 2, players: team(0, [1, 2, 3, 4, 5, 6], { alive: false }) };
    const steps: Check[] = [];
    let roster = lopsided;
    let state: BalanceState = freshBalance;
    for (let now = 0; now <= 60_000; now += 5_000) {
      const found = check(roster, edge, state, now);
      ({ state } = found);
      roster = afterMoves(roster, found.directive?.moves ?? []);
      steps.push(found);
    }

    // 6:0, 5:1, 4:2, then 3:3.
    expect(steps.map(({ outcome }) => outcome).slice(0, 9)).toEqual([
      'delayed',
      'delayed',
      'delayed',
      'delayed',
      'moves',
      'moves',
      'moves',
      'balanced',
      'balanced',
    ]);
    expect(state.moved).toHaveLength(3);
    expect(new Set(state.moved).size).toBe(3);
  });

  it('orders a move once; moves that are not made in time are dropped', () => {
    const found = fold(synelo, [
      [0, teams([5, 5, 5, 5], [9])],
      [4_000, teams([5, 5, 5, 5], [9])],
      [9_999, teams([5, 5, 5, 5], [9])],
      [10_000, teams([5, 5, 5, 5], [9])],
    ]);

    expect(found.map(({ outcome }) => outcome)).toEqual(['moves', 'ordered', 'ordered', 'moves']);
    expect(found[1]).toMatchObject({ dueAt: 10_000, directive: null });
    expect(found[3]?.directive?.moves).toEqual(found[0]?.directive?.moves);
    expect(found[3]?.state.moved).toEqual([]);
  });

  it('remembers moved players, though the server forgets', () => {
    const roster = teams([5, 5, 5, 5], [9]);
    const first = check(roster, synelo, freshBalance, 0);
    const id = first.directive!.moves[0]!.playerId;
    const made = afterMoves(roster, first.directive!.moves);
    const after = check(made, synelo, first.state, 100);
    // The player is back on the larger team, and two others have left the smaller one.
    const back = change(roster, { [id]: { team: 0 } });
    const again = check(back, synelo, after.state, 200);

    expect(after).toMatchObject({ outcome: 'balanced', state: { moved: [id], ordered: null } });
    expect(again.outcome).toBe('moves');
    expect(again.directive?.moves.map(({ playerId }) => playerId)).not.toContain(id);
  });

  it('drops an order whose player has left', () => {
    const roster = teams([5, 5, 5, 5], [9]);
    const first = check(roster, synelo, freshBalance, 0);
    const id = first.directive!.moves[0]!.playerId;
    const without = { ...roster, players: roster.players.filter(({ playerId }) => playerId !== id) };
    const next = check(without, synelo, first.state, 100);

    // 3:1, another player moves at once.
    expect(next.outcome).toBe('moves');
    expect(next.state.moved).toEqual([id]);
  });

  it('reports that no player fits', () => {
    const party = { teams: 2, players: team(0, [5, 5, 5], { partyId: 'x' }) };
    const [found] = fold(synelo, [[0, party]]);

    expect(found).toMatchObject({ outcome: 'nobody-fits', directive: null });
    expect(found?.why).toEqual([
      message('balance.sizes', { larger: 3, smaller: 0 }),
      message('balance.nobody-free', { from: 0 }),
    ]);
  });

  it.each([
    ['sandbox', { mode: 'sandbox' }],
    ['the last minutes', { secondsLeft: 179 }],
    ['a ranked match (L17)', { ranked: true }],
  ])('makes no move in %s, and resets the delay', (_, more) => {
    const found = fold(edge, [
      [0, stomp],
      [20_000, { ...stomp, ...more }],
      [21_000, stomp],
    ]);

    expect(found.map(({ outcome }) => outcome)).toEqual(['delayed', 'exempt', 'delayed']);
    expect(found[1]?.finding).toMatchObject({ verdict: 'exempt', imbalance: null });
  });

  it('moves in ranked matches whose rules ask for it (L17)', () => {
    const [, found] = fold({ ...edge, ranked: 'move' }, [
      [0, { ...stomp, ranked: true }],
      [20_000, { ...stomp, ranked: true }],
    ]);

    expect(found?.outcome).toBe('moves');
  });

  it('evens teams out after a vote, once per vote (L14)', () => {
    const roster = teams([9, 5, 4], [6, 3, 1]);
    const before = check(roster, hive, freshBalance, 0);
    const voted = check(roster, hive, callVote(before.state), 1_000);

    expect(before.outcome).toBe('balanced');
    expect(voted.outcome).toBe('moves');
    expect(voted.directive?.why).toEqual([
      message('balance.stronger', { voted: true, from: 0, to: 1, raised: null }),
      moving([1, 1], [1, 0]),
    ]);
    expect(check(roster, hive, voted.state, 20_000).outcome).toBe('balanced');
    // A vote that finds nothing to do is used up, too.
    const spent = check(even, hive, callVote(freshBalance), 0);
    expect(spent.state.voted).toBe(false);
  });

  it('changes nothing with the policy none', () => {
    expect(fold(none, [[0, stomp]])[0]).toMatchObject({
      outcome: 'balanced',
      why: [message('balance.off')],
    });
  });

  it('does not move a player whom another rule would move back', () => {
    // 4:2, the smaller team stronger: 12 against 20. Any move makes it over 20 % more so.
    const roster = teams([3, 3, 3, 3], [10, 10]);
    const both = { ...synelo, rules: [...synelo.rules, ...twentyPercent.rules] };

    expect(fold(synelo, [[0, roster]])[0]?.outcome).toBe('moves');
    expect(fold(both, [[0, roster]])[0]?.outcome).toBe('nobody-fits');
  });

  it('treats time that runs backwards as no time', () => {
    const found = fold(edge, [
      [50_000, stomp],
      [10_000, stomp],
    ]);

    expect(found[1]).toMatchObject({ outcome: 'delayed', dueAt: 70_000 });
  });

  it('keeps its state as plain JSON', () => {
    const { state } = check(teams([5, 5, 5, 5], [9]), synelo, freshBalance, 0);

    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it.each([
    ['a player named twice', { teams: 2, players: [...team(0, [1]), ...team(0, [1])] }, 'named twice'],
    ['an unknown team', { teams: 2, players: team(2, [1]) }, 'on team 2'],
    ['invalid points', { teams: 2, players: team(0, [1], { points: Number.NaN }) }, 'points'],
    ['an invalid number of teams', { teams: -1, players: [] }, '-1 teams'],
    ['no time', { teams: 2, players: [], secondsLeft: Number.NaN }, 'secondsLeft'],
    ['an invalid mean of bots', { teams: 2, players: [], meanBot: Number.NaN }, 'meanBot'],
  ])('refuses %s', (_, roster, words) => {
    expect(() => check(roster, edge, freshBalance, 0)).toThrow(words);
  });
});

describe('policies', () => {
  it('are data', () => {
    expect(Object.keys(policies)).toEqual([
      'none',
      'sectors-edge-1.2.1',
      'sectors-edge-1.2.2',
      'synelo',
      'hive',
      'twenty-percent',
      'muster',
    ]);
    expect(JSON.parse(JSON.stringify(policies))).toEqual(policies);
  });

  it('of our own moves any player 5 s into a stomp, and the next one to die 10 s into less', () => {
    const stomped = teams([30, 30, 20, 10], [20, 20, 20, 10]);
    const [found, moved] = fold(muster, [
      [1_000, stomped],
      [6_000, stomped],
    ]);
    expect(found).toMatchObject({ outcome: 'delayed', dueAt: 6_000 });
    // 90 to 70: moving the player with 10 makes it 80 to 80.
    expect(moved!.directive?.moves).toMatchObject([{ playerId: 'a3', from: 0, to: 1 }]);

    const uneven = teams([30, 30, 20, 5], [25, 25, 20, 5]);
    const [early, waits, dead] = fold(muster, [
      [1_000, uneven],
      [11_000, uneven],
      [12_000, change(uneven, { a3: { alive: false } })],
    ]);
    expect(early).toMatchObject({ outcome: 'delayed', dueAt: 11_000 });
    expect(waits).toMatchObject({ outcome: 'waiting', forOneOf: ['a3'] });
    expect(dead!.directive?.moves).toMatchObject([{ playerId: 'a3', from: 0, to: 1 }]);

    const near = teams([28, 25, 20, 5], [25, 25, 20, 5]);
    expect(check(near, muster, freshBalance, 60_000).outcome).toBe('balanced');
  });

  it('of our own swap players where no single move makes the teams more even', () => {
    // 9500 to 7000, 35.71 % apart: any single move leaves 7600 to 8900, 17 %.
    const apart = teams([1900, 1900, 1900, 1900, 1900], [1400, 1400, 1400, 1400, 1400]);
    const [, swapped] = fold(muster, [
      [0, apart],
      [5_000, apart],
    ]);
    const after = afterMoves(apart, swapped!.directive!.moves);

    expect(swapped!.directive!.moves).toHaveLength(4);
    expect(swapped!.why).toContainEqual(moving([2, 1], [2, 0]));
    expect(sumsOf(after)).toEqual([8500, 8000]);
    expect(check(after, muster, swapped!.state, 6_000).outcome).toBe('balanced');
  });
});
