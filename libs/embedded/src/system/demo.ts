import { z } from 'zod';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { nodeOptions, programOf } from './program.js';

/** What the demo needs to know; it comes in `DEMO_OPTIONS`, as JSON. */
export interface DemoOptions {
  readonly demo: 'queue' | 'arena';
  readonly url: string;
  /** When the services were ready, in milliseconds since the epoch: matches from then on are the demo's. */
  readonly readyAt: number;
  /** Logs of its processes and the arena's plot go there. */
  readonly dataDir: string;
  /** The login's private JWK, which signs the players' tokens. */
  readonly login: string;
  readonly serverKey: string;
  readonly operatorKey: string;
  readonly players: number;
  /** Dedicated servers of the queue demo. */
  readonly servers: number;
  /** The live balance that the arena demo shows. */
  readonly policy: string;
  /** Whether text for people may be coloured. */
  readonly colour: boolean;
}

const demoLine = z.union([
  z.object({ begun: z.literal(true) }),
  z.object({ line: z.looseObject({}).nullable(), text: z.string().nullable() }),
  z.object({ summary: z.looseObject({}) }),
]);

/**
 * One line of the demo's standard output: it has begun; something happened, as an object for programs and a text for people, of
 * which one may be null; or, as its last line, the result.
 */
export type DemoLine = z.infer<typeof demoLine>;
/** A line after the demo has begun. */
export type DemoNews = Exclude<DemoLine, { readonly begun: true }>;

/** @returns null when a line is of another form, such as the trace of an error */
export function readDemoLine(text: string): DemoLine | null {
  try {
    return demoLine.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** After SIGTERM matches under way are played to their end, and the result is added up. */
const demoGraceMs = 60_000;

/** How the demo is run: one process, which starts players and servers of its own. @param heard gets its lines once it has begun */
export function demoProcess(options: DemoOptions, heard: (news: DemoNews) => void): ManagedProcess {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    name: 'demo',
    command: process.execPath,
    args: [...nodeOptions, programOf('demo'), options.demo],
    env: { DEMO_OPTIONS: JSON.stringify(options) },
    stopSignal: 'SIGTERM',
    graceMs: demoGraceMs,
    heard: (text) => {
      const line = readDemoLine(text);
      if (line === null) return;
      if ('begun' in line) begin();
      else heard(line);
    },
    ready: (signal) => Promise.race([begun, aborted(signal)]),
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = (): void => reject(new Error('it did not begin in time.'));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
