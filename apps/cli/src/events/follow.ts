import type { FollowedEvent } from '@muster/sdk';
import { asking } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { moment } from '@muster/command-line/terminal/moment';
import { stopOnSignal } from '@muster/command-line/terminal/stop-on-signal';

/** Options of `muster events`. */
export interface FollowGiven {
  readonly follow: boolean;
  readonly types?: readonly string[];
  readonly after?: number;
}

/** Without `--follow`: a stream that is quiet for this time has no more. */
const quietMs = 2_000;

/** Prints events until a signal, or until there are no more. */
export async function printEvents(
  { follow, types, after, json, ...target }: OperatorOptions & FollowGiven,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const stopping = new AbortController();
  const stop = stopOnSignal(() => stopping.abort());
  const quiet = follow ? null : setTimeout(() => stopping.abort(), quietMs);
  const signal = AbortSignal.any([stop, stopping.signal]);
  const trouble = (): void =>
    void process.stderr.write('muster: the stream broke; it is resumed where it was\n');
  try {
    await asking(
      target,
      env,
    )(async (operator) => {
      for await (const event of operator.followEvents({ types, after, signal, trouble })) {
        quiet?.refresh();
        process.stdout.write(`${json ? JSON.stringify(event) : eventLine(event)}\n`);
      }
    });
  } finally {
    if (quiet) clearTimeout(quiet);
  }
}

/** An event on one line: position, time, type, and what it is about. */
export function eventLine({ position, timestamp, type, data }: FollowedEvent): string {
  const said = Object.entries(data)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name}=${name.endsWith('At') ? moment(Number(value)) : String(value)}`);
  return [position, timestamp, type, ...said].join(' ');
}
