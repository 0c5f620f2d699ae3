import { message, Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, rosters, teams } from '../test-support/rosters.js';
import { exemptionOf } from './roster/exemptions.js';
import {
  freshLive,
  applyEvent,
  evaluate,
  type LiveState,
  type Evaluation,
  type MatchEvent,
} from './live-match.js';
import { synelo } from './policies.js';
import type { Policy } from './policy.js';
import { afterMoves, partySizes, playing, sizesOf, spread, type Move, type Roster } from './roster/roster.js';

const noon = 1_700_000_000_000;
const moving: Policy = { ...synelo, ranked: 'move' };
const four: Roster = { ...teams([9, 8, 7, 6], [5, 4, 3, 2]), mode: 'Arena', ranked: true };

/** A match from its start, event by event. */
class Played {
  state: LiveState = freshLive;
  last: Evaluation;
  now = noon;

  constructor(
    public roster: Roster,
    readonly policy: Policy,
  ) {
    this.last = evaluate(roster, policy, this.state, noon);
  }

  /** Evaluates the match after the events, the given milliseconds later. */
  after(ms: number, ...events: readonly MatchEvent[]): Evaluation {
    this.now += ms;
    for (const event of events) {
      const { roster, state } = applyEvent(this, this.policy, event, this.now);
      this.roster = roster;
      this.state = state;
    }
    this.last = evaluate(this.roster, this.policy, this.state, this.now);
    this.state = this.last.state;
    return this.last;
  }

  obey(moves: readonly Move[] = this.last.directive?.moves ?? []): Evaluation {
    return this.after(
      100,
      ...moves.map(({ playerId, to }) => ({ kind: 'team', playerId, team: to }) as const),
    );
  }
}
const ended = (round: number, winner: number | null = 0): MatchEvent => ({
  kind: 'round-ended',
  round,
  winner,
});

describe('a match with rounds', () => {
  it('is scrambled after three wins in a row, all at once and into other teams, and then counts anew', () => {
    const match = new Played(four, moving);
    match.after(0, { kind: 'waiting-ended' }, ended(1));
    expect(match.last.directive).toMatchObject({ kind: 'scramble', exact: true });
    expect(match.last.directive?.why.map(({ code }) => code)).toEqual([
      'scramble.duel-over',
      'scramble.changed',
    ]);
    match.obey();
    expect(match.last.directive).toBeNull();
    expect(match.after(0, ended(2)).directive).toBeNull();
    const before = match.roster;
    const mixed = match.after(0, ended(3)).directive ?? match.after(0, ended(4)).directive;
    expect(mixed).toMatchObject({ kind: 'scramble' });
    expect(mixed?.why[0]).toEqual(message('scramble.streak', { wins: 3 }));
    expect(mixed?.moves[0]?.why).toMatchObject([
      { code: 'balance.you-play-for', params: { to: mixed?.moves[0]?.to } },
      { code: 'scramble.streak' },
    ]);
    expect(afterMoves(before, mixed?.moves ?? [])).not.toEqual(before);
    match.obey();
    expect(match.state).toMatchObject({ mixing: null, rounds: { pending: null, streak: null } });
    expect(match.after(0, ended(match.state.rounds!.rounds + 1)).directive).toBeNull();
  });

  it('moves nobody else while new teams are made, and evaluates again after the deadline', () => {
    const match = new Played(four, moving);
    match.after(0, ended(1));
    const [one] = match.last.directive?.moves ?? [];
    expect(match.last.dueAt).toBe(match.now + moving.withinMs);
    // Two leave: an imbalance, but the teams are about to change.
    const thin = match.after(1_000, { kind: 'leave', playerId: 'b0' }, { kind: 'leave', playerId: 'b1' });
    expect(thin).toMatchObject({ directive: null, why: [{ code: 'scramble.soon' }] });
    match.obey(one ? [one] : []);
    // The server made one move and no more: the others are dropped, and sizes are checked.
    const late = match.after(moving.withinMs);
    expect(late.state.mixing).toBeNull();
    expect(late.state.rounds?.pending).toBeNull();
    expect(spread(sizesOf(match.roster)) >= 2 ? late.directive?.kind : 'none').toBe(
      spread(sizesOf(match.roster)) >= 2 ? 'balance' : 'none',
    );
  });

  it('defers a scramble until an order under way has been carried out', () => {
    const match = new Played(teams([9, 8, 7, 6], [5, 4]), {
      ...moving,
      scramble: { ...synelo.scramble!, mode: 'payload' },
    });
    expect(match.after(0).directive).toMatchObject({ kind: 'balance' });
    const waits = match.after(0, { kind: 'round-ended', round: 1, winner: 1, attackers: 0 });
    expect(waits).toMatchObject({ directive: null, dueAt: noon + moving.withinMs });
    const moved = waits.state.ordered?.moves ?? [];
    expect(match.obey(moved).directive).toMatchObject({ kind: 'scramble' });
    // Players moved by balance count as moved; players moved by a scramble do not.
    match.obey();
    expect(match.state.moved).toEqual(moved.map(({ playerId }) => playerId));
  });

  it.each<[string, MatchEvent[]]>([
    ['when the attackers captured nothing', [{ kind: 'round-ended', round: 1, winner: 1, attackers: 0 }]],
    ['after so many rounds', [ended(1), ended(2, 1)]],
  ])('is scrambled %s, though its teams are the most even by rating', (_, events) => {
    const match = new Played({ ...teams([9, 2], [8, 4]), mode: 'payload' }, moving);
    expect(match.after(0, ...events).directive).toMatchObject({ kind: 'scramble', exact: true });
  });

  it('starts a new delay with its new teams', () => {
    const strong = change(teams([20, 20, 1, 1], [9, 3, 2, 1]), {
      a0: { partyId: 'x' },
      a1: { partyId: 'x' },
    });
    const rules = [{ kind: 'weight', over: 0.2, partyFactors: [], delayMs: 5_000, onlyDead: false }] as const;
    const match = new Played({ ...strong, mode: 'payload' }, { ...moving, rules });
    expect(match.after(0).dueAt).toBe(noon + 5_000);
    expect(match.after(4_000, ended(1), ended(2)).directive).toMatchObject({ kind: 'scramble' });
    expect(match.obey().dueAt).toBe(match.now + 5_000);
    expect(match.after(4_900).directive).toBeNull();
  });

  it('stays unchanged where its policy never scrambles, exempts ranked matches, or it is nearly over', () => {
    for (const [roster, of] of [
      [four, { ...moving, scramble: null }],
      [four, synelo],
      [
        { ...four, secondsLeft: 10 },
        { ...moving, exempt: { modes: [], secondsLeft: 60 } },
      ],
    ] as const) {
      const match = new Played(roster, of);
      expect(match.after(0, ended(1), ended(2), ended(3), ended(4)).directive).toBeNull();
    }
  });

  it('says so where no rule defines when its teams are scrambled', () => {
    const match = { roster: { ...four, mode: 'dance' }, state: freshLive };
    expect(() => applyEvent(match, moving, ended(1), noon)).toThrow(
      /the mode dance; name one in the policy’s scramble\.mode/,
    );
    expect(() => applyEvent({ ...match, roster: four }, moving, ended(1, 7), noon)).toThrow(Unsolvable);
  });
});

describe('a side pick (L16)', () => {
  const sides: MatchEvent = { kind: 'side-pick', winners: ['a0', 'a1'] };
  const wish = (playerId: string, side: 0 | 1 | 'random'): MatchEvent => ({ kind: 'wish', playerId, side });

  it('hides wishes for 30 s, then grants those that balance allows and divides the last winners', () => {
    const match = new Played(teams([5, 5, 4, 4], [5, 5, 4, 4]), moving);
    // The latest wish of a player counts.
    const open = match.after(0, sides, wish('a0', 0), wish('b2', 0), wish('a0', 1));
    expect(open).toMatchObject({ directive: null, dueAt: noon + 30_000 });
    expect(open.why).toEqual([message('sides.named', { players: 2 })]);
    expect(match.after(29_999).directive).toBeNull();
    const over = match.after(1);
    expect(over.directive).toMatchObject({ kind: 'sides' });
    const after = afterMoves(match.roster, over.directive?.moves ?? []);
    const teamOf = new Map(after.players.map(({ playerId, team }) => [playerId, team]));
    expect([teamOf.get('a0'), teamOf.get('a1'), teamOf.get('b2')]).toEqual([1, 0, 0]);
    expect(over.why).toEqual([message('sides.chosen', { met: 2, wishes: 2 })]);
    match.obey();
    expect(match.state).toMatchObject({ sides: null, mixing: null });
  });

  it('takes no wish when none is open, and none for more than two teams or in an exempt match', () => {
    expect(() => new Played(four, moving).after(0, wish('a0', 1))).toThrow(/no side pick is open/);
    const match = new Played(four, moving);
    match.after(0, sides);
    match.now += 30_000;
    expect(() => match.after(0, wish('a0', 1))).toThrow(/no side pick is open/);
    expect(() => new Played(teams([1], [1], [1]), moving).after(0, sides)).toThrow(/3 teams/);
    expect(() => new Played(four, synelo).after(0, sides)).toThrow(
      expect.objectContaining({ facts: { messages: [message('balance.ranked')] } }),
    );
  });

  it('precedes a scramble that is due, and makes it unnecessary', () => {
    const match = new Played(four, moving);
    match.after(0, sides, ended(1));
    expect(match.last.directive).toBeNull();
    expect(match.after(30_000).directive?.kind).toBe('sides');
    expect(match.state.rounds?.pending).toBeNull();
  });
});

describe('under any events', () => {
  /** The next event, by the players present and the round; or the server obeys, wholly or in part. */
  type Next = ((playerId: string, round: number) => MatchEvent) | 'obey' | 'obey half';
  const side = fc.constantFrom<(0 | 1)[]>(0, 1);
  const what: fc.Arbitrary<Next> = fc.oneof(
    fc
      .constantFrom<('leave' | 'death' | 'spawn')[]>('leave', 'death', 'spawn')
      .map((kind): Next => (playerId) => ({ kind, playerId })),
    fc
      .constantFrom<('round' | 'waiting-ended' | 'vote' | 'side-pick')[]>(
        'round',
        'waiting-ended',
        'vote',
        'side-pick',
      )
      .map((kind): Next => () => ({ kind })),
    fc.constantFrom<Next[]>('obey', 'obey', 'obey half'),
    side.map((team): Next => (_, round) => ({ kind: 'captured', round, team })),
    fc
      .tuple(side, side)
      .map(([winner, attackers]): Next => (_, round) => ({ kind: 'round-ended', round, winner, attackers })),
    side.map((wanted): Next => (playerId) => ({ kind: 'wish', playerId, side: wanted })),
  );
  const modes = fc.constantFrom('arena', 'payload', 'capture-the-flag', 'king-of-the-hill');

  it('there is one order at a time; new teams keep parties, bots and sizes; none comes inside an exemption', () => {
    fc.assert(
      fc.property(
        rosters({ minPlayers: 4, maxPlayers: 10 }),
        modes,
        fc.array(fc.tuple(what, fc.constantFrom(0, 2_000, 11_000, 31_000), fc.nat({ max: 30 })), {
          minLength: 8,
          maxLength: 30,
        }),
        fc.constantFrom<Policy['ranked'][]>('move', 'move', 'move', 'leave-alone'),
        (roster, mode, story, ranked) => {
          const exempt = { modes: [], secondsLeft: 180 };
          const match = new Played({ ...roster, mode }, { ...moving, ranked, exempt });
          let last: { at: number; moves: readonly Move[] } | null = null;
          for (const [each, ms, who] of story) {
            const { players } = match.roster;
            const meant = players[who % Math.max(1, players.length)]?.playerId ?? 'nobody';
            const { mixing, ordered, rounds } = match.state;
            try {
              if (each === 'obey') match.obey(mixing?.moves ?? ordered?.moves ?? []);
              else if (each === 'obey half') match.obey((mixing?.moves ?? []).slice(1));
              else match.after(ms, each(meant, (rounds?.rounds ?? 0) + 1));
            } catch (error) {
              expect(error).toBeInstanceOf(Unsolvable);
              continue;
            }
            const { directive, state } = match.last;
            if (!directive) continue;
            if (last && match.now - last.at < moving.withinMs) {
              const teamOf = new Map(playing(match.roster).map(({ playerId, team }) => [playerId, team]));
              const open = last.moves.filter(
                ({ playerId, from }) => from !== null && teamOf.get(playerId) === from,
              );
              expect(open).toEqual([]);
            }
            last = { at: match.now, moves: directive.moves };
            expect(exemptionOf(match.roster, match.policy.exempt, match.policy.ranked)).toBeNull();
            if (directive.kind === 'balance') continue;
            expect(state.mixing?.moves).toHaveLength(directive.moves.length);
            const after = afterMoves(match.roster, directive.moves);
            const bots = new Set(after.players.filter(({ bot }) => bot).map(({ playerId }) => playerId));
            expect(directive.moves.some(({ playerId }) => bots.has(playerId))).toBe(false);
            if (directive.kind === 'scramble') expect(spread(sizesOf(after))).toBeLessThanOrEqual(1);
            const parties = partySizes(match.roster);
            const sides = new Map<string, Set<number>>();
            for (const { partyId, team, bot } of playing(after))
              if (partyId !== undefined && parties.has(partyId) && !bot)
                sides.set(partyId, (sides.get(partyId) ?? new Set()).add(team));
            for (const on of sides.values()) expect(on.size).toBe(1);
          }
          // The state survives serialisation.
          expect(JSON.parse(JSON.stringify(match.state))).toEqual(match.state);
        },
      ),
      { numRuns: 130 },
    );
  });
});
