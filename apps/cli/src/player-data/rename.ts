import type { Json } from '@muster/domain';

/** A player's id, and the pseudonym that takes its place. */
export interface Rename {
  readonly id: string;
  readonly alias: string;
}

/** Fields whose values are words of ours, never ids: a player may be named like one of them. */
const words = new Set(['code', 'kind', 'state', 'status']);

/**
 * Finds an id where it stands alone: not as a part of another id. Ids hold letters, digits and `_ . : @ -`; a full stop or colon
 * at the end of an id belongs to the sentence.
 */
export function standingAlone(id: string): RegExp {
  const escaped = id.replace(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`);
  return new RegExp(
    String.raw`(?<![A-Za-z0-9_@-])(?<![A-Za-z0-9_@-][.:])${escaped}(?![A-Za-z0-9_@-]|[.:][A-Za-z0-9_@-])`,
  );
}

/** A text with a player's id replaced wherever it stands alone. */
export function renamedText(text: string, { id, alias }: Rename): string {
  return text.includes(id) ? text.replace(new RegExp(standingAlone(id), 'g'), alias) : text;
}

/**
 * A stored value about a match with a player's id replaced: in texts, and in the keys of objects that have only players as keys.
 *
 * @param roster the ids of the match's players
 */
export function renamedIn(value: Json, rename: Rename, roster: ReadonlySet<string>): Json {
  if (typeof value === 'string') return renamedText(value, rename);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each: Json) => renamedIn(each, rename, roster));
  const entries = Object.entries(value);
  const byPlayer = entries.every(([key]) => key === rename.id || roster.has(key));
  return Object.fromEntries(
    entries.map(([key, each]) => [
      byPlayer && key === rename.id ? rename.alias : key,
      words.has(key) && !byPlayer ? each : renamedIn(each, rename, roster),
    ]),
  );
}

/**
 * The facts of a match with a player's id replaced, and nothing else: maps, sides and venues are inputs of ratings, and a
 * player may be named like one.
 */
export function renamedFacts(played: Json, rename: Rename): Json {
  if (!isObject(played)) return played;
  const { shares, times, late, facts, stats } = played;
  return {
    ...played,
    ...(isObject(shares) ? { shares: renamedKeys(shares, rename) } : {}),
    ...(isObject(facts) ? { facts: renamedKeys(facts, rename) } : {}),
    ...(isObject(stats) ? { stats: renamedKeys(stats, rename) } : {}),
    ...(Array.isArray(late) ? { late: late.map((each: Json) => renamedId(each, rename)) } : {}),
    ...(isObject(times) && isObject(times['stretches'])
      ? { times: { ...times, stretches: renamedKeys(times['stretches'], rename) } }
      : {}),
  };
}

/** The detail of a ledger event with a player's id replaced; every input of other players' ratings stays. */
export function renamedEvent(kind: string, detail: Json, rename: Rename): Json {
  if (!isObject(detail)) return detail;
  if (kind !== 'match') return renamedIn(detail, rename, new Set());
  const { teams, played, boosted } = detail;
  return {
    ...detail,
    ...(Array.isArray(teams) ? { teams: teams.map((team: Json) => renamedTeam(team, rename)) } : {}),
    ...(played === undefined ? {} : { played: renamedFacts(played, rename) }),
    ...(isObject(boosted) ? { boosted: renamedKeys(boosted, rename) } : {}),
  };
}

type JsonObject = { readonly [key: string]: Json };

function renamedTeam(team: Json, rename: Rename): Json {
  return Array.isArray(team) ? team.map((each: Json) => renamedId(each, rename)) : team;
}

function renamedId(value: Json, { id, alias }: Rename): Json {
  return value === id ? alias : value;
}

function renamedKeys(value: JsonObject, { id, alias }: Rename): Json {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key === id ? alias : key, each]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
