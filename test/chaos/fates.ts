import { MusterProblem } from '@muster/sdk';
import type { Stack } from '../support/stack.js';
import type { Finding } from './verdict.js';

/** Asks the service what became of tickets: each has ended, waits, or is told to be lost (410). */
export async function fatesOf(
  stack: Pick<Stack, 'operator'>,
  ticketIds: ReadonlySet<string>,
): Promise<Finding> {
  const broken: string[] = [];
  for (const ticketId of ticketIds) {
    const fate = await stack.operator.ticket(ticketId).then(
      ({ state, closed }) => (closed || state === 'waiting' ? 'well' : `stuck in ${state}`),
      (error: unknown) => (error instanceof MusterProblem ? error.code : String(error)),
    );
    if (fate !== 'well' && fate !== 'ticket-lost') broken.push(`${ticketId} is ${fate}`);
  }
  return { promise: 'every acknowledged ticket ended, waits, or is told to be lost', broken };
}
