import { z } from 'zod';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { nodeOptions, programOf } from './program.js';

/** The options of the demo, in `DEMO_OPTIONS` as JSON. */
export interface DemoOptions {
  readonly demo: 'queue' | 'arena';
  readonly url: string;
  /** When the services were ready, in milliseconds since the epoch: later matches belong to the demo. */
  readonly readyAt: number;
  /** The directory for its logs and the arena's plot. */
  readonly dataDir: string;
  /** The login's private JWK, which signs players' tokens. */
  readonly login: string;
  readonly serverKey: string;
  readonly operatorKey: string;
  readonly players: number;
  /** Dedicated servers of the queue demo. */
  readonly servers: number;
  /** The live-balance policy of the arena demo. */
  readonly policy: string;
  /** Whether text output may be coloured. */
  readonly colour: boolean;
}

const demoLine = z.union([
  z.object({ begun: z.literal(true) }),
  z.object({ line: z.looseObject({}).nullable(), text: z.string().nullable() }),
  z.object({ summary: z.looseObject({}) }),
]);

/**
 * One line of the demo's standard output: it has begun; an event, as an object and a text, of which one may be null;
 * or, as the last line, the result.
 */
export type DemoLine = z.infer<typeof demoLine>;
/** A line after the demo has begun. */
export type DemoNews = Exclude<DemoLine, { readonly begun: true }>;

/** @returns null for other output, such as a stack trace */
export function readDemoLine(text: string): DemoLine | null {
  try {
    return demoLine.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** After SIGTERM, current matches are finished and the result is computed. */
const demoGraceMs = 60_000;

/** The process of the demo, which starts players and servers. @param heard receives its lines once it has begun */
export function demoProcess(options: DemoOptions, onLine: (news: DemoNews) => void): ManagedProcess {
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
    onLine: (text) => {
      const line = readDemoLine(text);
      if (line === null) return;
      if ('begun' in line) begin();
      else onLine(line);
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
