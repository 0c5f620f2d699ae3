import type { SkillBelief } from '@muster/domain';
import { jointNormal, type Seen } from '../maths/joint-normal.js';
import { logistic, playersMetIn, type MatchedPlayer } from './meeting.js';
import type { Search } from './search.js';

/** Number of levels that are estimated jointly; players further away count with the pool's belief. */
const most = 60;

/**
 * The estimate of a newcomer's level after the matches so far: mean and standard deviation.
 *
 * A match only tells the difference of its players. So the levels of all whom the newcomer met, and of those whom these
 * met, are estimated jointly from all their matches: another newcomer's later results count, and their remaining
 * uncertainty is included. Newcomers have a prior about the middle of the range, which is six standard deviations wide;
 * others one about the pool's belief. Every performance is normal about its player's level, a team plays as the mean of its
 * members, and of many teams each is compared with the next. A draw is a difference of zero.
 *
 * @param searches that of the player, and the known ones of other newcomers of the same pool
 * @returns a belief to seed the pool's model with; its sigma is above 0 and never above the newcomers' own
 */
export function conclude(
  search: Search,
  playerId = '',
  searches: ReadonlyMap<string, Search> = new Map(),
): SkillBelief {
  const middle = search.from + (search.to - search.from) / 2;
  const spread = (search.to - search.from) / 6;
  const circle = circleOf(playerId, new Map([...searches, [playerId, search]]));
  // In units of the newcomers' spread about their mean, so that the scale of the pool's numbers has no effect.
  const noise = ((logistic * search.scale) / spread) ** 2;
  const inUnits = ({ mu, sigma }: SkillBelief): { mean: number; variance: number } => ({
    mean: Math.min(9, Math.max(-9, (mu - middle) / spread)),
    variance: Math.min(9, (sigma / spread) ** 2),
  });
  const priors = circle.players.map(({ known }) => (known ? inUnits(known) : { mean: 0, variance: 1 }));
  const numberOf = new Map(circle.players.map((player, i) => [player, i]));
  const met = circle.meetings.flatMap((meeting) => comparisons(meeting, numberOf, inUnits, noise));
  const alone = search.record
    .filter(({ meeting }) => !meeting)
    .map(({ level, scale, outcome }): Seen => ({
      of: [0],
      shares: [1],
      offset: (middle - level) / spread,
      noise: Math.max(1e-12, ((logistic * scale) / spread) ** 2),
      sign: signOf(outcome - 0.5),
    }));
  const [{ mean = 0, variance = 1 } = {}] = jointNormal(priors, [...alone, ...met]);
  return { mu: middle + spread * mean, sigma: spread * Math.sqrt(Math.min(1, Math.max(1e-8, variance))) };
}

/**
 * The searches that a conclusion uses: those of the players met, and of the players whom these met.
 *
 * @param load finds searches; players without one are missing
 */
export async function searchesAbout(
  playerId: string,
  search: Search,
  load: (playerIds: readonly string[]) => Promise<ReadonlyMap<string, Search>>,
): Promise<ReadonlyMap<string, Search>> {
  const found = new Map([[playerId, search]]);
  let next = playersMetIn(search);
  for (let hop = 0; hop < 2; hop++) {
    const unknown = next.filter((id) => !found.has(id)).slice(0, Math.max(0, most - found.size));
    if (unknown.length === 0) break;
    const loaded = await load(unknown);
    for (const [id, theirs] of loaded) found.set(id, theirs);
    next = [...new Set([...loaded.values()].flatMap(playersMetIn))];
  }
  return found;
}

/** A player whose level is estimated. */
interface Unknown {
  /** The pool's belief before the first of these matches; null for a newcomer. */
  known: SkillBelief | null;
  meetings: number;
}

interface Member extends SkillBelief {
  readonly unknown: Unknown;
}

interface Circle {
  /** The first is the player. */
  readonly players: readonly Unknown[];
  readonly meetings: readonly {
    readonly teams: readonly (readonly Member[])[];
    readonly ranks: readonly number[];
  }[];
}

/** The players met, those whom these met, and so on, nearest first, and all matches among them. */
function circleOf(playerId: string, searches: ReadonlyMap<string, Search>): Circle {
  const newcomers = new Map<string, Unknown>([[playerId, { known: null, meetings: 0 }]]);
  const others = new Map<string, Unknown[]>();
  const someoneOf = ({ playerId: id, mu, sigma }: MatchedPlayer): Unknown => {
    if (searches.has(id)) {
      const unknown = newcomers.get(id) ?? { known: null, meetings: 0 };
      if (newcomers.size < most) newcomers.set(id, unknown);
      return unknown;
    }
    const all = others.get(id) ?? [];
    others.set(id, all);
    // A player whose rating was set again meanwhile counts as another opponent.
    const same = all.find(
      ({ known }) => known && Math.abs(known.mu - mu) <= 2 * Math.max(known.sigma, sigma),
    );
    const unknown = same ?? { known: { mu, sigma }, meetings: 0 };
    if (!same) all.push(unknown);
    // Every match reduces uncertainty: the least certain belief is that before the first of them.
    if (unknown.known && unknown.known.sigma < sigma) unknown.known = { mu, sigma };
    return unknown;
  };

  const seen = new Set<string>();
  const meetings: Circle['meetings'][number][] = [];
  for (const id of newcomers.keys())
    for (const { meeting } of searches.get(id)?.record ?? []) {
      if (!meeting || seen.has(meeting.matchId)) continue;
      seen.add(meeting.matchId);
      const teams = meeting.teams.map((team) =>
        team.map((met): Member => {
          const unknown = someoneOf(met);
          unknown.meetings++;
          return { mu: met.mu, sigma: met.sigma, unknown };
        }),
      );
      meetings.push({ teams, ranks: meeting.ranks });
    }
  // A known player who was met once only adds noise to that match; met again, they share one variable.
  const again = [...others.values()].flat().filter((unknown) => unknown.meetings > 1);
  return { players: [...newcomers.values(), ...again.slice(0, most - newcomers.size)], meetings };
}

/** Each team against the next in the order of ranks. */
function comparisons(
  { teams, ranks }: Circle['meetings'][number],
  numberOf: ReadonlyMap<Unknown, number>,
  inUnits: (belief: SkillBelief) => { mean: number; variance: number },
  duelNoise: number,
): Seen[] {
  const order = teams
    .map((team, t) => ({ team, rank: ranks[t] ?? 0 }))
    .filter(({ team }) => team.length > 0)
    .sort((a, b) => a.rank - b.rank);
  return order.slice(1).map((worse, i) => {
    const better = order[i] ?? worse;
    const of: number[] = [];
    const shares: number[] = [];
    let [offset, noise] = [0, (duelNoise / 2) * (1 / better.team.length + 1 / worse.team.length)];
    const count = (team: readonly Member[], side: 1 | -1): void => {
      for (const member of team) {
        const share = side / team.length;
        const number = numberOf.get(member.unknown);
        if (number === undefined) {
          const { mean, variance } = inUnits(member);
          offset += share * mean;
          noise += share * share * variance;
        } else {
          of.push(number);
          shares.push(share);
        }
      }
    };
    count(better.team, 1);
    count(worse.team, -1);
    return { of, shares, offset, noise, sign: signOf(worse.rank - better.rank) };
  });
}

function signOf(difference: number): 1 | 0 | -1 {
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}
