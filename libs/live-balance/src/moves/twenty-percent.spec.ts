import { message } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, choices, team, teams } from '../../test-support/rosters.js';
import type { Choice, Guards, Imbalance } from './imbalance.js';
import { twentyPercent } from '../policies.js';
import { afterMoves, movableFrom, spread, sumsOf, type Move, type Roster } from '../roster/roster.js';
import { chooseByWeight, findByWeight, type WeightRule } from './twenty-percent.js';

const rule = twentyPercent.rules[0] as WeightRule;
const open: Guards = { movedBefore: new Set(), swings: () => false, settles: () => false };

function choice(roster: Roster, with_: Partial<WeightRule> = {}, guards: Guards = open): Choice {
  const used = { ...rule, ...with_ };
  const imbalance = findByWeight(roster, used);
  if (!imbalance) throw new Error('balanced');
  return chooseByWeight(roster, used, imbalance, guards);
}

const ids = (made: Choice): string[] =>
  made.outcome === 'moves' ? made.moves.map(({ playerId }) => playerId) : [made.outcome];

/** Every way in which this many players trade places with this many others. */
function exchanges(
  roster: Roster,
  { from, to }: Imbalance,
  out: number,
  back: number,
  last: string | undefined,
): Move[][] {
  const [going, coming] = [from, to].map((each) =>
    movableFrom(roster, each).filter(({ playerId }) => playerId !== last),
  ) as [ReturnType<typeof movableFrom>, ReturnType<typeof movableFrom>];
  return [...choices(going, out)].flatMap((some) =>
    [...choices(coming, back)].map((others) => [
      ...some.map(({ playerId }) => ({ playerId, from, to })),
      ...others.map(({ playerId }) => ({ playerId, from: to, to: from })),
    ]),
  );
}

describe('the 20 % rule (L9)', () => {
  it.each([
    ['exactly 20 %', teams([12], [10]), null],
    ['more than 20 %', teams([12.01], [10]), { from: 0, to: 1 }],
    ['the second team', teams([10], [12.01]), { from: 1, to: 0 }],
    ['nobody on a team', teams([1], []), { from: 0, to: 1 }],
    ['no players', teams([], []), null],
    ['sizes, which do not matter', teams([10], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), null],
    // 4 is added to each: 8 to 7, and 13 to 7.
    ['negative ratings, raised and even', teams([-1, 1], [-2, 1]), null],
    ['negative ratings, raised', teams([-1, 1, 1], [-2, 1]), { from: 0, to: 1 }],
    ['three of −10 and three of −12', teams([-10, -10, -10], [-12, -12, -12]), null],
    ['five against two, all of −5', teams([-5, -5, -5, -5, -5], [-5, -5]), { from: 0, to: 1 }],
    ['five against two, all of 0', teams([0, 0, 0, 0, 0], [0, 0]), { from: 0, to: 1 }],
  ])('%s', (_, roster, expected) => {
    const found = findByWeight(roster, rule);

    expect(found && { from: found.from, to: found.to }).toEqual(expected);
  });

  it('leaves the super team of the proposal alone: 38.4 is 20 % above 32, not over it', () => {
    const party = team(0, [11, 11, 10], { partyId: 'super' });
    const roster: Roster = {
      teams: 2,
      players: [...party, ...team(1, [5, 5, 5, 3, 3, 3, 2, 2, 1, 1, 1, 1])],
    };

    expect(findByWeight(roster, rule)).toBeNull();
    // One of them leaves: the others count 1.15 times, and are too weak by far.
    const fewer = { ...roster, players: roster.players.filter(({ playerId }) => playerId !== 'a2') };
    const found = findByWeight(fewer, rule);
    expect(found?.strengths.map((weight) => Math.round(weight * 100) / 100)).toEqual([25.3, 32]);
    expect(ids(choice(fewer))).toEqual(['b3']);
  });

  it.each([
    [1, 10],
    [2, 23],
    [3, 36],
    [4, 50],
    [6, 75],
  ])('counts a party of %i as the proposal does', (size, weight) => {
    const roster: Roster = {
      teams: 2,
      players: team(
        0,
        Array.from({ length: size }, () => 10),
        { partyId: 'x' },
      ),
    };

    expect(findByWeight(roster, rule)?.strengths[0]).toBeCloseTo(weight);
  });

  it('counts what the proposal writes as 22.5: it is 22.2', () => {
    const roster: Roster = { teams: 2, players: team(0, [7, 6, 5.5], { partyId: 'x' }) };

    expect(findByWeight(roster, rule)?.strengths[0]).toBeCloseTo(22.2);
  });

  it('moves the player who brings the weights closest, of those not in a party', () => {
    // 30 against 20: half of 10 is 5.
    expect(ids(choice(teams([14, 9, 4, 3], [20])))).toEqual(['a2']);
    const party = change(teams([14, 9, 4, 3], [20]), { a2: { partyId: 'x' }, a0: { partyId: 'x' } });
    // The party counts 1.15 times: 32.7 against 20.
    expect(ids(choice(party))).toEqual(['a1']);
  });

  it('repeats until they are balanced', () => {
    // 40 against 4: 18 is wanted. 10 leaves 30:14, then 8 is wanted: 10 leaves 20:24, within 20 %.
    expect(ids(choice(teams([10, 10, 10, 10], [4])))).toEqual(['a0', 'a1']);
    expect(ids(choice(teams([6, 6, 6, 6, 6, 6], [])))).toEqual(['a0', 'a1', 'a2']);
  });

  it('stops where no player brings them closer', () => {
    expect(choice(teams([30], [20]))).toEqual({
      outcome: 'nobody-fits',
      why: [message('balance.no-closer', { from: 0, to: 1 })],
    });
    expect(choice(change(teams([10, 10], [5]), { a0: { moved: true }, a1: { bot: true } }))).toMatchObject({
      outcome: 'nobody-fits',
    });
  });

  it('swaps where no move fits, with as few players as make them balanced', () => {
    // Any single move makes the other team the heavier one by over 12 %.
    const finer: WeightRule = { ...rule, over: 0.12 };
    const stomp = teams([1900, 1900, 1900, 1900, 1900], [1400, 1400, 1400, 1400, 1400]);
    const guards: Guards = {
      ...open,
      swings: (moves) => findByWeight(afterMoves(stomp, moves), finer)?.from === 1,
    };
    const swapped = choice(stomp, {}, guards);

    expect(swapped).toMatchObject({
      moves: [
        { from: 0, to: 1 },
        { from: 1, to: 0 },
      ],
    });
    expect(choice(stomp, { over: 0.12 }, guards)).toMatchObject({ moves: { length: 4 } });
    expect(choice(stomp, { mostMoved: 1 }, guards)).toMatchObject({ outcome: 'nobody-fits' });
    expect(choice(stomp, { onlyDead: true }, guards)).toMatchObject({ outcome: 'waits' });
  });

  it('excludes the last player to arrive from swaps', () => {
    // 30 against 20: only 20 for 15 makes them even, and 15 came last.
    const roster = teams([20, 10], [5, 15]);

    expect(choice(roster, {}, { ...open, swings: (moves) => moves.length === 1 })).toMatchObject({
      moves: [{ playerId: 'a1' }, { playerId: 'b0' }],
    });
  });

  it('leaves teams as close as any exchange within the limit does', () => {
    const list = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        // A player who may not be moved came last.
        const roster = { teams: 2, players: [...teams(a, b).players, ...team(1, [0], { bot: true })] };
        const last = roster.players.findLast(({ bot }) => !bot)?.playerId;
        const noMove: Guards = {
          ...open,
          swings: (moves) => moves.every(({ from }) => from === moves[0]?.from),
        };
        const found = findByWeight(roster, rule);
        fc.pre(found !== null);
        const made = chooseByWeight(roster, rule, found!, noMove);
        const gapOf = (moves: readonly Move[]): number => spread(sumsOf(afterMoves(roster, moves)));
        const ways = [1, 2, 3].flatMap((out) =>
          [1, 2, 3]
            .filter((back) => out + back <= 4)
            .flatMap((back) => exchanges(roster, found!, out, back, last)),
        );
        const balances = (moves: readonly Move[]): boolean =>
          findByWeight(afterMoves(roster, moves), rule) === null;
        const closest = Math.min(...ways.map(gapOf));

        if (made.outcome !== 'moves') expect(closest).toBeGreaterThanOrEqual(gapOf([]));
        else if (ways.some(balances)) expect(balances(made.moves)).toBe(true);
        else expect(gapOf(made.moves)).toBe(closest);
      }),
      { numRuns: 100 },
    );
  });

  it('asks before every move, and can wait for deaths', () => {
    const roster = teams([10, 10, 10, 10], [4]);

    expect(ids(choice(roster, {}, { ...open, swings: (moves) => moves.length > 1 }))).toEqual(['a0']);
    expect(choice(roster, { onlyDead: true })).toMatchObject({ outcome: 'waits' });
    expect(ids(choice(change(roster, { a3: { alive: false } }), { onlyDead: true }))).toEqual(['a3']);
  });

  it('reports by how much', () => {
    const why = (first: number[], second: number[]) => findByWeight(teams(first, second), rule)?.why;
    const both = { from: 0, to: 1 };
    expect(why([15], [10])).toEqual([
      message('balance.share-stronger', { ...both, percent: 50, raised: null }),
    ]);
    expect(why([15], [])).toEqual([message('balance.nobody-to-stand', both)]);
    expect(why([15], [0, 0])).toEqual([message('balance.weighs-nothing', both)]);
    expect(why([-5, -5], [-5])).toEqual([
      message('balance.share-stronger', { ...both, percent: 100, raised: 10 }),
    ]);
  });
});
