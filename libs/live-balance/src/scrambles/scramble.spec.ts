import { message, scrambleModes, type ScrambleMode } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, teams } from '../../test-support/rosters.js';
import { synelo } from '../policies.js';
import {
  freshScramble,
  scrambleAfter,
  scramblePool,
  type RoundEvent,
  type ScrambleState,
} from './scramble.js';

const rules = synelo.scramble!;

const won = (round: number, winner: number | null, more: object = {}): RoundEvent => ({
  kind: 'round-ended',
  round,
  winner,
  ...more,
});
const took = (round: number, team: number): RoundEvent => ({ kind: 'captured', round, team });
const done: RoundEvent = { kind: 'scrambled' };
const waited: RoundEvent = { kind: 'waiting-ended' };

/** The triggers that fire at each event. */
function fired(mode: ScrambleMode, events: readonly RoundEvent[]): (string | null)[] {
  let state: ScrambleState = freshScramble;
  return events.map((event) => {
    const step = scrambleAfter(mode, rules, state, event);
    ({ state } = step);
    return step.trigger && `${step.trigger.cause} into ${step.trigger.into}`;
  });
}

describe('scramble triggers (L12)', () => {
  it.each<[string, ScrambleMode, RoundEvent[], (string | null)[]]>([
    ['arena: always after the duel', 'arena', [won(1, 0)], ['second-round into teams']],
    ['arena: always, though nobody won the duel', 'arena', [won(1, null)], ['second-round into teams']],
    [
      'arena: three in a row with the same teams, the duel not counted',
      'arena',
      [won(1, 0), done, won(2, 0), won(3, 0), won(4, 0)],
      ['second-round into teams', null, null, null, 'streak into teams'],
    ],
    [
      'arena: three in a row, again',
      'arena',
      [won(1, 0), done, won(2, 1), won(3, 1), won(4, 1), done, won(5, 1), won(6, 1), won(7, 1)],
      [
        'second-round into teams',
        null,
        null,
        null,
        'streak into teams',
        null,
        null,
        null,
        'streak into teams',
      ],
    ],
    [
      'arena: a draw breaks a streak',
      'arena',
      [won(1, 0), done, won(2, 0), won(3, 0), won(4, null), won(5, 0), won(6, 0)],
      ['second-round into teams', null, null, null, null, null, null],
    ],
    [
      'arena: the other team breaks a streak',
      'arena',
      [won(1, 0), done, won(2, 0), won(3, 0), won(4, 1), won(5, 0), won(6, 0), won(7, 0)],
      ['second-round into teams', null, null, null, null, null, null, 'streak into teams'],
    ],
    [
      'arena: a duel follows the waiting phase, teams follow the duel',
      'arena',
      [waited, won(1, 0)],
      ['waiting-ended into duel', 'second-round into teams'],
    ],
    [
      'attack/defend: the attackers captured nothing',
      'attack-defend',
      [won(1, 1, { attackers: 0 })],
      ['no-capture into teams'],
    ],
    [
      'attack/defend: the attackers captured something, then two rounds are over',
      'attack-defend',
      [took(1, 0), won(1, 1, { attackers: 0 }), took(2, 1), won(2, 0, { attackers: 1 })],
      [null, null, null, 'full-rounds into teams'],
    ],
    [
      'payload: captures of the defenders do not count for the attackers',
      'payload',
      [took(1, 1), won(1, 1, { attackers: 0 })],
      [null, 'no-capture into teams'],
    ],
    ['payload: attackers who won have captured', 'payload', [won(1, 0, { attackers: 0 })], [null]],
    [
      'payload: stages are no full rounds',
      'payload',
      [won(1, 0, { full: false }), won(2, 0, { full: false }), won(3, 1), won(4, 1)],
      [null, null, null, 'full-rounds into teams'],
    ],
    [
      'payload: rounds are counted anew after a scramble',
      'payload',
      [won(1, 1, { attackers: 0 }), done, won(2, 1), won(3, 0)],
      ['no-capture into teams', null, null, 'full-rounds into teams'],
    ],
    [
      'king of the hill: one team never captured the point',
      'king-of-the-hill',
      [took(1, 0), won(1, 0)],
      [null, 'no-capture into teams'],
    ],
    [
      'king of the hill: both captured it',
      'king-of-the-hill',
      [took(1, 1), took(1, 0), won(1, 0)],
      [null, null, null],
    ],
    [
      'control points: captures count in their own round',
      'control-points',
      [took(1, 1), took(1, 0), won(1, 0), took(2, 0), won(2, 0)],
      [null, null, null, null, 'no-capture into teams'],
    ],
    ['control points: nobody won', 'control-points', [took(1, 1), won(1, null)], [null, null]],
    [
      'capture the flag: one team never captured it',
      'capture-the-flag',
      [took(1, 1), took(1, 1), won(1, 1)],
      [null, null, 'no-capture into teams'],
    ],
    [
      'no streaks outside arena',
      'capture-the-flag',
      [1, 2, 3, 4].flatMap((round) => [took(round, 0), took(round, 1), won(round, 0)]),
      Array.from({ length: 12 }, () => null),
    ],
    ...scrambleModes
      .filter((mode) => mode !== 'arena')
      .map((mode): [string, ScrambleMode, RoundEvent[], (string | null)[]] => [
        `${mode}: when waiting for players ends, once`,
        mode,
        [waited, waited, done, waited],
        ['waiting-ended into teams', null, null, null],
      ]),
  ])('%s', (_, mode, events, expected) => {
    expect(fired(mode, events)).toEqual(expected);
  });

  it('stays due until it is done', () => {
    const first = scrambleAfter('arena', rules, freshScramble, won(1, 0));
    const later = scrambleAfter('arena', rules, first.state, won(2, 0));

    expect(later.state.pending).toEqual(first.trigger);
    expect(scrambleAfter('arena', rules, later.state, done).state.pending).toBeNull();
    expect(first.trigger?.why).toEqual([message('scramble.duel-over')]);
  });

  it('ignores a repeated event', () => {
    const { state } = scrambleAfter('payload', rules, freshScramble, won(1, 1));

    expect(scrambleAfter('payload', rules, state, won(1, 1))).toEqual({ state, trigger: null });
    expect(scrambleAfter('payload', rules, state, took(1, 1))).toEqual({ state, trigger: null });
  });

  it('refuses invalid rounds and teams', () => {
    expect(() => fired('arena', [won(0, 0)])).toThrow('Round 0');
    expect(() => fired('arena', [won(1, 2)])).toThrow('no team 2');
    expect(() => fired('arena', [took(1, -1)])).toThrow('no team -1');
  });

  it('never fires twice for one cause, for any events', () => {
    const round = fc.integer({ min: 1, max: 9 });
    const side = fc.nat({ max: 1 });
    const event: fc.Arbitrary<RoundEvent> = fc.oneof(
      fc.constant(waited),
      fc.constant(done),
      fc.tuple(round, side).map(([each, team]) => took(each, team)),
      fc
        .record({ round, winner: fc.constantFrom(0, 1, null), attackers: side, full: fc.boolean() })
        .map(({ round: each, winner, ...more }) => won(each, winner, more)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...scrambleModes), fc.array(event, { maxLength: 40 }), (mode, events) => {
        let state: ScrambleState = freshScramble;
        let due = false;
        const causes: string[] = [];
        for (const each of events.flatMap((one) => [one, one])) {
          const step = scrambleAfter(mode, rules, state, each);
          if (step.trigger) {
            // While one is due, none fires.
            expect(due).toBe(false);
            causes.push(`${step.trigger.cause} after ${step.trigger.afterRound}`);
            expect(step.trigger.why).toHaveLength(1);
          }
          due = each.kind !== 'scrambled' && (due || step.trigger?.into === 'teams');
          expect(step.state.pending !== null).toBe(due);
          expect(step.state.rounds).toBeGreaterThanOrEqual(state.rounds);
          ({ state } = step);
        }
        expect(new Set(causes).size).toBe(causes.length);
        expect(causes.filter((cause) => cause.startsWith('waiting')).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 170 },
    );
  });

  it('draws from all but bots, spectators and players on no team; players who waited are included', () => {
    const roster = change(teams([1, 2, 3], [4, 5, 6]), {
      a1: { spectator: true },
      a2: { team: null },
      b1: { bot: true },
      b2: { team: null },
    });

    expect(scramblePool(roster).map(({ playerId }) => playerId)).toEqual(['a0', 'b0']);
    expect(scramblePool(roster, ['b2', 'a1']).map(({ playerId }) => playerId)).toEqual(['a0', 'b0', 'b2']);
  });
});
