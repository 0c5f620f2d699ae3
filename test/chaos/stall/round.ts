import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../support/fleet.js';
import type { Stack } from '../../support/stack.js';
import type { Crowd } from '../crowd.js';
import type { Harm } from './harm.js';
import { goesOn, type Disturbance } from './plan.js';
import { stop } from './stopping.js';

/** What a round came to. All counts are to be 0. */
export interface Round {
  readonly stopped: string | null;
  readonly clockSeconds: number;
  readonly seconds: number;
  readonly liveMatchesAbandoned: number;
  readonly resultsRefused: number;
  readonly ticketsStuck: number;
  readonly playersStuck: number;
  /**
   * Until a match that was formed afterwards had been played and rated; where one of two replicas is well, a match that was
   * formed from the beginning on. null: none was within two minutes.
   */
  readonly recoverySeconds: number | null;
}

/** A system under load, and who looks at its stores. */
export interface Scene {
  readonly stack: Stack;
  readonly crowd: Crowd;
  readonly fleet: Fleet;
  readonly harm: Harm;
}

/** A server is lost after 10 s of silence, and a stall must not be the reason: by then it would be known. */
const judgedMs = 13_000;
const recoversWithinMs = 120_000;
const lookMs = 100;

/** Disturbs a system under load, lets it recover, and counts what that cost. @param evidence hears what was harmed, by name */
export async function play(
  { stack, crowd, fleet, harm }: Scene,
  disturbance: Disturbance,
  evidence: (what: string, ids: readonly string[]) => void,
): Promise<Round> {
  const refusedBefore = fleet.report.refusedReports.length;
  const began = performance.now();
  const beganAt = await harm.now();
  const recovered = disturbance.stopped === null ? waited(disturbance) : await halted(stack, disturbance);
  const recoverySeconds = await recovered(harm, began, beganAt);
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

/** @returns seconds from the beginning or the end of the disturbance to the first rated match that was formed after it */
type Recovery = (harm: Harm, began: number, beganAt: number) => Promise<number | null>;

function waited({ seconds }: Disturbance): Recovery {
  return async (harm, began, beganAt) => {
    const recovery = await firstRated(harm, began, beganAt);
    await sleep(Math.max(0, began + seconds * 1000 - performance.now()));
    return recovery;
  };
}

async function halted(stack: Stack, disturbance: Disturbance): Promise<Recovery> {
  const name = disturbance.stopped ?? '';
  const pids = Object.entries(await stack.pids())
    .filter(([process]) => process === name || process.startsWith(`${name}-`))
    .map(([, pid]) => pid);
  if (pids.length === 0) throw new Error(`nothing that runs is called ${name}`);
  const goOn = await stop(pids);
  const length = sleep(disturbance.seconds * 1000);
  return async (harm, began, beganAt) => {
    // The stores answer, for it is a replica that stands still.
    if (goesOn(disturbance)) {
      const recovery = firstRated(harm, began, beganAt);
      await length;
      goOn();
      return recovery;
    }
    await length;
    goOn();
    const ended = performance.now();
    return firstRated(harm, ended, await harm.now());
  };
}

async function firstRated(harm: Harm, since: number, formedFrom: number): Promise<number | null> {
  while (performance.now() - since < recoversWithinMs) {
    if ((await harm.ratedOf(formedFrom)) > 0) return Math.round((performance.now() - since) / 100) / 10;
    await sleep(lookMs);
  }
  return null;
}
