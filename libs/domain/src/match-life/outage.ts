import { grouped } from '../grouped.js';
import { message, type Message } from '../messages/index.js';
import { defaultMassBlameShare } from './offences.js';

/** A match that was over lately. Parties: its tickets; a player without one counts alone. */
export interface FinishedMatch {
  readonly matchId: string;
  readonly serverId: string;
  readonly region: string;
  /** When its session was over, in milliseconds since the epoch. */
  readonly overAt: number;
  readonly parties: number;
  /** Of them, those with a player who was named as a no-show or leaver. */
  readonly blamed: number;
  /** Of the rules of the match; null or absent: the default. */
  readonly massBlameShare?: number | null | undefined;
}

/** Matches whose players are blamed for an outage. */
export interface Outage {
  readonly scope: 'server' | 'region' | 'all';
  /** The server or region; empty: all. */
  readonly name: string;
  readonly matchIds: readonly string[];
  readonly why: Message;
}

/** The times that are examined, in milliseconds: a short outage of many matches, and a longer one of a server. */
export const outageWindowsMs = [60_000, 600_000] as const;

/** So many matches name somebody, at least. */
const fewestMatches = 3;
/** The share of parties that are blamed, at least: where many always leave, that is no outage. */
const leastShare = 0.25;
/** The share of parties that leave or do not come, at most, while nothing is wrong. */
const usualShare = 0.1;
/** How improbable the number of blamed parties is while nothing is wrong. */
const improbable = 1e-6;

/**
 * The outages by which players of several matches are blamed. An outage of a group (the matches of a server, of a region, or
 * all) in a window of time is assumed when
 *
 * 1. at least 3 of its matches name somebody, and more than `massBlameShare` of its matches do, by the rules of each;
 * 2. a quarter of its parties is blamed, or more;
 * 3. so many of its parties are blamed that it happens once in a million times if every tenth party leaves its match,
 *    independently of the others: the upper tail of a binomial distribution, without approximation.
 *
 * @param now milliseconds since the epoch
 * @returns each match once, with the narrowest group
 */
export function outagesOf(reported: readonly FinishedMatch[], now: number): Outage[] {
  const excused = new Set<string>();
  return outageWindowsMs.flatMap((windowMs) => {
    const recent = reported.filter(({ overAt }) => overAt > now - windowMs && overAt <= now);
    return groupsOf(recent).flatMap(({ scope, name, matches }) => {
      const named = matches.filter(({ blamed }) => blamed > 0);
      const parties = matches.reduce((sum, match) => sum + match.parties, 0);
      const blamed = named.reduce((sum, match) => sum + match.blamed, 0);
      if (named.length < fewestMatches || blamed < leastShare * parties) return [];
      if (chanceOf(blamed, parties) > improbable) return [];
      const matchIds = named.flatMap(({ matchId, massBlameShare }) =>
        named.length > (massBlameShare ?? defaultMassBlameShare) * matches.length && !excused.has(matchId)
          ? [matchId]
          : [],
      );
      for (const matchId of matchIds) excused.add(matchId);
      const minutes = windowMs / 60_000;
      const counts = { named: named.length, matches: matches.length, blamed, parties, minutes };
      const why = message('penalty.outage', { scope, name: scope === 'region' ? name : '', ...counts });
      return matchIds.length > 0 ? [{ scope, name, matchIds, why }] : [];
    });
  });
}

interface Group extends Pick<Outage, 'scope' | 'name'> {
  readonly matches: readonly FinishedMatch[];
}

/** Servers first, then regions, then all. */
function groupsOf(matches: readonly FinishedMatch[]): Group[] {
  const by = (scope: Group['scope'], nameOf: (match: FinishedMatch) => string): Group[] =>
    [...grouped(matches, nameOf)].map(([name, each]) => ({ scope, name, matches: each }));
  return [
    ...by('server', ({ serverId }) => serverId),
    ...by('region', ({ region }) => region),
    ...by('all', () => ''),
  ];
}

/**
 * The chance that at least `blamed` of `parties` leave when each does with the usual share: the sum of C(n,i) pⁱ (1−p)ⁿ⁻ⁱ for i
 * from k to n. Its terms fall from the mean on, so it ends where they no longer change the sum.
 */
function chanceOf(blamed: number, parties: number): number {
  if (blamed <= usualShare * parties) return 1;
  let logOfTerm = parties * Math.log1p(-usualShare);
  for (let i = 1; i <= blamed; i += 1) logOfTerm += Math.log(((parties - i + 1) / i) * odds);
  let term = Math.exp(logOfTerm);
  let sum = 0;
  for (let i = blamed; i <= parties && sum + term !== sum; i += 1) {
    sum += term;
    term *= ((parties - i) / (i + 1)) * odds;
  }
  return sum;
}

const odds = usualShare / (1 - usualShare);
