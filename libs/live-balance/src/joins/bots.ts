import { message, shown, Unsolvable, type BalanceTerms, type Message } from '@muster/domain';
import { split, type SplitSolution } from '@muster/solver';
import {
  checkRoster,
  headStart,
  humansOf,
  isCount,
  onSide,
  teamParam,
  partySizes,
  type MapRange,
  type Roster,
  type TeamPlayer,
} from '../roster/roster.js';

/** The bot settings of a server. */
export type BotRules = NonNullable<BalanceTerms['placement']['bots']>;

/**
 * The target number of players and bots: the minimum, within the map's range, rounded up to a multiple of the teams, and
 * enough that every team is as large as the largest number of humans on one. Without teams: the minimum within the map's
 * range.
 *
 * Source: JoolsWorks.IdealBotCounter for Unreal Tournament 2004.
 *
 * @param humans on each team; empty for a game without teams
 * @throws Unsolvable when `minPlayers` is no whole number of at least 0
 */
export function idealPlayerCount(
  humans: readonly number[],
  { minPlayers }: BotRules,
  range?: MapRange,
): number {
  if (!isCount(minPlayers))
    throw new Unsolvable(`minPlayers is ${minPlayers}; give a whole number of at least 0.`, { minPlayers });
  const clamped = range ? Math.min(Math.max(minPlayers, range.min), range.max) : minPlayers;
  const teams = humans.length;
  if (teams < 2) return clamped;
  return Math.max(Math.ceil(clamped / teams) * teams, teams * Math.max(...humans));
}

/** The target number of bots. */
export interface BotPlan {
  /** Players and bots together: the value of a game's own MinPlayers. */
  readonly players: number;
  /** Bots together. */
  readonly bots: number;
  /** Bots on each team; null in a game without teams. */
  readonly byTeam: readonly number[] | null;
  /** The change in the number of bots of each team, or (one number) of a game without teams; negative: bots leave. */
  readonly change: readonly number[];
  readonly why: readonly Message[];
}

/**
 * The ideal number of bots (L1) for all who play.
 *
 * @throws Unsolvable when roster or rules are invalid
 */
export function idealBots(roster: Roster, rules: BotRules): BotPlan {
  checkRoster(roster);
  const range = roster.map?.idealPlayers;
  const map = { least: range?.min ?? null, most: range?.max ?? null };
  if (roster.teams < 2) {
    const taking = roster.players.filter(({ spectator }) => !spectator);
    const humans = taking.filter(({ bot }) => !bot).length;
    const players = idealPlayerCount([], rules, range);
    const bots = Math.max(0, players - humans);
    return {
      players,
      bots,
      byTeam: null,
      change: [bots - (taking.length - humans)],
      why: [message('bots.beside', { bots, humans, players, ...map })],
    };
  }
  const humans = humansOf(roster);
  const players = idealPlayerCount(humans, rules, range);
  const byTeam = humans.map((number) => players / roster.teams - number);
  const present = botsPresent(roster);
  const bots = byTeam.reduce((sum, number) => sum + number, 0);
  const each = byTeam.map((number, team) =>
    message('bots.on-team', { team: teamParam(roster, team), bots: number }),
  );
  return {
    players,
    bots,
    byTeam,
    change: byTeam.map((number, team) => number - present[team]!.length),
    why: [message('bots.by-team', { bots, teams: each, players: players / roster.teams, ...map })],
  };
}

/** Ratings of the bots on each team. */
function botsPresent(roster: Roster): number[][] {
  const present = Array.from({ length: roster.teams }, (): number[] => []);
  for (const { bot, team, rating, spectator } of roster.players) {
    if (bot && team !== null && !spectator) present[team]?.push(rating);
  }
  return present;
}

const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);

/**
 * The expected rating of a bot not seen yet: the mean of all bots, less those present where the total is known; without a
 * mean, that of the bots present, else 0.
 */
export function absentBot(roster: Roster, { known }: Pick<BotRules, 'known'> = {}): number {
  const present = botsPresent(roster).flat();
  const { meanBot } = roster;
  if (meanBot === undefined) return present.length > 0 ? total(present) / present.length : 0;
  if (known === undefined || known <= present.length) return meanBot;
  return (meanBot * known - total(present)) / (known - present.length);
}

/** The expected change of bots. */
export interface BotChange {
  /** Bots on each team afterwards. */
  readonly bots: readonly number[];
  /** The difference to now. */
  readonly change: readonly number[];
  /** The change of each team's sum. */
  readonly gain: readonly number[];
}

/**
 * The change of bots for a given number of humans per team. A leaving bot is unknown and counts as the mean of its team's
 * bots; a joining bot is unknown, too, and counts as `absentBot`.
 *
 * @param humans on each team, afterwards
 * @param rules null: bots stay unchanged
 */
export function botsFor(roster: Roster, humans: readonly number[], rules: BotRules | null): BotChange {
  const present = botsPresent(roster);
  const now = present.map((bots) => bots.length);
  if (!rules) return { bots: now, change: now.map(() => 0), gain: now.map(() => 0) };
  const places = idealPlayerCount(humans, rules, roster.map?.idealPlayers) / roster.teams;
  const bots = humans.map((number) => places - number);
  const change = bots.map((number, team) => number - now[team]!);
  const coming = absentBot(roster, rules);
  const gain = change.map((more, team) =>
    more > 0 ? more * coming : more < 0 ? (more * total(present[team]!)) / now[team]! : 0,
  );
  return { bots, change, gain };
}

/**
 * The roster after the change of bots: on a team that loses some, the others count as their mean, since the leaving ones
 * are unknown; joining ones count as `absentBot`.
 */
export function withBots(roster: Roster, rules: BotRules): Roster {
  const { bots, change } = botsFor(roster, humansOf(roster), rules);
  const coming = absentBot(roster, rules);
  const present = botsPresent(roster);
  const isBotThere = ({ bot, team, spectator }: Roster['players'][number], team_: number): boolean =>
    Boolean(bot) && team === team_ && !spectator;
  let players = roster.players;
  for (const [team, more] of change.entries()) {
    if (more === 0) continue;
    const there = players.filter((player) => isBotThere(player, team));
    const mean = total(present[team]!) / Math.max(1, there.length);
    const others = players.filter((player) => !isBotThere(player, team));
    const stay = more > 0 ? there : there.slice(0, bots[team]).map((player) => ({ ...player, rating: mean }));
    const come = Array.from({ length: Math.max(0, more) }, (_, i) => ({
      // Ids of players contain no line break.
      playerId: `bot to come\n${team} ${i}`,
      team,
      rating: coming,
      bot: true,
    }));
    players = [...others, ...stay, ...come];
  }
  return { ...roster, players };
}

/** How teams are formed when a game starts. */
export interface StartRules extends Readonly<BalanceTerms['start']> {
  /** null: no bots, and teams as equal in size as possible. */
  readonly bots: BotRules | null;
  /** Seeds the draw. */
  readonly seed: number;
}

export type Start =
  | {
      readonly outcome: 'teams';
      /** Ids by team. */
      readonly teams: readonly (readonly string[])[];
      /** Bots for each team. */
      readonly bots: readonly number[];
      /** Each team's sum, bots at their mean included. */
      readonly sums: readonly number[];
      /** Smallest sum over the largest, 0 to 1. */
      readonly ratio: number;
      readonly why: readonly Message[];
    }
  /** `detail`: the reason, as an error gives it. */
  | { readonly outcome: 'refused'; readonly detail: string };

/**
 * Teams at the start of a game (L2): all but bots and spectators, regardless of their present team, parties together, empty
 * places taken by bots of mean rating, by the exact solver; one of the best splits is drawn. Of N humans no team of two has
 * more than min(16, ⌊18·N/32⌋), unless `maxSizeDifference` says otherwise; of more teams none has 2 more than another. The
 * lead of two sides is a player on each, who takes no place.
 *
 * Source: team balancing for Unreal Tournament (CUT).
 *
 * @throws Unsolvable when the roster is invalid
 */
export function teamsAtStart(roster: Roster, rules: StartRules): Start {
  checkRoster(roster);
  const humans = roster.players.filter(({ bot, spectator }) => !bot && !spectator);
  const { teams } = roster;
  if (teams < 2) return { outcome: 'refused', detail: 'A game without teams has none to choose.' };
  const parties = partySizes(roster);
  const half = Math.ceil(humans.length / 2);
  const cap = Math.max(half, Math.min(16, Math.floor((18 * humans.length) / 32)));
  const { bots, best = 5, power = 1, seed } = rules;
  const ahead = headStart(roster, humans);
  const all = [...humans, ...ahead];
  const answer = split(
    {
      players: all.map(({ playerId, rating, partyId }) => ({
        id: playerId,
        weight: rating,
        ...(partyId !== undefined && parties.has(partyId) ? { party: partyId } : {}),
      })),
      teamSizes: Array.from({ length: teams }, (_, team) => Math.floor((all.length + team) / teams)),
      avoid: ahead.length === 0 ? [] : [[ahead[0]!.playerId, ahead[1]!.playerId]],
      ...(bots
        ? {
            bots: {
              weight: absentBot(roster),
              fillTo: idealPlayerCount([], bots, roster.map?.idealPlayers) + ahead.length,
              maxSizeDifference: rules.maxSizeDifference ?? (teams === 2 ? 2 * cap - humans.length : 1),
            },
          }
        : {}),
    },
    { best, power, seed },
  );
  if (answer.outcome === 'refused') return { outcome: 'refused', detail: answer.message };
  const chosen = withoutHeadStart(roster, answer.solutions[answer.chosen]!, ahead);
  const filled = chosen.bots.reduce((sum, number) => sum + number, 0);
  return {
    outcome: 'teams',
    teams: chosen.teams,
    bots: chosen.bots,
    sums: chosen.sums,
    ratio: chosen.ratio,
    why: [
      message('start.teams', {
        splits: answer.solutions.length,
        players: humans.length,
        bots: filled,
        percent: shown(100 * chosen.ratio),
      }),
    ],
  };
}

/** A split with the first team on the side that has the head start, and sums of what the players count there. */
function withoutHeadStart(
  roster: Roster,
  solution: SplitSolution,
  ahead: readonly TeamPlayer[],
): SplitSolution {
  if (roster.players.every(({ lead = 0 }) => lead === 0)) return solution;
  const isTurned = ahead.some(({ playerId, team }) => solution.teams[team]?.includes(playerId) === false);
  const inOrder = <T>(of: readonly T[]): readonly T[] => (isTurned ? of.toReversed() : of);
  const players = new Map(roster.players.map((player) => [player.playerId, player]));
  const teams = inOrder(solution.teams).map((ids) => ids.filter((id) => players.has(id)));
  const bots = inOrder(solution.bots);
  const countsOn = (id: string, team: number): number => {
    const player = players.get(id);
    return player ? onSide({ ...player, team }, roster).rating : 0;
  };
  const sums = teams.map(
    (ids, team) => total(ids.map((id) => countsOn(id, team))) + (bots[team] ?? 0) * absentBot(roster),
  );
  const least = Math.min(...sums);
  return { ...solution, teams, bots, sums, ratio: least > 0 ? least / Math.max(...sums) : solution.ratio };
}
