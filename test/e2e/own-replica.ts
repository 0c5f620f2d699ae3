import { freePort, readKeys, serviceProcess, untilOk, type Replica } from '@muster/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const START_WITHIN_MS = 110_000;

/** A replica of one service beside the shared system. */
export interface OwnReplica {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves with its exit code and signal. */
  readonly exit: Promise<unknown[]>;
}

/**
 * Starts a replica that no other test meets: give it a `REALM` of its own, and a `DATABASE_URL` where it would work on rows of
 * the shared system. It costs a fifth of a whole system.
 *
 * @param system of which it becomes another replica instead
 */
export async function ownReplica(
  service: Replica['service'],
  env: Record<string, string>,
  system?: Stack,
): Promise<OwnReplica> {
  const stack = system ?? (await sharedStack());
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  const replica = { name: service, service, httpPort, grpcPort };
  const neighbours = stack.run.replicas.filter((each) => each.service !== service) as Replica[];
  const keys = await readKeys(stack.dataDir);
  const run = serviceProcess(replica, [...neighbours, replica], stack.run, keys, 'info');
  const url = `http://127.0.0.1:${httpPort}`;
  const child = spawn(run.command, run.args, {
    env: { ...process.env, ...run.env, ...env },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  await untilOk(`${url}/health/ready`, AbortSignal.timeout(START_WITHIN_MS));
  return { url, child, exit };
}
