import { Stack } from '../support/stack.js';

/** Short enough to wait for, long enough for a machine that has much to do. */
export const patience = { ANSWER_MS: '1500', SILENCE_MS: '3000', MASS_SILENCE_MS: '20000', AVOID_MS: '3000' };

let started: Promise<Stack> | undefined;

/** A system of two replicas of each service, with stores of its own and little patience; the first caller starts it. */
export function replicasStack(): Promise<Stack> {
  started ??= Stack.start(['--replicas', '2'], { env: patience });
  return started;
}

export async function stopReplicasStack(): Promise<void> {
  const stack = await started?.catch(() => undefined);
  await stack?.stop();
}
