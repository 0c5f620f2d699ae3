import { isBot } from '../players/bot.js';
import { own } from '../own.js';
import type { ResultRules } from '../schemas/pool-rules.js';

/** What is wrong in a result: where, and what would be right. */
export interface ResultFault {
  readonly path: string;
  readonly message: string;
}

/** A player of a result, as their server claims it. Times are milliseconds since the epoch. */
export interface ClaimedPlayer {
  readonly playerId: string;
  readonly joinedAt?: number | undefined;
  readonly leftAt?: number | undefined;
  readonly stats?: Readonly<Record<string, number | string>> | undefined;
}

/** The part of a result that must make sense. */
export interface ResultClaims {
  readonly scores?: readonly number[] | undefined;
  readonly sides?: readonly string[] | undefined;
  readonly players?: readonly ClaimedPlayer[] | undefined;
  readonly leavers?: readonly string[] | undefined;
  /** Players who never connected. */
  readonly noShows?: readonly string[] | undefined;
}

/** The largest number in a result. */
const largest = 1e12;
/** Bounds of a number; an absent one is the default of its name. */
type StatBounds = Required<ResultRules['stats'][string]>;

const count: StatBounds = { min: 0, max: 1e6 };

/** Bounds of the stats that models use. The others are any number up to 1e12, above or below 0. */
const defaultStatBounds: Readonly<Record<string, StatBounds>> = {
  place: { min: 1, max: 10_000 },
  kills: count,
  deaths: count,
  assists: count,
  power: count,
  scoredFor: count,
  scoredAgainst: count,
  command: { min: 0, max: 1 },
};

/** The bounds of a stat in a pool. */
export function statBoundsOf(name: string, rules: ResultRules | null | undefined): StatBounds {
  const usual = own(defaultStatBounds, name) ?? { min: -largest, max: largest };
  const { min = usual.min, max = usual.max } = own(rules?.stats, name) ?? {};
  return { min, max };
}

/** The most stats of a player beside those that models use, and the most letters of a name. */
const mostStats = 32;
const longestName = 40;

/** Faults of the stats of one player. @param path where the stats are */
export function statFaults(
  stats: Readonly<Record<string, unknown>>,
  rules: ResultRules | null | undefined,
  path: string,
): ResultFault[] {
  const others = Object.keys(stats).filter((name) => !Object.hasOwn(defaultStatBounds, name));
  const tooMany = `must have at most ${mostStats} names beside those that models use, not ${others.length}`;
  return [
    ...(others.length > mostStats ? [{ path, message: tooMany }] : []),
    ...others.flatMap((name): ResultFault[] => {
      if (name.length > 0 && name.length <= longestName) return [];
      const message = `has the name "${name}" of ${name.length} letters; a name has 1 to ${longestName}`;
      return [{ path, message }];
    }),
    ...Object.entries(stats).flatMap(([name, value]): ResultFault[] => {
      if (typeof value !== 'number' && !Object.hasOwn(defaultStatBounds, name)) return [];
      const { min, max } = statBoundsOf(name, rules);
      const isNumber = typeof value === 'number' && (name !== 'place' || Number.isInteger(value));
      if (isNumber && value >= min && value <= max) return [];
      const kind = name === 'place' ? 'a whole number' : 'a number';
      const message = `must be ${kind} from ${min} to ${max}, not ${JSON.stringify(value)}; the pool's rule results.stats sets the bounds`;
      return [{ path: `${path}.${name}`, message }];
    }),
  ];
}

/**
 * What makes no sense in a result, whatever the game. A result without `players`, `scores` and `sides` has nothing to check.
 *
 * @param ranks of the teams, 1 is best
 * @param roster the players of the match
 */
export function resultFaults(
  claims: ResultClaims,
  ranks: readonly number[],
  roster: readonly string[],
  rules: ResultRules | null | undefined,
): ResultFault[] {
  const { scores, sides, players = [], leavers = [], noShows = [] } = claims;
  return [
    ...countFault('scores', scores, ranks),
    ...countFault('sides', sides, ranks),
    ...scoreFaults(scores, ranks, rules?.scores ?? 'higher-wins'),
    ...twice(players.map(({ playerId }) => playerId)).map(({ id, index }) => ({
      path: `players.${index}.playerId`,
      message: `names ${id} a second time; name every player once`,
    })),
    ...twice(leavers).map(({ id, index }) => ({
      path: `leavers.${index}`,
      message: `names ${id} a second time; name every leaver once`,
    })),
    ...twice([...leavers, ...noShows])
      .filter(({ index }) => index >= leavers.length)
      .map(({ id, index }) => ({
        path: `noShows.${index - leavers.length}`,
        message: `names ${id} a second time; a player either never connected or left`,
      })),
    ...timeFaults(players, roster, noShows),
    ...players.flatMap(({ stats = {} }, i) => statFaults(stats, rules, `players.${i}.stats`)),
  ];
}

function countFault(
  path: string,
  values: readonly unknown[] | undefined,
  ranks: readonly number[],
): ResultFault[] {
  if (!values || values.length === ranks.length) return [];
  return [
    { path, message: `must have one value for each of the ${ranks.length} teams, not ${values.length}` },
  ];
}

function scoreFaults(
  scores: readonly number[] = [],
  ranks: readonly number[],
  rule: ResultRules['scores'],
): ResultFault[] {
  const [index, large] = [...scores.entries()].find(([, score]) => Math.abs(score) > largest) ?? [];
  if (index !== undefined)
    return [
      { path: `scores.${index}`, message: `must be a number from ${-largest} to ${largest}, not ${large}` },
    ];
  if (rule === 'any' || scores.length !== ranks.length) return [];
  const sign = rule === 'lower-wins' ? -1 : 1;
  const teams = ranks.map((rank, team) => ({ team, rank, score: scores[team] ?? 0 }));
  // Neighbours in the order of the ranks are enough, because both orders are total.
  const inOrder = teams.toSorted((a, b) => a.rank - b.rank || a.score - b.score);
  for (const [i, ahead] of inOrder.entries()) {
    const behind = inOrder[i + 1];
    if (!behind) break;
    const lead = sign * (ahead.score - behind.score);
    if (ahead.rank === behind.rank ? lead === 0 : lead >= 0) continue;
    const said =
      ahead.rank === behind.rank
        ? `teams ${ahead.team} and ${behind.team} tie`
        : `team ${ahead.team} is ahead of team ${behind.team}`;
    const message = `contradict the outcome: ${said}, but their scores are ${ahead.score} and ${behind.score}. Send the right winner, ranks or scores; if ${rule === 'higher-wins' ? 'a lower score wins' : 'a higher score wins'}, or scores decide nothing, an operator sets the pool's rule results.scores`;
    return [{ path: 'scores', message }];
  }
  return [];
}

/** The names that were there before, with their positions. */
function twice(ids: readonly string[]): { id: string; index: number }[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    if (seen.has(id)) return [{ id, index }];
    seen.add(id);
    return [];
  });
}

/** Who offended in a match that was played. */
export interface ResultConduct {
  /** Players who never connected and did not play: they are not rated. */
  readonly absent: readonly string[];
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
}

/**
 * Playing time decides: a no-show who has some played and left, and a leaver who was there until the end did not leave. The end
 * is the last `leftAt`, where a player who did not leave has one.
 */
export function conductOf({ players = [], leavers = [], noShows = [] }: ResultClaims): ResultConduct {
  const times = new Map(players.map((player) => [player.playerId, player]));
  const began = Math.min(...players.flatMap(({ joinedAt }) => joinedAt ?? []));
  const stayed = players.filter(({ playerId }) => !leavers.includes(playerId) && !noShows.includes(playerId));
  const ended = Math.max(...stayed.flatMap(({ leftAt }) => leftAt ?? []));
  const playedSome = (id: string): boolean => {
    const { joinedAt, leftAt } = times.get(id) ?? {};
    if (joinedAt === undefined && leftAt === undefined) return false;
    return (leftAt ?? ended) > (joinedAt ?? began);
  };
  const stayedToTheEnd = (id: string): boolean => {
    const leftAt = times.get(id)?.leftAt;
    return leftAt !== undefined && Number.isFinite(ended) && leftAt >= ended;
  };
  const absent = noShows.filter((id) => !playedSome(id));
  return {
    absent,
    noShows: absent,
    leavers: [...leavers, ...noShows.filter(playedSome)].filter((id) => !stayedToTheEnd(id)),
  };
}

function timeFaults(
  players: readonly ClaimedPlayer[],
  roster: readonly string[],
  noShows: readonly string[],
): ResultFault[] {
  const began = Math.min(...players.flatMap(({ joinedAt }) => joinedAt ?? []));
  const ended = Math.max(...players.flatMap(({ leftAt }) => leftAt ?? []));
  const faults = players.flatMap(({ joinedAt, leftAt }, i): ResultFault[] => {
    if (joinedAt !== undefined && leftAt !== undefined)
      return leftAt >= joinedAt
        ? []
        : [
            {
              path: `players.${i}.leftAt`,
              message: `must be at or after joinedAt (${joinedAt}), not ${leftAt}`,
            },
          ];
    if (joinedAt !== undefined && Number.isFinite(ended) && joinedAt > ended)
      return [
        {
          path: `players.${i}.joinedAt`,
          message: `${joinedAt} is after the last leftAt (${ended}), which ends the match; send leftAt of those who stayed to the end`,
        },
      ];
    if (leftAt !== undefined && Number.isFinite(began) && leftAt < began)
      return [
        {
          path: `players.${i}.leftAt`,
          message: `${leftAt} is before the first joinedAt (${began}), which begins the match; send joinedAt of those who were there from the start`,
        },
      ];
    return [];
  });
  if (faults.length > 0) return faults;
  const hasTimes = Number.isFinite(began) && Number.isFinite(ended);
  if (!hasTimes && noShows.length === 0) return [];
  const absent = new Set(
    players
      .filter(({ joinedAt = began, leftAt = ended }) => hasTimes && leftAt <= joinedAt)
      .map(({ playerId }) => playerId),
  );
  for (const playerId of conductOf({ players, noShows }).absent) absent.add(playerId);
  const humans = roster.filter((id) => !isBot(id));
  if ((!hasTimes || ended > began) && humans.some((id) => !absent.has(id))) return [];
  const message =
    'nobody has any playing time; send when the players joined and left, or abandon the session if the match was not played';
  return [{ path: 'players', message }];
}
