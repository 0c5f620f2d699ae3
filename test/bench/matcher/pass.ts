// One matcher on one pool, in a worker thread so that an endless run can be stopped.
import type { QueueRules, Ticket } from '@muster/domain';
import { skillOf } from '@muster/domain';
import { WaitingPool, type Matchmaker, type MatchProposal, type Tick } from '@muster/matchmaking';
import { baselines, judgeOf } from '@muster/lab-simulation';
import { parentPort, workerData } from 'node:worker_threads';
import { cases, poolOf, type Case } from './cases.js';

/** The input of a thread. */
export interface PassRequest {
  readonly matcher: string;
  readonly caseName: string;
  readonly waiting: number;
  readonly passes: number;
}

/** The result; times in milliseconds. */
export interface PassReport {
  readonly passMs: readonly number[];
  readonly matches: number;
  /** Ticks until nothing more is to be done, the slowest of all passes, and the matches of all ticks of the last pass. */
  readonly ticks: number;
  readonly slowestMs: number;
  readonly matchesInAll: number;
  readonly players: number;
  readonly spreads: readonly number[];
  readonly unfairness: readonly number[];
  readonly bytesPerTicket: number;
  readonly rebuildMs: number;
  /** A tick with this many new tickets among known ones, and one without new tickets. */
  readonly intakeMs: number;
  readonly idleMs: number;
}

/** Any moment works: matchers take the time as a parameter. */
const now = 1_800_000_000_000;
const newcomers = 10_000;
const mostTicks = 200;
/** Matches whose teams are judged. */
const judged = 400;
const performance_ = 25 / 6;

function open(matcher: string, rules: QueueRules): Matchmaker {
  if (matcher === 'muster') return new WaitingPool(rules);
  const baseline = baselines.find(({ name }) => name === matcher);
  if (!baseline) throw new Error(`there is no matcher ${matcher}`);
  // Teams are judged afterwards, outside the measured time.
  return baseline.open({ rules, judge: () => ({ gap: 0, unfairness: 0 }) });
}

function fill(matcher: Matchmaker, tickets: readonly Ticket[]): void {
  for (const ticket of tickets) matcher.add(ticket);
}

function timed(run: () => void): number {
  const from = performance.now();
  run();
  return performance.now() - from;
}

function measure({ matcher, caseName, waiting, passes }: PassRequest): PassReport {
  const of = cases.find(({ name }) => name === caseName)!;
  const passMs: number[] = [];
  let proposals: readonly MatchProposal[] = [];
  let drained: Drained = { ticks: 0, slowestMs: 0, matchesInAll: 0 };
  let slowestMs = 0;
  // The first pass is a warm-up.
  for (let pass = 0; pass <= passes; pass++) {
    const tickets = poolOf(of, waiting, pass, now);
    const pool = open(matcher, of.rules);
    fill(pool, tickets);
    collect();
    let first: Tick | undefined;
    const ms = timed(() => (first = pool.tick(now)));
    proposals = first?.proposals ?? [];
    say(pass);
    if (first) drained = drain(pool, first);
    if (pass > 0) {
      passMs.push(ms);
      slowestMs = Math.max(slowestMs, ms, drained.slowestMs);
    }
    if (pass === 0) process.stderr.write(`  ${matcher}, ${caseName}, ${waiting}: ${ms.toFixed(0)} ms cold\n`);
  }
  const tickets = new Map(poolOf(of, waiting, passes, now).map((ticket) => [ticket.ticketId, ticket]));
  const sets = proposals.map((proposal) => proposal.tickets.map((id) => tickets.get(id)!));
  const judge = judgeOf(of.rules, performance_);
  const step = Math.max(1, Math.floor(sets.length / judged));
  const looked = sets.filter((_, i) => i % step === 0);
  return {
    passMs,
    ...drained,
    slowestMs,
    matches: sets.length,
    players: sets.flat().reduce((sum, ticket) => sum + ticket.players.length, 0),
    spreads: sets.map((set) => Math.max(...set.map(skillOf)) - Math.min(...set.map(skillOf))),
    unfairness: looked.map((set) => judge(set).unfairness),
    ...footprint(matcher, of, waiting),
  };
}

type Drained = Pick<PassReport, 'ticks' | 'slowestMs' | 'matchesInAll'>;

/** The ticks after the first, until all that was left to do is done; matched tickets leave, as in the service. */
function drain(pool: Matchmaker, first: Tick): Drained {
  let tick = first;
  let slowestMs = 0;
  let matchesInAll = first.proposals.length;
  let ticks = 1;
  for (; !tick.work.finished && ticks < mostTicks; ticks++) {
    for (const { tickets } of tick.proposals) for (const id of tickets) pool.remove(id);
    slowestMs = Math.max(
      slowestMs,
      timed(() => (tick = pool.tick(now))),
    );
    matchesInAll += tick.proposals.length;
  }
  return { ticks, slowestMs, matchesInAll };
}

/** Memory and time of a pool that is filled, gets newcomers, and waits. */
function footprint(
  matcher: string,
  of: Case,
  waiting: number,
): Pick<PassReport, 'bytesPerTicket' | 'rebuildMs' | 'intakeMs' | 'idleMs'> {
  // No tickets match, so that the pool stays full.
  const rules: QueueRules = {
    ...of.rules,
    skillWindow: [{ afterSeconds: 0, limit: 1e-12 }],
    teamGap: [{ afterSeconds: 0, limit: 1e-12 }],
  };
  const pool = open(matcher, rules);
  collect();
  const before = memory();
  let rebuildMs = 0;
  // In pages, as from a store: only what the matcher keeps is counted.
  for (let from = 0; from < waiting; from += newcomers) {
    const page = poolOf(of, Math.min(newcomers, waiting - from), 100 + from, now, from);
    rebuildMs += timed(() => fill(pool, page));
  }
  rebuildMs += timed(() => settle(pool));
  collect();
  const bytesPerTicket = (memory() - before) / waiting;
  const more = poolOf(of, newcomers, 99, now, waiting);
  pool.tick(now + 150);
  const intakeMs = timed(() => {
    fill(pool, more);
    pool.tick(now + 300);
  });
  const idleMs = timed(() => pool.tick(now + 450));
  return { bytesPerTicket, rebuildMs, intakeMs, idleMs };
}

/** Ticks until the matcher knows every ticket. */
function settle(pool: Matchmaker): void {
  for (let ticks = 0; ticks < mostTicks && !pool.tick(now).work.finished; ticks++);
}

/** A number reports a finished pass, because the time limit applies per pass. */
function say(message: PassReport | number): void {
  parentPort?.postMessage(message, []);
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function collect(): void {
  // The second collection frees what the first made unreachable.
  globalThis.gc?.();
  globalThis.gc?.();
}

say(measure(workerData as PassRequest));
