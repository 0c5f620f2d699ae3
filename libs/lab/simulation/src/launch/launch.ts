import type { QueueRules, SkillBelief, Ticket } from '@muster/domain';
import type { Matchmaker } from '@muster/matchmaking';
import {
  beginSearch,
  conclude,
  evidenceOf,
  modelOf,
  searchAfter,
  searchDone,
  searchesAbout,
  type Meeting,
  type RatingModel,
  type Search,
  type SkillState,
} from '@muster/skill';
import { drawNormal, randomOf } from '../chance/draws.js';
import { play, strengthOf } from '../world/contest.js';
import { teamsOf } from '../world/teams.js';

export interface LaunchOptions {
  /** A queue with calibration matches. */
  readonly rules: QueueRules;
  readonly matcher: (rules: QueueRules) => Matchmaker;
  /** Number of players; all are new. */
  readonly newcomers: number;
  readonly seed: number;
  /** Called with the progress of the day, 0 to 1. */
  readonly progress?: (done: number) => void;
}

/** The results of a launch day, in units of the pool. */
export interface LaunchDay {
  readonly newcomers: number;
  /** Newcomers who got a rating from their calibration. */
  readonly seeded: number;
  /** Share of the seeds within one of their sigmas of the true skill; 0.683 when calibrated. */
  readonly within1Sigma: number;
  /** The same within two; 0.954 when calibrated. */
  readonly within2Sigma: number;
  /** Mean sigma of the seeds. */
  readonly claimed: number;
  /** Root mean square of seed less true skill. */
  readonly rmse: number;
  /** The same for plain OpenSkill (Plackett–Luce, no calibration) after the same matches. */
  readonly openskillRmse: number;
}

const kinds = { truth: 201, round: 202, match: 203 };
const tickMs = 1000;
/** In each round everybody queues within this time, and waits no longer than that. */
const arrivalsMs = 60_000;
const patienceMs = 300_000;
/** True standard deviation of one performance, as OpenSkill assumes on its own scale. */
const performance = 25 / 6;

interface Newcomer {
  readonly playerId: string;
  readonly truth: number;
  search: Search;
  /** In the pool. */
  state: SkillState;
  /** By plain OpenSkill. */
  plain: SkillState;
  seed: { readonly belief: SkillBelief; readonly plain: SkillBelief } | null;
}

/** The state of a launch day. */
interface Day {
  readonly rules: QueueRules;
  readonly seed: number;
  readonly model: RatingModel;
  readonly everybody: readonly Newcomer[];
  newcomer(playerId: string): Newcomer;
  /** Matches so far. */
  played: number;
}

/**
 * The first day of a game: everybody is new. Players queue in rounds, are matched by the matcher at the levels of their
 * probes, split exactly, win by their true skill, and get the ratings of their calibration after its last match. True
 * skills are normal about the pool's start value with its uncertainty.
 */
export async function simulateLaunch(options: LaunchOptions): Promise<LaunchDay> {
  const { rules, newcomers, matcher, progress } = options;
  const { calibrationMatches: matches = 10 } = rules;
  const day = beginDay(options, matches);
  const { everybody } = day;
  for (let round = 0; round < 3 * matches && everybody.some((each) => !each.seed); round++) {
    await playRound(day, round, matcher(rules));
    progress?.(everybody.filter((each) => each.seed).length / newcomers);
  }
  return figuresOf(everybody);
}

function beginDay({ rules, seed, newcomers }: LaunchOptions, matches: number): Day {
  const model = modelOf('openskill-plackett-luce');
  const start = model.belief(model.initial());
  const search = beginSearch({ from: start.mu - 3 * start.sigma, to: start.mu + 3 * start.sigma, matches });
  const everybody = Array.from({ length: newcomers }, (_, i): Newcomer => ({
    playerId: `n${i}`,
    truth: start.mu + start.sigma * drawNormal(randomOf(seed, kinds.truth, i)),
    search,
    state: model.initial(),
    plain: model.initial(),
    seed: null,
  }));
  const byId = new Map(everybody.map((newcomer) => [newcomer.playerId, newcomer]));
  const newcomer = (playerId: string): Newcomer => {
    const found = byId.get(playerId);
    if (!found) throw new Error(`Nobody is called ${playerId}.`);
    return found;
  };
  return { rules, seed, model, everybody, newcomer, played: 0 };
}

/** Everybody queues, and plays when the matcher finds them a match before they give up. */
async function playRound(day: Day, round: number, matcher: Matchmaker): Promise<void> {
  const { rules } = day;
  const fromMs = round * 1_800_000;
  const tickets = ticketsOf(day, round, fromMs);
  const waiting = new Map<string, Ticket>();
  let next = 0;
  for (let now = fromMs; now < fromMs + patienceMs; now += tickMs) {
    for (; (tickets[next]?.enqueuedAt ?? Infinity) <= now; next++) {
      const ticket = tickets[next] as Ticket;
      waiting.set(ticket.ticketId, ticket);
      matcher.add(ticket);
    }
    for (const proposal of matcher.tick(now).proposals) {
      const group = proposal.tickets.map((ticketId) => waiting.get(ticketId) as Ticket);
      for (const ticketId of proposal.tickets) {
        waiting.delete(ticketId);
        matcher.remove(ticketId);
      }
      const { players } = teamsOf(group, proposal, rules);
      await playMatch(
        day,
        players.map((team) => team.map(day.newcomer)),
      );
    }
    if (next === tickets.length && waiting.size < rules.teams * rules.teamSize) break;
  }
}

/** The tickets of a round, in the order of arrival. */
function ticketsOf({ rules, seed, model, everybody }: Day, round: number, fromMs: number): Ticket[] {
  const random = randomOf(seed, kinds.round, round);
  return everybody
    .map((newcomer, i): Ticket => {
      const enqueuedAt = fromMs + Math.floor(random() * arrivalsMs);
      const { mu, sigma } = model.belief(newcomer.state);
      const { matches: counted, of: all, probe } = newcomer.search;
      const tried = newcomer.seed ? {} : { mu: probe, calibration: { match: counted + 1, of: all } };
      return {
        ticketId: `r${round}-${i}`,
        queue: rules.name,
        build: '1',
        players: [{ playerId: newcomer.playerId, mu, sigma, ...tried }],
        latencyMs: {},
        enqueuedAt,
        expiresAt: enqueuedAt + rules.ticketTtlSeconds * 1000,
        fingerprint: '',
      };
    })
    .toSorted((a, b) => a.enqueuedAt - b.enqueuedAt);
}

/** Plays a match by the true skills, rates it, and seeds the players whose calibration it ends. */
async function playMatch(day: Day, teams: readonly (readonly Newcomer[])[]): Promise<void> {
  const { model, seed } = day;
  const strengths = teams.map((team) =>
    strengthOf(
      team.map(({ truth }) => truth),
      performance,
    ),
  );
  const ranks = play(strengths, randomOf(seed, kinds.match, day.played));
  // The ratings before the match.
  const meeting: Meeting = {
    matchId: `m${day.played++}`,
    teams: teams.map((team) => team.map(({ playerId, state }) => ({ playerId, ...model.belief(state) }))),
    ranks,
  };
  rateMatch(model, teams, ranks);
  const concluded = teams.flat().filter((newcomer) => !newcomer.seed && addEvidence(newcomer, meeting));
  for (const newcomer of concluded) await seedByCalibration(day, newcomer);
}

/** Rates a match in the pool and by plain OpenSkill. */
function rateMatch(
  model: RatingModel,
  teams: readonly (readonly Newcomer[])[],
  ranks: readonly number[],
): void {
  const states = model.rate({ teams: teams.map((team) => team.map(({ state }) => state)) }, ranks);
  const plain = model.rate({ teams: teams.map((team) => team.map((each) => each.plain)) }, ranks);
  for (const [t, team] of teams.entries())
    for (const [p, newcomer] of team.entries()) {
      newcomer.state = states[t]?.[p] ?? newcomer.state;
      newcomer.plain = plain[t]?.[p] ?? newcomer.plain;
    }
}

/** Adds a match to the search of a newcomer. @returns whether it concluded the search */
function addEvidence(newcomer: Newcomer, meeting: Meeting): boolean {
  const { search, playerId } = newcomer;
  const evidence = evidenceOf(meeting, playerId, search);
  if (evidence) newcomer.search = searchAfter(search, evidence.outcome, evidence, meeting);
  return searchDone(newcomer.search);
}

/** Seeds a newcomer with the result of their calibration. */
async function seedByCalibration({ model, newcomer: find }: Day, newcomer: Newcomer): Promise<void> {
  const load = async (ids: readonly string[]): Promise<Map<string, Search>> =>
    new Map(ids.map((id) => [id, find(id).search]));
  const about = await searchesAbout(newcomer.playerId, newcomer.search, load);
  const belief = conclude(newcomer.search, newcomer.playerId, about);
  newcomer.seed = { belief, plain: model.belief(newcomer.plain) };
  newcomer.state = model.seed(belief);
}

function figuresOf(everybody: readonly Newcomer[]): LaunchDay {
  const seeds = everybody.flatMap(({ seed, truth }) => (seed ? [{ ...seed, truth }] : []));
  const n = seeds.length;
  const share = (holds: (one: (typeof seeds)[number]) => boolean): number => seeds.filter(holds).length / n;
  const mean = (of: (one: (typeof seeds)[number]) => number): number =>
    seeds.reduce((sum, one) => sum + of(one), 0) / n;
  const within = (sigmas: number) =>
    share(({ belief, truth }) => Math.abs(belief.mu - truth) <= sigmas * belief.sigma);
  return {
    newcomers: everybody.length,
    seeded: n,
    within1Sigma: within(1),
    within2Sigma: within(2),
    claimed: mean(({ belief }) => belief.sigma),
    rmse: Math.sqrt(mean(({ belief, truth }) => (belief.mu - truth) ** 2)),
    openskillRmse: Math.sqrt(mean(({ plain, truth }) => (plain.mu - truth) ** 2)),
  };
}
