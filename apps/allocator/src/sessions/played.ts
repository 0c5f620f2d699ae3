import type { SessionResult } from '@muster/contracts';
import { sharesIn, type Played, type PlayerFacts, type PlayingTimes } from '@muster/domain';

/** The names in a player's `stats` that rating models use. */
const facts = ['place', 'kills', 'scoredFor', 'scoredAgainst', 'command'] as const;

/**
 * The facts of a result beyond its ranks. A player's share of the match is the time from joining to leaving, divided by
 * the time from the first join to the last leave. A player without times has a share of 1.
 */
export function playedOf({ sides, map, venue, players = [] }: SessionResult): Played {
  const times = timesOf(players);
  const factsByPlayer = players.flatMap(({ playerId, stats = {} }): [string, PlayerFacts][] => {
    const known = facts.flatMap((name): [string, number][] => {
      const value = stats[name];
      return value === undefined || !isUsable(name, value) ? [] : [[name, value]];
    });
    return known.length === 0 ? [] : [[playerId, Object.fromEntries(known)]];
  });
  const situation = { ...(sides ? { sides } : {}), ...(map ? { map } : {}), ...(venue ? { venue } : {}) };
  return {
    ...(Object.keys(situation).length > 0 ? { situation } : {}),
    ...(times ? { shares: sharesIn(times), times } : {}),
    ...(factsByPlayer.length > 0 ? { facts: Object.fromEntries(factsByPlayer) } : {}),
  };
}

function timesOf(players: NonNullable<SessionResult['players']>): PlayingTimes | undefined {
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

/** Stats are defined by the server: a value outside the model's domain is ignored. */
function isUsable(name: (typeof facts)[number], value: number): boolean {
  if (name === 'place') return Number.isInteger(value) && value >= 1;
  if (name === 'command') return value >= 0 && value <= 1;
  return value >= 0;
}
