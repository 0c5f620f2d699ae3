import { shown, type BalanceRule } from '@muster/domain';
import type { Policy } from './policy.js';
import { powers } from './roster/powers.js';
import { partySizes, type Roster, type RosterPlayer } from './roster/roster.js';

/**
 * How ratings are read. `shares`: sums are compared as ratios, so that a rating of 0 has to mean no player.
 * `differences`: ratings have no zero, and adding a constant to all of them has no effect.
 */
export type Reading = 'shares' | 'differences';

/**
 * The rating that counts as zero.
 *
 * For differences it is the lowest on the roster: no player counts for less than nothing, wherever the ratings begin.
 *
 * For shares it is 0 where no rating is below it. Where one is, the pool has no such zero, and its lowest rating as zero
 * would make a team of its weakest players worth nothing; so zero is twice as far down as the lowest rating: the lowest
 * player counts for their distance below 0. It moves continuously, so that a rating a little below 0 changes little. Where
 * all are 0 it is −1: all players count alike.
 */
export function zeroOf(ratings: readonly number[], reading: Reading): number {
  if (ratings.length === 0) return 0;
  const lowest = ratings.reduce((least, rating) => Math.min(least, rating));
  if (reading === 'differences') return lowest;
  if (lowest < 0) return 2 * lowest;
  return ratings.every((rating) => rating === 0) ? -1 : 0;
}

/** The number added to every rating before ratios are taken; 0 where none is below 0 and not all are 0. */
export const raisedBy = (roster: Roster): number => 0 - zeroOf(ratingsOf(roster), 'shares');

/** The number added to every rating, as a message parameter; null where none was. */
export function raisedParam(roster: Roster): number | null {
  return ratingsOf(roster).some((rating) => rating < 0) ? shown(raisedBy(roster)) : null;
}

/**
 * Of all who play or may be put on a team yet, so that the position of one does not change the worth of others; on the side
 * on which each counts less.
 */
const ratingsOf = ({ teams, players }: Roster): number[] =>
  players
    .filter(({ spectator }) => !spectator)
    .map(({ rating, lead = 0 }) => (teams === 2 ? rating - Math.abs(lead) : rating));

/** The worth of a player by the rating: on any side, unless it is that of `onSide`. */
export type Worth = (player: RosterPlayer) => number;

/** A player's lead in a measure of worth. */
export function leadBy(player: RosterPlayer, worth: Worth): number {
  const { lead = 0, rating } = player;
  if (lead === 0) return 0;
  return (worth({ ...player, rating: rating + lead }) - worth({ ...player, rating: rating - lead })) / 2;
}

/** The worth of each player by a rule: a team's strength is the sum (`strengthsOf`). */
export function worthByRule(roster: Roster, rule: BalanceRule): Worth {
  switch (rule.kind) {
    case 'powers': {
      const powerOf = powers(roster, rule.version);
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

/** Ratings above the one that counts as zero. */
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
 * The worth of each player by a policy: one measure for all its decisions, so that no two of its answers disagree about
 * which team is stronger. It is that of its first rule; without rules, or with one of sizes, ratings: read as shares where
 * newcomers are placed by them whatever the sizes, or where bots join and leave with them, else as differences.
 */
export function worthBy(roster: Roster, { rules, placement }: Pick<Policy, 'rules' | 'placement'>): Worth {
  const [rule] = rules;
  if (rule && rule.kind !== 'sizes') return worthByRule(roster, rule);
  const { bots, maxSizeDifference } = placement;
  return rated(roster, bots !== null || maxSizeDifference === null ? 'shares' : 'differences');
}

/** The worth of each player where shares are needed, under any policy: by its rule of weights, if it has one. */
export function sharesBy(roster: Roster, { rules }: Pick<Policy, 'rules'>): Worth {
  const rule = rules.find(({ kind }) => kind === 'weight');
  return rule ? worthByRule(roster, rule) : rated(roster, 'shares');
}

/** The roster with each player's worth instead of rating and lead, also for a bot that is absent yet. */
export function withWorth(roster: Roster, worth: Worth): Roster {
  const { meanBot } = roster;
  return {
    ...roster,
    players: roster.players.map((player) => ({
      ...player,
      rating: worth(player),
      ...(player.lead === undefined ? {} : { lead: leadBy(player, worth) }),
    })),
    ...(meanBot === undefined ? {} : { meanBot: worth({ playerId: '', team: null, rating: meanBot }) }),
  };
}

/**
 * The allowed difference between two teams, in the measure of a policy's first rule: a rule of that kind finds them
 * balanced at this difference. Infinity where no rule uses strengths.
 *
 * @param total the worth of both teams together
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
  // A little less: where teams are unbalanced from the limit on, they must stay below it.
  return Math.min(Infinity, ...limits) * (1 - 1e-9);
}

/** Puts all players on a team, with bots and spectators in place: the basis for measuring teams that are yet to be made. */
export function seated(roster: Roster): Roster {
  return {
    ...roster,
    players: roster.players.map((player) =>
      player.bot || player.spectator ? player : { ...player, team: player.team ?? 0 },
    ),
  };
}
