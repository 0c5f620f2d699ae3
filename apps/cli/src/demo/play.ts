import { readKeys, Supervisor, untilOk, type Keys } from '@muster/embedded';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAddress } from '@muster/command-line/operator/target';
import { stopOnSignal } from '@muster/command-line/terminal/stop-on-signal';
import { runDemo } from '../up/demo.js';
import { Teller } from '../up/teller.js';
import { abortAfter } from '../up/abort-after.js';

/** What `muster demo` was told. */
export interface PlayOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly players: number;
  readonly servers: number;
  readonly policy: string;
  /** Ends by itself after so many milliseconds; undefined plays until it is stopped. */
  readonly for?: number;
  readonly json: boolean;
}

const readyWithinMs = 90_000;

/**
 * Plays the queue demo on a Muster that runs, until a signal or `--for`. The last line of standard output is JSON.
 *
 * @returns the exit code
 * @throws Error with a user-facing message for an invalid address, and if Muster is not ready in time
 */
export async function play(options: PlayOptions): Promise<number> {
  const { url, json } = options;
  checkAddress(url);
  const teller = new Teller(json);
  const stopping = stopOnSignal(() => undefined);
  const limit = abortAfter(readyWithinMs, stopping);
  const keys = await existingKeys(options.dataDir);
  await untilOk(new URL('/health/ready', url).href, limit).catch((error: unknown) => {
    throw new Error(
      `Muster at ${url} is not ready: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  });
  const logs = await mkdtemp(join(tmpdir(), 'muster-demo-'));
  const supervisor = new Supervisor(logs, (line) => teller.say(line));
  process.on('exit', () => supervisor.killAll());
  try {
    const { players, servers, policy } = options;
    const played = {
      demo: 'queue',
      url,
      readyAt: Date.now(),
      dataDir: logs,
      players,
      servers,
      policy,
    } as const;
    const untilEnded = (): Promise<void> =>
      sleep(options.for ?? 2 ** 31 - 1, undefined, { signal: stopping }).catch(() => undefined);
    teller.line((await runDemo(played, keys, supervisor, teller, limit, untilEnded)) ?? {});
    return 0;
  } finally {
    await supervisor.stopAll([]);
    await rm(logs, { recursive: true, force: true });
  }
}

/** The keys of a data directory. New ones would be of no use: the Muster that runs does not know them. */
async function existingKeys(dataDir: string): Promise<Keys> {
  const login = join(dataDir, 'keys', 'login.jwk');
  await access(login).catch((error: unknown) => {
    throw new Error(
      `There is no login key in ${login}: give the data directory of the Muster that runs with --data-dir.`,
      { cause: error },
    );
  });
  return readKeys(dataDir);
}
