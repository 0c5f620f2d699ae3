import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../support/fleet.js';
import type { Stack } from '../../support/stack.js';
import type { Crowd } from '../crowd.js';
import type { Harm } from './harm.js';
import { faults } from './faults.js';
import { goesOn, type Disturbance } from './plan.js';
import { stop } from './stopping.js';

/** The result of a round. All counts must be 0. */
export interface Round extends Disturbance {
  readonly liveMatchesAbandoned: number;
  readonly resultsRefused: number;
  readonly ticketsStuck: number;
  readonly playersStuck: number;
  /**
   * Seconds until a match formed after the disturbance was rated; if the system must keep working meanwhile, from its
   * beginning. null: none within two minutes.
   */
  readonly recoverySeconds: number | null;
}

/** A system under load, and the reader of its stores. */
export interface Scene {
  readonly stack: Stack;
  readonly crowd: Crowd;
  readonly fleet: Fleet;
  readonly harm: Harm;
}

/** A server is lost after 10 s of silence; a stall must not cause that. By this time it would be visible. */
const judgedMs = 13_000;
const recoversWithinMs = 120_000;
const lookMs = 100;

/**
 * Disturbs a system under load, lets it recover, and counts the damage. @param evidence receives the damaged objects,
 * by name
 */
export async function play(
  { stack, crowd, fleet, harm }: Scene,
  disturbance: Disturbance,
  evidence: (what: string, ids: readonly string[]) => void,
): Promise<Round> {
  const refusedBefore = fleet.report.refusedReports.length;
  const began = performance.now();
  const beganAt = await harm.now();
  const end = await begin(stack, crowd, disturbance);
  const over = sleep(disturbance.seconds * 1000).then(end);
  const recoverySeconds = goesOn(disturbance)
    ? await firstRated(harm, began, beganAt)
    : await over.then(async () => firstRated(harm, performance.now(), await harm.now()));
  await over;
  await sleep(judgedMs);

  const abandoned = await harm.abandonedSince(beganAt);
  const refused = fleet.report.refusedReports.slice(refusedBefore);
  const tickets = await harm.stuckTickets(crowd.acknowledged);
  const players = await harm.stuckPlayers();
  evidence('live matches abandoned', abandoned);
  evidence('results refused', refused);
  evidence('tickets stuck', tickets);
  evidence('players stuck', players);
  return {
    ...disturbance,
    liveMatchesAbandoned: abandoned.length,
    resultsRefused: refused.length,
    ticketsStuck: tickets.length,
    playersStuck: players.length,
    recoverySeconds,
  };
}

/** Starts a disturbance. @returns a function that ends it */
async function begin(
  stack: Stack,
  crowd: Crowd,
  { stopped, fault }: Disturbance,
): Promise<() => Promise<void>> {
  if (fault !== null) return faults[fault](stack, crowd);
  if (stopped === null) return () => Promise.resolve();
  const pids = Object.entries(await stack.pids())
    .filter(([process]) => process === stopped || process.startsWith(`${stopped}-`))
    .map(([, pid]) => pid);
  if (pids.length === 0) throw new Error(`nothing that runs is called ${stopped}`);
  const goOn = stop(pids);
  return async () => goOn();
}

/** @returns seconds from `since` to the first rated match formed at or after `formedFrom`, or null */
export async function firstRated(harm: Harm, since: number, formedFrom: number): Promise<number | null> {
  while (performance.now() - since < recoversWithinMs) {
    // A store that does not answer yet has not recovered.
    if ((await harm.ratedOf(formedFrom).catch(() => 0)) > 0)
      return Math.round((performance.now() - since) / 100) / 10;
    await sleep(lookMs);
  }
  return null;
}
