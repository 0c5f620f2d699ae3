import type { Random, Ticket } from '@muster/domain';
import type { RatingModel } from '@muster/skill';
import { drawExponential, drawIndex, randomOf } from '../chance/draws.js';
import type { Population } from '../population/population.js';
import type { Accounts } from './accounts.js';
import { kinds } from './kinds.js';
import { NewcomerTrack } from './newcomer.js';

/** Players who play together for a session: one, or a party. */
export interface Group {
  /** Draws all decisions of this group, independent of the matcher. */
  readonly random: Random;
  readonly region: number;
  readonly members: readonly number[];
  readonly latencyMs: Readonly<Record<string, number>>;
  /** A newcomer comes alone. */
  readonly course: NewcomerTrack | null;
  /** While it waits. */
  ticket: Ticket | null;
}

export interface GroupOptions {
  readonly population: Population;
  readonly accounts: Accounts;
  readonly model: RatingModel;
  readonly seed: number;
  readonly maxPartySize: number;
  readonly calibrationMatches: number;
}

const dayMs = 86_400_000;
/** The length of a session assumes this wait before each match. */
const usualWaitMs = 30_000;

/** Groups that come to play, by the hour: more of each region at its peak. */
export class Groups {
  private readonly random: Random;
  private readonly perMs: number;
  private readonly knownMs: number;
  private readonly newcomerMs: number;
  private count = 0;

  /** @param startHour of the day, UTC, at time 0 */
  constructor(
    private readonly options: GroupOptions,
    private readonly startHour: number,
  ) {
    const { population, seed } = options;
    this.random = randomOf(seed, kinds.arrivals, 0);
    const { session, match, newcomers } = population;
    const roundMs = match.minutes * 60_000 + session.breakSeconds * 1000 + usualWaitMs;
    this.knownMs = session.matches * roundMs;
    this.newcomerMs = newcomers.matches * roundMs;
    const shares = this.partyShares();
    const players =
      shares.reduce((sum, share, i) => sum + share * (i + 1), 0) / shares.reduce((a, b) => a + b, 0);
    const { share } = newcomers;
    const playerMs = (1 - share) * players * this.knownMs + share * this.newcomerMs;
    this.perMs = population.concurrentPlayers / playerMs;
  }

  /** When the next group comes, after `now`. */
  nextAt(now: number): number {
    const { swing } = this.options.population;
    let at = now;
    // Thinning: drawn at the maximum rate, and accepted with the ratio of the actual rate.
    do at += drawExponential(this.random, 1 / (this.perMs * (1 + swing)));
    while (this.random() * (1 + swing) >= this.activity(at));
    return at;
  }

  /** Number of groups that play already at time 0. */
  underWay(): number {
    const { share } = this.options.population.newcomers;
    const meanMs = (1 - share) * this.knownMs + share * this.newcomerMs;
    return Math.round(this.perMs * meanMs * this.activity(0));
  }

  /** @param underWay whether it is in the middle of its session @returns null when no account is free */
  come(now: number, underWay = false): Group | null {
    const { population, accounts, seed, model } = this.options;
    const random = randomOf(seed, kinds.group, this.count++);
    const region = drawIndex(
      random,
      population.regions.map(({ share, peakHour }) => share * this.level(peakHour, now)),
    );
    const { share, control, smurfs } = population.newcomers;
    const kept = underWay
      ? (share * this.newcomerMs) / (share * this.newcomerMs + (1 - share) * this.knownMs)
      : share;
    const isNewcomer = random() < kept;
    const latencyMs = this.latencies(region, random);
    if (isNewcomer) {
      const isSmurf = random() < smurfs;
      const calibrated = random() < control ? 0 : this.options.calibrationMatches;
      const account = accounts.newcomer(random, isSmurf);
      const start = model.belief(model.initial());
      const course = new NewcomerTrack(String(account), isSmurf, calibrated, start, accounts.truth(account));
      return { random, region, members: [account], latencyMs, course, ticket: null };
    }
    const size = 1 + drawIndex(random, this.partyShares());
    const leader = accounts.anybody(region, random);
    if (leader === null) return null;
    const members = [leader];
    while (members.length < size) {
      const friend = accounts.friendOf(leader, region, random);
      if (friend === null) break;
      members.push(friend);
    }
    return { random, region, members, latencyMs, course: null, ticket: null };
  }

  private partyShares(): readonly number[] {
    return this.options.population.parties.shares.slice(0, this.options.maxPartySize);
  }

  /** Of all regions, 1 averaged over a day. */
  private activity(at: number): number {
    const { regions } = this.options.population;
    const total = regions.reduce((sum, { share }) => sum + share, 0);
    return regions.reduce((sum, { share, peakHour }) => sum + share * this.level(peakHour, at), 0) / total;
  }

  private level(peakHour: number, at: number): number {
    const past = (at / dayMs) * 24 + this.startHour - peakHour;
    return 1 + this.options.population.swing * Math.cos((2 * Math.PI * past) / 24);
  }

  private latencies(region: number, random: Random): Record<string, number> {
    const { regions, connectionMs } = this.options.population;
    const connection = drawExponential(random, connectionMs);
    const given = Object.entries(regions[region]?.latencyMs ?? {});
    return Object.fromEntries(given.map(([name, least]) => [name, Math.round(least + connection)]));
  }
}
