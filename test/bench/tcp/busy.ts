import { LineCaller } from '../../support/line-caller.js';
import { percentile } from '../../support/percentile.js';

/** Connections that send one query after another. */
export interface BusyCase {
  readonly name: string;
  readonly connections: number;
  /** Queries that a connection sends together; it continues when all are answered. */
  readonly together: number;
}

export interface Busy extends BusyCase {
  readonly linesPerSecond: number;
  /** Milliseconds from sending to the last of the answers. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const busyCases: readonly BusyCase[] = [
  { name: 'one connection', connections: 1, together: 1 },
  { name: 'one connection, 20 lines at once', connections: 1, together: 20 },
  { name: '100 connections', connections: 100, together: 1 },
];

/** The address of the queries, and their players. */
export interface Target {
  readonly port: number;
  readonly game: string;
  readonly playerIds: readonly string[];
}

/** Queries for `seconds`, after an uncounted warm-up. @throws Error for an unexpected answer */
export async function measureBusy(
  { port, game, playerIds }: Target,
  busy: BusyCase,
  seconds: number,
  warmUpSeconds: number,
): Promise<Busy> {
  const callers = await Promise.all(Array.from({ length: busy.connections }, () => LineCaller.to(port)));
  const countFrom = performance.now() + warmUpSeconds * 1000;
  const end = countFrom + seconds * 1000;
  const times: number[] = [];
  const work = async (caller: LineCaller, c: number): Promise<void> => {
    caller.send(`GAME ${game}\n`);
    for (let n = c * 7; ; n += busy.together) {
      const asked = Array.from(
        { length: busy.together },
        (_, i) => playerIds[(n + i) % playerIds.length] ?? '',
      );
      const from = performance.now();
      if (from >= end) return;
      caller.send(asked.map((id) => `PLAYER ${id}\n`).join(''));
      const lines = await caller.lines(busy.together);
      const now = performance.now();
      const wrong = lines.find((line, i) => !line.startsWith(`PLAYER ${asked[i] ?? ''} `));
      if (wrong !== undefined) throw new Error(`It was answered ${wrong}`);
      if (from >= countFrom && now <= end) times.push(now - from);
    }
  };
  try {
    await Promise.all(callers.map(work));
  } finally {
    for (const caller of callers) caller.close();
  }
  return {
    ...busy,
    linesPerSecond: Math.round((times.length * busy.together) / seconds),
    p50Ms: round(percentile(times, 50)),
    p99Ms: round(percentile(times, 99)),
  };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
