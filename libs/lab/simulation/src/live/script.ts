import type { Random } from '@muster/domain';
import { teamsAtStart } from '@muster/live-balance';
import { drawExponential, drawIndex, drawNormal, randomOf } from '../chance/draws.js';
import type { CommunityServer } from './community-server.js';

/** Kinds with a generator of their own; separate from the kinds of the queue's world. */
const kinds = { match: 101, arrivals: 102, group: 103, start: 104, life: 105 } as const;

/** A player for a while, with all their draws for any course of the match. */
export interface LivePlayer {
  readonly playerId: string;
  /** True skill, hidden from every policy. */
  readonly truth: number;
  readonly rating: number;
  readonly partyId?: string;
  /** A draw of 0 to 1 that decides whether they leave when they are moved. */
  readonly temper: number;
  /** Draws their lives and points. */
  readonly life: () => Random;
}

/** Players who arrive and leave together. */
export interface LiveGroup {
  readonly players: readonly LivePlayer[];
  /** How long they stay on a team with an even chance. */
  readonly patienceSeconds: number;
  /** A draw of 0 to 1 for ties in their placement. */
  readonly toss: number;
}

/** A match independent of its course: the same for every policy. */
export interface MatchScript {
  readonly places: number;
  /** The players at the start, and their teams. */
  readonly start: readonly { readonly group: LiveGroup; readonly team: number }[];
  /** Later arrivals, in order. */
  readonly arrivals: readonly { readonly atSecond: number; readonly group: LiveGroup }[];
  /** A draw of 0 to 1 for each minute: whether a vote passes. */
  readonly votes: readonly number[];
}

/**
 * How teams begin. `as-they-came`: parties first, each group on the smaller team, as in most games; `even`: the most even
 * by rating, as the coordinator forms them.
 */
export type LiveStart = 'as-they-came' | 'even';

/** Players of a full team in the match of that number. */
export function teamSizeOf({ teamSizes }: CommunityServer, number: number): number {
  return teamSizes[number % teamSizes.length] ?? 1;
}

/**
 * Draws everything about a match that does not depend on the policy. Deterministic for seed and number.
 *
 * @param number of the match; team sizes take turns
 */
export function scriptOf(
  server: CommunityServer,
  start: LiveStart,
  seed: number,
  number: number,
): MatchScript {
  const random = randomOf(seed, kinds.match, number);
  const places = 2 * teamSizeOf(server, number);
  const [least, most] = server.filled;
  const wanted = Math.round(places * (least + (most - least) * random()));
  const votes = Array.from({ length: Math.ceil(server.matchSeconds / 60) }, () => random());
  let groups = 0;
  const draw = (): LiveGroup => drawGroup(server, seed, number, groups++);

  const present: LiveGroup[] = [];
  for (let room = wanted; room > 0;) {
    const group = draw();
    // A party that is too large for the remaining places is skipped.
    if (group.players.length > room) continue;
    present.push(group);
    room -= group.players.length;
  }
  const perGroup = server.parties.shares.reduce((sum, share, i) => sum + share * (i + 1), 0) / total(server);
  const meanGap = (server.meanStaySeconds * perGroup) / (places * server.demand);
  const coming = randomOf(seed, kinds.arrivals, number);
  const arrivals = [];
  for (let at = drawExponential(coming, meanGap); at < server.matchSeconds;) {
    arrivals.push({ atSecond: Math.floor(at), group: draw() });
    at += drawExponential(coming, meanGap);
  }
  const seated =
    start === 'even' ? seatEvenly(present, randomOf(seed, kinds.start, number)) : seatAsTheyCame(present);
  return { places, start: seated, arrivals, votes };
}

const total = ({ parties }: CommunityServer): number => parties.shares.reduce((sum, share) => sum + share, 0);

function drawGroup(server: CommunityServer, seed: number, match: number, number: number): LiveGroup {
  const { skill, parties } = server;
  const random = randomOf(seed, kinds.group, match * 4_096 + number);
  const size = 1 + drawIndex(random, parties.shares);
  const patienceSeconds = drawExponential(random, server.meanStaySeconds);
  const toss = random();
  const first = skill.mean + skill.sigma * drawNormal(random);
  const players = Array.from({ length: size }, (_, i): LivePlayer => {
    // Friends are of similar skill, and as spread as all others.
    const closeness = Math.sqrt(Math.max(0, 1 - (parties.friendSpread / skill.sigma) ** 2));
    const apart = Math.min(parties.friendSpread, skill.sigma) * drawNormal(random);
    const truth = i === 0 ? first : skill.mean + closeness * (first - skill.mean) + apart;
    const error = skill.ratingError * drawNormal(random);
    const isNewcomer = random() < skill.newcomers;
    const playerId = `m${match}g${number}p${i}`;
    const place = (match * 4_096 + number) * 8 + i;
    return {
      playerId,
      truth: Math.max(0, truth),
      rating: isNewcomer ? skill.mean : Math.max(0, truth + error),
      ...(size > 1 ? { partyId: `m${match}g${number}` } : {}),
      temper: random(),
      life: () => randomOf(seed, kinds.life, place),
    };
  });
  return { players, patienceSeconds, toss };
}

type Seated = MatchScript['start'];

function seatAsTheyCame(groups: readonly LiveGroup[]): Seated {
  const sizes = [0, 0];
  return groups
    .toSorted((a, b) => b.players.length - a.players.length)
    .map((group) => {
      const team = smallerTeam(sizes, group.toss);
      sizes[team]! += group.players.length;
      return { group, team };
    });
}

/** The smaller of two teams; of equal ones either, by a draw. */
export function smallerTeam([first = 0, second = 0]: readonly number[], toss: number): number {
  return first === second ? Number(toss < 0.5) : Number(second < first);
}

function seatEvenly(groups: readonly LiveGroup[], random: Random): Seated {
  const players = groups.flatMap((group) => group.players.map((player) => ({ ...player, team: null })));
  const seed = Math.floor(random() * 2 ** 32);
  const answer = teamsAtStart({ teams: 2, players }, { bots: null, best: 1, seed });
  // So few that parties do not fit into two equal teams: they keep the order of arrival.
  if (answer.outcome === 'refused') return seatAsTheyCame(groups);
  const first = new Set(answer.teams[0]);
  const isTurned = random() < 0.5;
  return groups.map((group) => ({
    group,
    team: Number(first.has(group.players[0]!.playerId) === isTurned),
  }));
}
