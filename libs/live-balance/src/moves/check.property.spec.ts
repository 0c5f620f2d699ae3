import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rosters } from '../../test-support/rosters.js';
import { callVote, check, freshBalance, type BalanceState, type Check } from './check.js';
import { findByPowers, type PowersRule } from './finding.js';
import { hive, policies, sectorsEdge, synelo, twentyPercent } from '../policies.js';
import type { Policy } from '../policy.js';
import { powers } from '../roster/powers.js';
import {
  afterMoves,
  byTeam,
  partySizes,
  sizesOf,
  strengthsOf,
  type Roster,
  type RosterPlayer,
} from '../roster/roster.js';
import { findByWeight, type WeightRule } from './twenty-percent.js';
import { rated } from '../worth.js';

const edge = sectorsEdge('1.2.2');
const powersRule = edge.rules[0] as PowersRule;
const together = (first: Policy, ...others: readonly Policy[]): Policy => ({
  ...first,
  rules: [first, ...others].flatMap(({ rules }) => rules),
});
const variants: Policy[] = [
  ...Object.values(policies),
  together(sectorsEdge('1.2.1'), synelo, twentyPercent),
  { ...together(synelo, twentyPercent, hive), name: 'sizes first' },
  { ...edge, name: 'general', rules: [{ ...powersRule, sizes: 'difference' }] },
  { ...edge, name: 'strict', rules: [{ ...powersRule, strictSizes: true, delayMs: 0 }] },
  { ...edge, name: 'hasty', rules: [{ ...powersRule, onlyDead: false, delayMs: 0 }], ranked: 'move' },
  { ...hive, name: 'even at once', rules: hive.rules.map((rule) => ({ ...rule, onVote: false })) },
];

/** An event on a server between two checks. */
interface Happening {
  readonly kind: 'die' | 'spawn' | 'leave' | 'join' | 'switch' | 'score' | 'vote' | 'obey' | 'nothing';
  readonly who: number;
  readonly rating: number;
  readonly afterMs: number;
}

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom<Happening['kind'][]>(
    'die',
    'die',
    'spawn',
    'leave',
    'join',
    'switch',
    'score',
    'vote',
    'obey',
    'obey',
    'obey',
    'nothing',
  ),
  who: fc.nat({ max: 999 }),
  rating: fc.integer({ min: 0, max: 40 }),
  afterMs: fc.constantFrom(0, 500, 3_000, 9_000, 21_000),
});

function happen(roster: Roster, { kind, who, rating }: Happening, last: Check | null, at: number): Roster {
  const players = [...roster.players];
  const i = players.length > 0 ? who % players.length : -1;
  const player: RosterPlayer | undefined = players[i];
  switch (kind) {
    case 'obey':
      return afterMoves(roster, last?.directive?.moves ?? []);
    case 'join':
      return { ...roster, players: [...players, { playerId: `n${at}`, team: who % roster.teams, rating }] };
    case 'leave':
      return { ...roster, players: players.filter((_, each) => each !== i) };
    case 'vote':
    case 'nothing':
      return roster;
    default:
      if (!player) return roster;
  }
  const changed: Partial<RosterPlayer> =
    kind === 'die'
      ? { alive: false }
      : kind === 'spawn'
        ? { alive: true }
        : kind === 'score'
          ? { points: (player.points ?? 0) + 5 }
          : { team: who % roster.teams };
  players[i] = { ...player, ...changed };
  return { ...roster, players };
}

interface Moment {
  readonly roster: Roster;
  readonly now: number;
  readonly found: Check;
}

/** A match from its start: the roster and the result of each check. */
function play(start: Roster, happenings: readonly Happening[], policy: Policy): Moment[] {
  const moments: Moment[] = [];
  let roster = start;
  let state: BalanceState = freshBalance;
  let now = 1_000_000;
  let last: Check | null = null;
  happenings.forEach((each, i) => {
    now += each.afterMs;
    roster = happen(roster, each, last, i);
    if (each.kind === 'vote') state = callVote(state);
    const found: Check = check(roster, policy, state, now);
    ({ state } = found);
    if (each.kind !== 'nothing') last = found;
    moments.push({ roster, now, found });
  });
  return moments;
}

const match = {
  roster: fc.oneof(
    rosters({ minPlayers: 6, mostTeams: 2 }),
    rosters({ minPlayers: 6, mostTeams: 2 }),
    rosters({ mostTeams: 3 }),
  ),
  happenings: fc.array(happening, { minLength: 5, maxLength: 25 }),
};

function everyMatch(look: (moments: readonly Moment[], policy: Policy) => void, numRuns = 200): void {
  fc.assert(
    fc.property(
      match.roster,
      match.happenings,
      fc.constantFrom(...variants),
      (roster, happenings, policy) => {
        look(play(roster, happenings, policy), policy);
      },
    ),
    { numRuns },
  );
}

const directed = (moments: readonly Moment[]): Moment[] => moments.filter(({ found }) => found.directive);

describe('under any policy and any events', { timeout: 60_000 }, () => {
  it('gives directives of every kind in a good part of these matches', () => {
    // The properties below rely on this.
    const directives = { size: 0, power: 0, weight: 0, difference: 0 };
    everyMatch((moments) => {
      for (const { found } of directed(moments)) directives[found.finding.imbalance!.by]++;
    }, 600);

    for (const number of Object.values(directives)) expect(number).toBeGreaterThan(10);
  });

  it('moves no member of a party, no bot, and no player who is not on the stated team', () => {
    everyMatch((moments) => {
      for (const { roster, found } of directed(moments)) {
        const parties = partySizes(roster);
        const ids = found.directive!.moves.map(({ playerId }) => playerId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { playerId, from, to } of found.directive!.moves) {
          const player = roster.players.find((each) => each.playerId === playerId)!;
          expect(player.team).toBe(from);
          expect(to).not.toBe(from);
          expect(to).toBeLessThan(roster.teams);
          // A player on no team joins instead of moving; their party joins with them.
          if (from === null) continue;
          expect(player.bot ?? false).toBe(false);
          expect(player.spectator ?? false).toBe(false);
          expect(player.partyId !== undefined && parties.has(player.partyId)).toBe(false);
        }
      }
    });
  });

  it('splits no party whose members were on one team', () => {
    everyMatch((moments) => {
      const parted = directed(moments).flatMap(({ roster, found }) => {
        const after = afterMoves(roster, found.directive!.moves);
        return [...partySizes(roster).keys()].filter(
          (partyId) => placesOf(roster, partyId).size === 1 && placesOf(after, partyId).size > 1,
        );
      });

      expect(parted).toEqual([]);
    });
  });

  it('moves nobody twice in a match, nor a player whom the server reports as moved', () => {
    everyMatch((moments) => {
      const moved = new Set<string>();
      moments.forEach(({ roster, found }, i) => {
        for (const { playerId, from } of found.directive?.moves ?? []) {
          if (from === null) continue;
          expect(moved.has(playerId)).toBe(false);
          expect(roster.players.find((each) => each.playerId === playerId)?.moved ?? false).toBe(false);
          // They count as moved when the server has done it, which the next check sees.
          const next = moments[i + 1]?.roster.players.find((each) => each.playerId === playerId);
          if (next && next.team !== from) moved.add(playerId);
        }
      });
    });
  });

  it('gives no directive inside an exemption', () => {
    everyMatch((moments, policy) => {
      for (const { roster, found } of moments) {
        const plain = (roster.mode ?? '').toLowerCase().replaceAll(' ', '');
        const isListed = policy.exempt.modes.some((mode) => mode.replaceAll('-', '') === plain);
        const isLate = (roster.secondsLeft ?? Infinity) < policy.exempt.secondsLeft;
        const isRanked = roster.ranked === true && policy.ranked === 'leave-alone';

        expect(found.outcome === 'exempt').toBe(isListed || isLate || isRanked);
        if (found.outcome === 'exempt') expect(found.directive).toBeNull();
      }
    });
  });

  it('never increases an imbalance, and never reverses it past the threshold', () => {
    everyMatch((moments, policy) => {
      for (const { roster, found } of directed(moments)) {
        const { by, from, to } = found.finding.imbalance!;
        const after = afterMoves(roster, found.directive!.moves);
        const gap = (list: readonly number[]): number => list[from]! - list[to]!;
        const [before, then] = [roster, after].map((each) => gapsOf(each, policy)) as [Gaps, Gaps];

        expect(Math.abs(gap(then[by]))).toBeLessThan(gap(before[by]));
        for (const rule of policy.rules) {
          if (rule.kind === 'powers' && by !== 'difference') {
            // Sector's Edge would ask for the next move at once at 10.
            const swung = findByPowers(after, rule);
            const was = findByPowers(roster, rule);
            if (swung && swung.from === to) expect(was).toMatchObject({ by: swung.by, from: to });
          }
          if (rule.kind === 'weight' && by === 'weight') {
            expect(findByWeight(after, rule)?.from).not.toBe(to);
          }
        }
        if (by === 'size') expect(gap(then.size)).toBeGreaterThan(-2);
        if (by === 'power') expect(gap(then.power)).toBeGreaterThan(-10);
      }
    });
  });

  it('respects the delay, and waits for deaths where the rule says so', () => {
    everyMatch((moments, policy) => {
      let since: { between: string; at: number } | null = null;
      for (const { roster, now, found } of moments) {
        const { imbalance } = found.finding;
        const isSame: boolean = since?.between === `${imbalance?.from} ${imbalance?.to}`;
        if (!isSame) since = imbalance && { between: `${imbalance.from} ${imbalance.to}`, at: now };
        if (!found.directive || policy.rules.length > 1) continue;
        const [rule] = policy.rules;
        expect(now - since!.at).toBeGreaterThanOrEqual(rule!.delayMs);
        if (!rule!.onlyDead) continue;
        for (const { playerId } of found.directive.moves) {
          expect(roster.players.find((each) => each.playerId === playerId)?.alive).toBe(false);
        }
      }
    });
  });

  it('explains itself, with finite numbers', () => {
    everyMatch((moments) => {
      for (const { found } of moments) {
        const whys = [found.why, found.finding.why, ...(found.directive?.moves ?? []).map(({ why }) => why)];
        for (const why of whys) {
          expect(why.length).toBeGreaterThan(0);
          // JSON writes null for a number that is not finite.
          expect(JSON.parse(JSON.stringify(why))).toEqual(why);
        }
      }
    }, 300);
  });

  it('converges when a server obeys', () => {
    fc.assert(
      fc.property(rosters(), fc.constantFrom(...variants), (start, policy) => {
        let roster: Roster = {
          ...start,
          players: start.players.map((player) => ({ ...player, alive: false })),
        };
        let state: BalanceState = freshBalance;
        let directives = 0;
        for (let step = 0; step < 40; step++) {
          const found = check(roster, policy, state, step * 30_000);
          ({ state } = found);
          if (found.directive) directives++;
          roster = afterMoves(roster, found.directive?.moves ?? []);
        }
        const last = check(roster, policy, state, 40 * 30_000);

        expect(['exempt', 'balanced', 'nobody-fits']).toContain(last.outcome);
        expect(directives).toBeLessThanOrEqual(start.players.length);
      }),
      { numRuns: 170 },
    );
  });
});

/** The teams of a party's members, null for none. */
function placesOf(roster: Roster, partyId: string): Set<number | null> {
  return new Set(roster.players.filter((player) => player.partyId === partyId).map(({ team }) => team));
}

type Gaps = Record<'size' | 'power' | 'weight' | 'difference', readonly number[]>;

function gapsOf(roster: Roster, { rules }: Policy): Gaps {
  const version = rules.find((rule) => rule.kind === 'powers')?.version ?? '1.2.1';
  const weight = rules.find((rule): rule is WeightRule => rule.kind === 'weight');
  return {
    size: sizesOf(roster),
    power: byTeam(roster, ({ playerId }) => powers(roster, version).get(playerId)!),
    // Below any share, so that weights are reported even where they are balanced.
    weight: (weight && findByWeight(roster, { ...weight, over: -1 })?.strengths) ?? [0, 0, 0],
    difference: strengthsOf(roster, rated(roster, 'shares')),
  };
}
