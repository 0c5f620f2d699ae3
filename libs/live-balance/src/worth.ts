import { shown } from '@muster/domain';
import type { BalanceRule, Policy } from './policy.js';
import { powers } from './powers.js';
import { partySizes, type Roster, type RosterPlayer } from './roster.js';

/**
 * How ratings are read. `shares`: sums are held against each other as shares, so that a rating of 0 has to mean nobody.
 * `differences`: ratings have no zero, and the same added to all of them changes nothing.
 */
export type Reading = 'shares' | 'differences';

/**
 * The rating that counts as nobody.
 *
 * Of differences it is the lowest on the roster: nobody counts for less than nothing, whatever the ratings begin at.
 *
 * Of shares it is 0 where no rating is below it. Where one is, the pool has no such zero, and its lowest rating as one would
 * make a team of its weakest players nobody at all; so zero is moved twice as far down as the lowest rating: whoever has that
 * counts for as much as they are below 0. It moves without a jump, so that a rating a little below 0 changes little. Where all
 * are 0 it is −1: everybody counts alike.
 */
export function zeroOf(ratings: readonly number[], reading: Reading): number {
  if (ratings.length === 0) return 0;
  const lowest = ratings.reduce((least, rating) => Math.min(least, rating));
  if (reading === 'differences') return lowest;
  if (lowest < 0) return 2 * lowest;
  return ratings.every((rating) => rating === 0) ? -1 : 0;
}

/** What is added to every rating before shares are taken; 0 where none is below 0 and not all are 0. */
export const raisedBy = (roster: Roster): number => 0 - zeroOf(ratingsOf(roster), 'shares');

/** What was added to every rating, as messages tell it; null where nothing was. */
export function raisedParam(roster: Roster): number | null {
  return ratingsOf(roster).some((rating) => rating < 0) ? shown(raisedBy(roster)) : null;
}

/** Of everybody who plays or may be put on a team yet, so that nobody's place changes what others count for. */
const ratingsOf = ({ players }: Roster): number[] =>
  players.filter(({ spectator }) => !spectator).map(({ rating }) => rating);

/** What somebody who plays counts for. */
export type Worth = (player: RosterPlayer) => number;

/** What everybody who plays counts for by a rule: teams are as strong as the sum of it. */
export function worthByRule(roster: Roster, rule: BalanceRule): Worth {
  switch (rule.kind) {
    case 'powers': {
      const powerOf = new Map(powers(roster, rule.version).map(({ playerId, power }) => [playerId, power]));
      return ({ playerId }) => powerOf.get(playerId) ?? 0;
    }
    case 'weight':
      return weighed(roster, rule.partyFactors);
    case 'sizes':
      return rated(roster, 'differences');
    case 'swaps':
      return rated(roster, 'shares');
  }
}

/** Ratings above the one that counts as nobody. */
export function rated(roster: Roster, reading: Reading): Worth {
  const zero = zeroOf(ratingsOf(roster), reading);
  return ({ rating }) => rating - zero;
}

function weighed(roster: Roster, factors: readonly number[]): Worth {
  const parties = partySizes(roster);
  const worth = rated(roster, 'shares');
  return (player) => {
    const size = (player.partyId === undefined ? undefined : parties.get(player.partyId)) ?? 1;
    return worth(player) * (factors[Math.min(size, factors.length - 1)] ?? 1);
  };
}

/**
 * What everybody who plays counts for by a policy: one measure for all that it decides, so that no two of its answers disagree
 * about which team is the stronger. It is that of its first rule; without rules, or with one of sizes, ratings: read as
 * shares where newcomers are placed by them whatever the sizes, or come and go with bots, else as differences.
 */
export function worthBy(roster: Roster, { rules, placement }: Pick<Policy, 'rules' | 'placement'>): Worth {
  const [rule] = rules;
  if (rule && rule.kind !== 'sizes') return worthByRule(roster, rule);
  return rated(roster, readingOf(placement));
}

/** How ratings are read where nothing but where newcomers go tells. */
export function readingOf({ bots, maxSizeDifference }: Policy['placement']): Reading {
  return bots !== null || maxSizeDifference === null ? 'shares' : 'differences';
}

/** What everybody counts for where shares are asked for, whatever a policy looks at: by its rule of weights, if it has one. */
export function sharesBy(roster: Roster, { rules }: Pick<Policy, 'rules'>): Worth {
  const rule = rules.find(({ kind }) => kind === 'weight');
  return rule ? worthByRule(roster, rule) : rated(roster, 'shares');
}

/** The roster with what everybody counts for in place of their rating, and a bot that is not there yet. */
export function withWorth(roster: Roster, worth: Worth): Roster {
  const { meanBot } = roster;
  return {
    ...roster,
    players: roster.players.map((player) => ({ ...player, rating: worth(player) })),
    ...(meanBot === undefined ? {} : { meanBot: worth({ playerId: '', team: null, rating: meanBot }) }),
  };
}

/**
 * How far two teams may be apart, in what a policy's first rule counts, before a rule of that kind finds them unbalanced; none
 * finds them so at this difference. Infinity where no rule looks at strengths.
 *
 * @param total what both teams count for together
 */
export function mostApart({ rules }: Pick<Policy, 'rules'>, total: number): number {
  const limits = rules
    .filter(({ kind }) => kind === rules[0]?.kind)
    .map((rule) => {
      switch (rule.kind) {
        case 'powers':
          return rule.leastPower;
        case 'weight':
          return (rule.over / (2 + rule.over)) * total;
        case 'swaps':
          return (rule.toleranceShare * total) / 2;
        case 'sizes':
          return Infinity;
      }
    });
  // A little less: where teams are unbalanced from the limit on, they are not at it.
  return Math.min(Infinity, ...limits) * (1 - 1e-9);
}

/**
 * Everybody who is to play put on a team, bots and whoever watches left as they are: what teams that are yet to be made are
 * measured by.
 */
export function seated(roster: Roster): Roster {
  return {
    ...roster,
    players: roster.players.map((player) =>
      player.bot || player.spectator ? player : { ...player, team: player.team ?? 0 },
    ),
  };
}
