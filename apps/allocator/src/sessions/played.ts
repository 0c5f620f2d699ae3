import { sharesIn, type Played, type PlayerFacts, type PlayerStats, type PlayingTimes } from '@muster/domain';
import type { StoredResult } from './habits.js';

/** The names in a player's `stats` that rating models use. */
const facts = [
  'place',
  'kills',
  'deaths',
  'assists',
  'power',
  'scoredFor',
  'scoredAgainst',
  'command',
] as const;

/**
 * The facts of a result beyond its ranks. A player's share of the match is the time from joining to leaving, divided by
 * the time from the first join to the last leave. A player without times has a share of 1.
 */
export function playedOf({ sides, map, venue, scores, players = [] }: StoredResult): Played {
  const times = timesOf(players);
  const factsByPlayer = players.flatMap(({ playerId, role, stats = {} }): [string, PlayerFacts][] => {
    const known = facts.flatMap((name): [string, number][] => {
      const value = stats[name];
      return typeof value !== 'number' || !isUsable(name, value) ? [] : [[name, value]];
    });
    const told: PlayerFacts = { ...Object.fromEntries(known), ...(role === undefined ? {} : { role }) };
    return Object.keys(told).length === 0 ? [] : [[playerId, told]];
  });
  const statsByPlayer = players.flatMap(({ playerId, stats = {} }): [string, PlayerStats][] => {
    const others = statsOf(stats);
    return others.length === 0 ? [] : [[playerId, Object.fromEntries(others)]];
  });
  const situation = { ...(sides ? { sides } : {}), ...(map ? { map } : {}), ...(venue ? { venue } : {}) };
  return {
    ...(Object.keys(situation).length > 0 ? { situation } : {}),
    ...(times ? { shares: sharesIn(times), times } : {}),
    ...(scores && scores.length > 0 ? { scores } : {}),
    ...(factsByPlayer.length > 0 ? { facts: Object.fromEntries(factsByPlayer) } : {}),
    ...(statsByPlayer.length > 0 ? { stats: Object.fromEntries(statsByPlayer) } : {}),
  };
}

/** The stats that no model uses, for the placement of newcomers. */
function statsOf(stats: PlayerStats): [string, number | string][] {
  const used = new Set<string>(facts);
  return Object.entries(stats).filter(([name]) => !used.has(name));
}

function timesOf(players: NonNullable<StoredResult['players']>): PlayingTimes | undefined {
  const began = Math.min(...players.flatMap(({ joinedAt }) => joinedAt ?? []));
  const ended = Math.max(...players.flatMap(({ leftAt }) => leftAt ?? []));
  const lengthMs = ended - began;
  if (!Number.isFinite(lengthMs) || lengthMs <= 0) return undefined;
  const stretches = players
    .filter(({ joinedAt, leftAt }) => joinedAt !== undefined || leftAt !== undefined)
    .map(({ playerId, joinedAt = began, leftAt = ended }) => [
      playerId,
      leftAt > joinedAt ? [{ fromMs: joinedAt - began, toMs: leftAt - began }] : [],
    ]);
  return { lengthMs, stretches: Object.fromEntries(stretches) };
}

/** A pool may allow values that models do not know, such as kills below 0: models ignore them. */
function isUsable(name: (typeof facts)[number], value: number): boolean {
  if (name === 'place') return Number.isInteger(value) && value >= 1;
  if (name === 'command') return value >= 0 && value <= 1;
  return value >= 0;
}
