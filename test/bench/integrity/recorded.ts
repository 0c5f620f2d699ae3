import { readFile } from 'node:fs/promises';
import { seededRandom, type Random, type SignalKind } from '@muster/domain';
import { newcomerMatches } from '@muster/skill';
import { readMatches } from '../../../apps/lab/src/match-file/match-file.js';
import { Ladder, unlimited, type HistoryMatch } from './ladder.js';
import { pairName } from './league.js';

/** Matches of a recorded history, oldest first: two teams with a winner. @throws Error when the file cannot be read */
export async function readHistory(path: string): Promise<HistoryMatch[]> {
  const { matches } = readMatches(await readFile(path, 'utf8'), 'recorded');
  return matches.flatMap(({ body: { teams, ranks } }) =>
    teams.length === 2 && ranks[0] !== ranks[1] ? [{ teams, ranks, server: null }] : [],
  );
}

/** A recorded history with planted cheats. */
export interface Planted {
  readonly matches: readonly HistoryMatch[];
  readonly cheats: ReadonlySet<string>;
}

const cheaters = 16;
const servers = 20;
const flawedServers = 3;

/**
 * Plants cheats of a kind. Results of others stay as they were recorded.
 *
 * @param means final ratings
 */
export function planted(
  kind: Exclude<SignalKind, 'alternate'>,
  matches: readonly HistoryMatch[],
  means: ReadonlyMap<string, number>,
  seed: number,
): Planted {
  const random = seededRandom(seed);
  const counts = new Map<string, number>();
  for (const { teams } of matches) for (const id of teams.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  const busy = (least: number): string[] =>
    shuffled(
      [...counts].flatMap(([id, many]) => (many >= least ? [id] : [])),
      random,
    ).slice(0, cheaters);
  switch (kind) {
    case 'newcomer':
      return withNewAccounts(matches, counts, means, random);
    case 'thrown':
      return withThrowers(matches, new Set(busy(60)), random);
    case 'collusion':
      return withPairs(matches, busy(40), random);
    case 'server':
      return withServers(matches, random);
  }
}

/** The final ratings of a history. */
export function meansOf(matches: readonly HistoryMatch[]): Map<string, number> {
  const ladder = new Ladder(unlimited);
  for (const match of matches) ladder.take(match);
  return new Map([...ladder.players.keys()].map((id) => [id, ladder.mean(id)]));
}

const beaten = (match: HistoryMatch, winner: number): HistoryMatch => ({
  ...match,
  ranks: match.teams.map((_, t) => (t === winner ? 1 : 2)),
});
const teamOf = ({ teams }: HistoryMatch, id: string): number => teams.findIndex((team) => team.includes(id));

/** Players of the highest final ratings who go on under a new id: no result is rewritten. */
function withNewAccounts(
  matches: readonly HistoryMatch[],
  counts: ReadonlyMap<string, number>,
  means: ReadonlyMap<string, number>,
  random: Random,
): Planted {
  const best = [...counts]
    .flatMap(([id, many]) => (many >= 2 * newcomerMatches ? [id] : []))
    .toSorted((one, other) => (means.get(other) ?? 0) - (means.get(one) ?? 0))
    .slice(0, 2 * cheaters);
  const movers = new Map(
    shuffled(best, random)
      .slice(0, cheaters)
      .map((id) => [id, 0]),
  );
  const renamed = matches.map((match) => {
    const teams = match.teams.map((team) =>
      team.map((id) => {
        const played = movers.get(id);
        if (played === undefined) return id;
        movers.set(id, played + 1);
        return played < newcomerMatches ? id : newIdOf(id);
      }),
    );
    return { ...match, teams };
  });
  return { matches: renamed, cheats: new Set([...movers.keys()].map(newIdOf)) };
}

const newIdOf = (id: string): string => `${id}-again`;

/** Players who lose five to ten matches on purpose, then play eight to seventeen as they were recorded. */
function withThrowers(
  matches: readonly HistoryMatch[],
  cheats: ReadonlySet<string>,
  random: Random,
): Planted {
  const parts = new Map(
    [...cheats].map((id) => [id, { left: 10 + Math.floor(20 * random()), throwing: false }]),
  );
  const planted_ = matches.map((match) => {
    const loser = match.teams.flat().find((id) => isThrown(parts.get(id), random));
    return loser === undefined ? match : beaten(match, 1 - teamOf(match, loser));
  });
  return { matches: planted_, cheats };
}

function isThrown(part: { left: number; throwing: boolean } | undefined, random: Random): boolean {
  if (!part) return false;
  if (part.left === 0) {
    part.throwing = !part.throwing;
    part.left = part.throwing ? 5 + Math.floor(6 * random()) : 8 + Math.floor(10 * random());
  }
  part.left--;
  return part.throwing;
}

/** Pairs of which the first meets the second in four of ten matches from the tenth on; one feeds the other, or they take turns. */
function withPairs(matches: readonly HistoryMatch[], players: readonly string[], random: Random): Planted {
  const partners = new Map<string, string>();
  for (let i = 0; i + 1 < players.length; i += 2) partners.set(players[i] ?? '', players[i + 1] ?? '');
  const played = new Map<string, number>();
  const meetings = new Map<string, number>();
  const planted_ = matches.map((match) => {
    const id = match.teams.flat().find((each) => partners.has(each));
    const partner = id === undefined ? undefined : partners.get(id);
    if (id === undefined || partner === undefined) return match;
    const number = (played.get(id) ?? 0) + 1;
    played.set(id, number);
    if (number < 10 || random() >= 0.4 || match.teams.flat().includes(partner)) return match;
    const own = teamOf(match, id);
    const teams = match.teams.map((team, t) => (t === own ? team : [partner, ...team.slice(1)]));
    const meeting = (meetings.get(id) ?? 0) + 1;
    meetings.set(id, meeting);
    const feeds = players.indexOf(id) % 4 === 0;
    return beaten({ ...match, teams }, feeds || meeting % 2 === 0 ? own : 1 - own);
  });
  return { matches: planted_, cheats: new Set([...partners].map(([one, other]) => pairName(one, other))) };
}

/** Servers of which some decide every match by chance. */
function withServers(matches: readonly HistoryMatch[], random: Random): Planted {
  const cheats = new Set(Array.from({ length: flawedServers }, (_, i) => `s${i}`));
  const planted_ = matches.map((match) => {
    const server = `s${Math.floor(random() * servers)}`;
    const placed = { ...match, server };
    return cheats.has(server) ? beaten(placed, random() < 0.5 ? 0 : 1) : placed;
  });
  return { matches: planted_, cheats };
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
