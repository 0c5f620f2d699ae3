import { grouped } from '../grouped.js';
import { message, type Message } from '../messages/index.js';
import { defaultMassBlameShare, outageScopes, type OutageScope } from './offences.js';

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
  /** The outage for which its penalties were lifted before; null or absent: none. */
  readonly excusedBy?: OutageScope | null | undefined;
}

/** Matches whose players are blamed for an outage. */
export interface Outage {
  readonly scope: OutageScope;
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
 *    independently of the others: the upper tail of a binomial distribution, without approximation;
 * 4. the same holds without any one of its parts: the servers of a region, the regions of all.
 *
 * Servers are judged first, then regions, then all. An outage of a narrower group explains its matches: they are left out of
 * the wider groups, and so are those that were excused by a narrower group before.
 *
 * @param now milliseconds since the epoch
 * @returns each match once, with the narrowest group
 */
export function outagesOf(reported: readonly FinishedMatch[], now: number): Outage[] {
  const excused = new Set<string>();
  let unexplained = reported;
  return outageScopes.flatMap((scope, rank) => {
    const { nameOf, partOf } = groupings[scope];
    const evidence = unexplained.filter(
      ({ excusedBy }) =>
        excusedBy === undefined || excusedBy === null || outageScopes.indexOf(excusedBy) >= rank,
    );
    const failed = new Set<string>();
    const outages = outageWindowsMs.flatMap((windowMs) => {
      const recent = evidence.filter(({ overAt }) => overAt > now - windowMs && overAt <= now);
      return [...grouped(recent, nameOf)].flatMap(([name, matches]): Outage[] => {
        const counts = countsOf(matches);
        const share = leastNamingShare(counts, partsOf(matches, partOf));
        const blaming = matches.filter(
          ({ blamed, massBlameShare }) => blamed > 0 && share > (massBlameShare ?? defaultMassBlameShare),
        );
        if (blaming.length === 0) return [];
        failed.add(name);
        const matchIds = blaming.map(({ matchId }) => matchId).filter((matchId) => !excused.has(matchId));
        for (const matchId of matchIds) excused.add(matchId);
        const params = { scope, name: scope === 'region' ? name : '', ...counts, minutes: windowMs / 60_000 };
        return matchIds.length > 0 ? [{ scope, name, matchIds, why: message('penalty.outage', params) }] : [];
      });
    });
    unexplained = unexplained.filter((match) => !failed.has(nameOf(match)));
    return outages;
  });
}

interface Grouping {
  readonly nameOf: (match: FinishedMatch) => string;
  /** No single part of a group decides; null: a group has no parts. */
  readonly partOf: ((match: FinishedMatch) => string) | null;
}

const serverOf = ({ serverId }: FinishedMatch): string => serverId;
const regionOf = ({ region }: FinishedMatch): string => region;

const groupings: Readonly<Record<OutageScope, Grouping>> = {
  server: { nameOf: serverOf, partOf: null },
  region: { nameOf: regionOf, partOf: serverOf },
  all: { nameOf: () => '', partOf: regionOf },
};

/** Numbers of matches and parties, and of those with somebody who is blamed. */
interface Counts {
  readonly matches: number;
  readonly named: number;
  readonly parties: number;
  readonly blamed: number;
}

function countsOf(matches: readonly FinishedMatch[]): Counts {
  return {
    matches: matches.length,
    named: matches.filter(({ blamed }) => blamed > 0).length,
    parties: matches.reduce((sum, { parties }) => sum + parties, 0),
    blamed: matches.reduce((sum, { blamed }) => sum + blamed, 0),
  };
}

/** The counts of the parts, equal ones once. */
function partsOf(matches: readonly FinishedMatch[], partOf: Grouping['partOf']): Counts[] {
  const parts = partOf ? [...grouped(matches, partOf).values()].map(countsOf) : [];
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}

/** The naming share of a group, or less without one of its parts. */
function leastNamingShare(group: Counts, parts: readonly Counts[]): number {
  let least = namingShare(group);
  for (const part of parts) {
    if (least === 0) break;
    least = Math.min(least, namingShare(minus(group, part)));
  }
  return least;
}

function minus(group: Counts, part: Counts): Counts {
  return {
    matches: group.matches - part.matches,
    named: group.named - part.named,
    parties: group.parties - part.parties,
    blamed: group.blamed - part.blamed,
  };
}

/** @returns the share of the matches that name somebody; 0 when chance may explain them */
function namingShare({ matches, named, parties, blamed }: Counts): number {
  if (named < fewestMatches || blamed < leastShare * parties) return 0;
  return chanceOf(blamed, parties) > improbable ? 0 : named / matches;
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
