import { seededRandom } from '@muster/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack } from '../../support/stack.js';
import { Crowd } from '../crowd.js';
import { fatesOf } from '../fates.js';
import { untilDone } from '../left-jobs.js';
import { settle } from '../settle.js';
import { Harm } from '../stall/harm.js';
import { firstRated } from '../stall/round.js';
import { judge, type Violation } from '../verdict.js';
import { build, serversOf } from '../servers.js';

/** A system under load. */
export interface Scene {
  readonly stack: Stack;
  readonly crowd: Crowd;
}

/** What a row needs beside the system. */
export interface Surroundings {
  /** Settings of the system. */
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** Removes what was made; called after the system has stopped. */
  readonly remove: () => Promise<void>;
}

/** A fault, and how it is brought about. */
export interface Row {
  readonly name: string;
  /** A sentence without its end. */
  readonly what: string;
  /** How long the fault lasts, in seconds; 0 for an event. */
  readonly seconds: number;
  /** The reason why this machine cannot run it, or null. */
  readonly cannot?: () => string | null | Promise<string | null>;
  /** Whether tickets may be lost if that is told. */
  readonly forgets?: true;
  /** Whether matches and results are lost with the database. Tickets are not. */
  readonly losesMatches?: true;
  /** Prepares what the system runs on. */
  readonly surround?: () => Promise<Surroundings>;
  /** Starts the fault. @returns a function that ends it */
  readonly begin: (scene: Scene) => Promise<() => Promise<void>>;
}

/** What became of a row. All counts must be 0. */
export interface Outcome extends Readonly<Record<Violation, number>> {
  readonly fault: string;
  /** Seconds from the end of the fault until a match formed after it was rated; null: none within two minutes. */
  readonly recoverySeconds: number | null;
  readonly tickets: number;
  readonly results: number;
  /** What was found, in words. */
  readonly evidence: readonly string[];
}

/** The load before a fault, and after it, in milliseconds. */
const warmUpMs = 5_000;
const afterMs = 4_000;
const crowdLeavesWithinMs = 90_000;
const settlesWithinMs = 60_000;
/** A call that is held up writes the time at which it arrived. */
const maxDelayMs = 20_000;
const evidenceShown = 4;
/** Of the audit: where tickets may be lost, their fates are asked for instead. */
const ticketsEnd = 'every acknowledged ticket ended, or waits';

/** Starts a system with two replicas of each service, harms it under load, and reads the damage from its stores. */
export async function run(row: Row, players: number): Promise<Outcome> {
  const surroundings = await row.surround?.();
  try {
    return await harmed(row, players, surroundings);
  } finally {
    await surroundings?.remove();
  }
}

async function harmed(row: Row, players: number, around: Surroundings | undefined): Promise<Outcome> {
  const stack = await Stack.start(['--replicas', '2', '--log-level', 'warn'], {
    env: { ...around?.env },
    ...(around?.dataDir === undefined ? {} : { dataDir: around.dataDir }),
  });
  const random = seededRandom(11);
  const fleet = serversOf({
    url: stack.url,
    serverKey: stack.run.serverKey,
    // Some matches outlast a fault, so that every event of a match may fall into one.
    matchMs: () => 500 + 6_000 * random() ** 2,
    random,
  });
  const crowd = new Crowd(stack, players, build);
  const harm = new Harm(stack);
  try {
    await fleet.start();
    await crowd.start();
    await sleep(warmUpMs);
    const beganAt = await harm.now();
    const end = await row.begin({ stack, crowd });
    await sleep(row.seconds * 1000);
    await end();
    if (row.losesMatches) fleet.report.reported.clear();
    const since = performance.now();
    const recoverySeconds = await firstRated(harm, since, await storesTime(harm));
    await sleep(afterMs);
    await Promise.race([crowd.stop(), sleep(crowdLeavesWithinMs)]);
    await settle(stack, settlesWithinMs);

    const found: { violation: Violation; words: string; count: number }[] = [];
    const note = (violation: Violation, words: string, ids: readonly string[]): void => {
      if (ids.length === 0) return;
      const shown = `${ids.slice(0, evidenceShown).join('; ')} (${ids.length} in all)`;
      found.push({ violation, words: `${words}: ${shown}`, count: ids.length });
    };
    note('lost', 'live matches were abandoned', await harm.abandonedSince(beganAt));
    if (!row.losesMatches) note('lost', 'results were refused', fleet.report.refusedReports);
    if (row.forgets) {
      const { promise, broken } = await fatesOf(stack, crowd.acknowledged);
      note('stuck', `not true: ${promise}`, broken);
    } else note('stuck', 'tickets do not end', await harm.stuckTickets(crowd.acknowledged));
    const jobs = await untilDone(stack.run.redisUrl);
    note(
      'stuck',
      'jobs are left',
      jobs.map(({ queue, jobId, state, reason }) => `${queue} ${jobId} is ${state} ${reason}`),
    );
    for (const { promise, violation, broken } of await judge(stack, crowd, fleet, maxDelayMs))
      if (!row.forgets || promise !== ticketsEnd) note(violation, `not true: ${promise}`, broken);
    const count = (violation: Violation): number =>
      found.filter((one) => one.violation === violation).reduce((sum, one) => sum + one.count, 0);
    return {
      fault: row.name,
      lost: count('lost'),
      twice: count('twice'),
      stuck: count('stuck'),
      wrong: count('wrong'),
      recoverySeconds,
      tickets: crowd.acknowledged.size,
      results: fleet.report.reported.size,
      evidence: found.map(({ words }) => words),
    };
  } finally {
    await harm.close();
    await fleet.stop();
    await stack.stop();
  }
}

/** The time of the database, once it answers again. */
async function storesTime(harm: Harm): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await harm.now();
    } catch (error) {
      if (tries === 120) throw error;
      await sleep(250);
    }
  }
}

/** Matches are rated again within this time after the end of a fault, in seconds. */
const recoversWithin = 15;

/** Whether nothing was lost, done twice, left behind or contradictory, and the system soon rates matches again. */
export function isGood(outcome: Outcome): boolean {
  const { lost, twice, stuck, wrong, recoverySeconds, tickets, results } = outcome;
  const recovers = recoverySeconds !== null && recoverySeconds <= recoversWithin;
  return lost + twice + stuck + wrong === 0 && recovers && tickets > 20 && results > 3;
}
