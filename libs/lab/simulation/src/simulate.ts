import { own, type PoolRules, type QueueRules, type Ticket, type TicketPlayer } from '@muster/domain';
import type { MatchProposal, Matchmaker } from '@muster/matchmaking';
import { defaultPoolRules, type Meeting, type SkillState } from '@muster/skill';
import { drawExponential, drawLogNormal, drawNormal, randomOf } from './chance/draws.js';
import { Ledger } from './measures/ledger.js';
import type { SimulationResult } from './measures/result.js';
import type { Population } from './population/population.js';
import { Accounts, bands } from './world/accounts.js';
import { chancesOf, play, strengthOf, unfairness, type Strength } from './world/contest.js';
import { EventQueue } from './world/events.js';
import { Groups, type Group } from './world/groups.js';
import { kinds } from './world/kinds.js';
import { SimulatedPool, type TeamsToRate } from './world/ratings.js';
import { teamsOf } from './world/teams.js';

export interface SimulationOptions {
  readonly population: Population;
  readonly rules: QueueRules;
  /** The tested matcher; it gets the rules above. */
  readonly matcher: (rules: QueueRules) => Matchmaker;
  /**
   * Any whole number. The same one gives the same players, arrivals, latencies, patience and match lengths to every
   * matcher.
   */
  readonly seed: number;
  /** Length of the measurement, above 0. */
  readonly days: number;
  /** Played before the measurement. Default 1. */
  readonly warmUpHours?: number;
  /** Hour of the day, UTC, at which the measurement begins. Default 0. */
  readonly startHour?: number;
  /** Between two ticks of the matcher. Default 1000. */
  readonly tickMs?: number;
  /** How players are rated. Default: the default rules of a pool. */
  readonly rating?: PoolRules;
  /** Called every simulated minute with the progress, 0 to 1. */
  readonly progress?: (done: number) => void;
}

/** Event kinds; giving up concerns one ticket, which may have a match by then. */
type Event =
  | { readonly kind: 'arrival' }
  | { readonly kind: 'queue'; readonly group: Group }
  | {
      readonly kind: 'end of patience';
      readonly group: Group;
      readonly ticket: Ticket;
      readonly expired: boolean;
    }
  | { readonly kind: 'end of match'; readonly match: Match };

interface Match {
  readonly groups: readonly Group[];
  readonly teams: readonly (readonly number[])[];
  /** Bots of each team. */
  readonly bots: readonly number[];
  readonly parties: readonly (readonly number[])[];
  readonly ranks: readonly number[];
}

/** A match is cancelled this long after a player fails to connect. */
const noShowMs = 60_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A bot has the rating from the rules, with hardly any uncertainty. */
const botSigma = 0.5;

/**
 * Simulates some days of a population with a matcher, in virtual time: players come by the hour, queue, wait, give up, are
 * matched by the matcher at its ticks, split by the solver, win by their true skill, are rated by the pool's model, and
 * queue again. The matcher gets the same input as in service: tickets with ratings and latencies, nothing else.
 *
 * @throws Error when the matcher breaks its contract: a ticket that does not wait or is proposed twice, or a set that
 *   cannot be split
 */
export function simulate(options: SimulationOptions): SimulationResult {
  return new Simulation(options).run();
}

class Simulation {
  private readonly agenda = new EventQueue<Event>();
  private readonly matcher: Matchmaker;
  private readonly pool: SimulatedPool;
  private readonly accounts: Accounts;
  private readonly groups: Groups;
  private readonly ledger: Ledger;
  private readonly waiting = new Map<string, Group>();
  private readonly fromMs: number;
  private readonly toMs: number;
  private readonly ends = { queued: 0, matched: 0, gaveUp: 0, expired: 0 };
  private readonly work = { ticks: 0, steps: 0, splits: 0, held: 0, cut: 0 };
  private playing = 0;
  private matches = 0;
  /** Matches with a newcomer. */
  private followed = 0;

  constructor(private readonly options: SimulationOptions) {
    const { population, rules, seed, days, warmUpHours = 1, startHour = 0 } = options;
    this.matcher = options.matcher(rules);
    const { teams, teamSize } = rules;
    const history = randomOf(seed, kinds.history, 0);
    this.pool = new SimulatedPool(options.rating ?? defaultPoolRules, population, teams, teamSize, history);
    const { model } = this.pool.model;
    this.accounts = new Accounts(population, model, seed);
    const { maxPartySize, calibrationMatches = 0 } = rules;
    this.groups = new Groups(
      { population, accounts: this.accounts, model, seed, maxPartySize, calibrationMatches },
      startHour - warmUpHours,
    );
    this.fromMs = Math.round(warmUpHours * 60) * minuteMs;
    this.toMs = this.fromMs + Math.round(days * dayMs);
    this.ledger = new Ledger({
      regions: population.regions.map(({ name }) => name),
      bands,
      fromMs: this.fromMs,
      toMs: this.toMs,
      bandOf: (account) => this.accounts.band(account),
    });
  }

  run(): SimulationResult {
    const { population, rules, seed, days, tickMs = 1000, progress } = this.options;
    this.begin();
    let minute = 0;
    for (let now = 0; now <= this.toMs; now = this.nextTick(now, tickMs)) {
      while (this.agenda.nextAt <= now) {
        const at = this.agenda.nextAt;
        this.applyEvent(this.agenda.take(), at);
      }
      this.ledger.recordHour(now, this.playing, this.waiting.size);
      if (this.matcher.size > 0) this.tick(now);
      if (progress && now >= minute * minuteMs) {
        progress(now / this.toMs);
        minute = Math.floor(now / minuteMs) + 1;
      }
    }
    const { newcomers, skill } = population;
    return {
      population: population.name,
      queue: rules.name,
      days,
      seed,
      tickets: { ...this.ends, waiting: this.waiting.size },
      ...this.ledger.figures(newcomers.matches, skill.sigma),
      work: this.work,
    };
  }

  /** While no ticket waits nothing can be matched: the next tick is then the one after the next event. */
  private nextTick(now: number, tickMs: number): number {
    const next = now + tickMs;
    if (this.matcher.size > 0 || this.agenda.nextAt <= next) return next;
    return Math.max(next, Math.ceil(Math.min(this.agenda.nextAt, this.toMs + tickMs) / tickMs) * tickMs);
  }

  private begin(): void {
    const { match } = this.options.population;
    const spreadMs = match.minutes * minuteMs;
    for (let i = this.groups.underWay(); i > 0; i--) {
      const group = this.groups.come(0, true);
      if (!group) break;
      this.playing += group.members.length;
      this.agenda.put(Math.floor(group.random() * spreadMs), { kind: 'queue', group });
    }
    this.agenda.put(this.groups.nextAt(0), { kind: 'arrival' });
  }

  private applyEvent(event: Event | undefined, now: number): void {
    if (!event) return;
    if (event.kind === 'arrival') {
      this.agenda.put(this.groups.nextAt(now), event);
      const group = this.groups.come(now);
      if (!group) return;
      this.playing += group.members.length;
      this.queue(group, now);
    } else if (event.kind === 'queue') {
      this.queue(event.group, now);
    } else if (event.kind === 'end of match') {
      this.endMatch(event.match, now);
    } else if (event.group.ticket === event.ticket) {
      this.giveUp(event.group, event.ticket, event.expired);
    }
  }

  private queue(group: Group, now: number): void {
    const { population, rules } = this.options;
    // Whole milliseconds, as a clock returns; never before a past tick.
    const enqueuedAt = Math.ceil(now);
    const { medianSeconds, spread } = population.patience;
    const patienceMs = drawLogNormal(group.random, medianSeconds * 1000, spread);
    const ttlMs = rules.ticketTtlSeconds * 1000;
    const ticketId = `t${this.ends.queued++}`;
    const ticket: Ticket = {
      ticketId,
      queue: rules.name,
      build: '1',
      players: group.members.map((account) => this.player(account, group)),
      latencyMs: group.latencyMs,
      enqueuedAt,
      expiresAt: enqueuedAt + ttlMs,
      fingerprint: '',
    };
    group.ticket = ticket;
    this.waiting.set(ticketId, group);
    this.matcher.add(ticket);
    this.agenda.put(enqueuedAt + Math.min(patienceMs, ttlMs), {
      kind: 'end of patience',
      group,
      ticket,
      expired: ttlMs < patienceMs,
    });
  }

  private player(account: number, { course }: Group): TicketPlayer {
    const { mu, sigma } = this.pool.model.model.belief(this.accounts.state(account));
    const probe = course?.probe;
    const player = { playerId: String(account), mu: probe?.level ?? mu, sigma };
    const { roles } = this.options.rules;
    return {
      ...player,
      ...(probe ? { calibration: { match: probe.match, of: probe.of } } : {}),
      ...(roles ? { canPlay: this.rolesOf(account, Object.keys(roles)) } : {}),
    };
  }

  private rolesOf(account: number, roles: readonly string[]): string[] {
    const random = randomOf(this.options.seed, kinds.role, account);
    return roles.filter((role) => random() < (own(this.options.population.roles, role) ?? 1));
  }

  private giveUp(group: Group, ticket: Ticket, expired: boolean): void {
    this.ends[expired ? 'expired' : 'gaveUp']++;
    this.ledger.gaveUp(group, ticket.enqueuedAt);
    this.takeOut(group, ticket);
    this.leave(group);
  }

  private takeOut(group: Group, ticket: Ticket): void {
    if (!this.waiting.delete(ticket.ticketId) || !this.matcher.remove(ticket.ticketId))
      throw new Error(`The matcher lost ticket ${ticket.ticketId}, which waits.`);
    group.ticket = null;
  }

  private leave(group: Group): void {
    this.playing -= group.members.length;
    for (const account of group.members) this.accounts.leave(account);
  }

  private tick(now: number): void {
    const { proposals, held, work } = this.matcher.tick(now);
    this.work.ticks++;
    this.work.held += held;
    this.work.steps += work.steps;
    this.work.splits += work.splits;
    this.work.cut += Number(!work.finished);
    for (const proposal of proposals) this.form(proposal, now);
  }

  private form(proposal: MatchProposal, now: number): void {
    const { rules, population, seed } = this.options;
    const entries = proposal.tickets.map((ticketId) => {
      const group = this.waiting.get(ticketId);
      const ticket = group?.ticket;
      if (!group || !ticket) throw new Error(`The matcher proposed ticket ${ticketId}, which does not wait.`);
      this.takeOut(group, ticket);
      return { group, ticket };
    });
    const tickets = entries.map(({ ticket }) => ticket);
    const solution = teamsOf(tickets, proposal, rules);
    const teams = solution.players.map((team) => team.map(Number));
    const groups = entries.map(({ group }) => group);
    const parties = teams.map((team) =>
      groups
        .filter(({ members }) => members.length > 1 && members.some((member) => team.includes(member)))
        .map(({ members }) => members.length),
    );
    const predicted = this.pool.predict(this.states(teams, solution.bots, parties));
    const strengths = this.strengths(teams, solution.bots);
    const fairness = {
      predicted: unfairness(predicted),
      actual: unfairness(chancesOf(strengths)),
    };
    const skills = tickets.map(
      (ticket) => ticket.players.reduce((sum, { mu }) => sum + mu, 0) / ticket.players.length,
    );
    const spread = Math.max(...skills) - Math.min(...skills);
    for (const { group, ticket } of entries) {
      this.ends.matched++;
      this.ledger.matched(group, ticket.enqueuedAt, now - ticket.enqueuedAt, fairness, spread, rules.teams);
    }
    const isMeasured = now >= this.fromMs;
    if (isMeasured) this.ledger.matches++;

    const random = randomOf(seed, kinds.match, this.matches++);
    const absent = groups.filter(({ members }) => members.some(() => random() < population.noShow));
    if (absent.length > 0) {
      if (isMeasured) this.ledger.calledOff++;
      for (const group of groups)
        if (absent.includes(group)) this.leave(group);
        else this.agenda.put(now + noShowMs, { kind: 'queue', group });
      return;
    }
    const { minutes, spreadMinutes } = population.match;
    const length = Math.max(minutes / 4, minutes + spreadMinutes * drawNormal(random));
    const match = { groups, teams, bots: solution.bots, parties, ranks: play(strengths, random) };
    this.agenda.put(now + Math.round(length * minuteMs), { kind: 'end of match', match });
  }

  private states(
    teams: readonly (readonly number[])[],
    bots: readonly number[],
    parties: readonly (readonly number[])[],
  ): TeamsToRate {
    const bot = (): SkillState =>
      this.pool.model.model.seed({ mu: this.options.rules.bots?.skill ?? 0, sigma: botSigma });
    const states = teams.map((team, t) => [
      ...team.map((account) => this.accounts.state(account)),
      ...Array.from({ length: bots[t] ?? 0 }, bot),
    ]);
    return { states, parties };
  }

  private strengths(teams: readonly (readonly number[])[], bots: readonly number[]): Strength[] {
    const bot = this.options.rules.bots?.skill ?? 0;
    return teams.map((team, t) =>
      strengthOf(
        [
          ...team.map((account) => this.accounts.truth(account)),
          ...Array.from({ length: bots[t] ?? 0 }, () => bot),
        ],
        this.options.population.skill.performance,
      ),
    );
  }

  private endMatch({ groups, teams, bots, parties, ranks }: Match, now: number): void {
    const before = this.states(teams, bots, parties);
    const after = this.pool.rate(before, ranks);
    const followed = groups.filter((group) => group.course !== null);
    const meeting = followed.length > 0 ? this.meetingOf(before, teams, ranks) : null;
    for (const [t, team] of teams.entries())
      for (const [p, account] of team.entries()) this.accounts.rate(account, after[t]?.[p] ?? {});
    if (meeting) for (const group of followed) this.follow(group, meeting);
    for (const group of groups) this.goOn(group, now);
  }

  /** The match with the known ratings, bots among the players. */
  private meetingOf(
    { states }: TeamsToRate,
    teams: readonly (readonly number[])[],
    ranks: readonly number[],
  ): Meeting {
    const { model } = this.pool.model;
    return {
      matchId: `m${this.followed++}`,
      teams: states.map((team, t) =>
        team.map((state, p) => ({
          playerId: String(teams[t]?.[p] ?? `bot-${t}-${p}`),
          ...model.belief(state),
        })),
      ),
      ranks,
    };
  }

  /** Counts a match for a newcomer, whose calibration it may end. */
  private follow({ course, members: [account = NaN] }: Group, meeting: Meeting): void {
    const { model } = this.pool.model;
    const found = course?.count(meeting, model.belief(this.accounts.state(account)));
    if (found) this.accounts.rate(account, model.seed(found));
  }

  private goOn(group: Group, now: number): void {
    const { session, newcomers } = this.options.population;
    const { course, random } = group;
    const stays = course ? course.matches < newcomers.matches : random() >= 1 / session.matches;
    if (stays) {
      const breakMs = drawExponential(random, session.breakSeconds * 1000);
      this.agenda.put(now + Math.round(breakMs), { kind: 'queue', group });
      return;
    }
    if (course) this.ledger.follow(course);
    this.leave(group);
  }
}
