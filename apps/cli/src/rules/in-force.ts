import type { AnswerOf } from '@muster/contracts';
import { MusterProblem, type OperatorClient } from '@muster/sdk';

export type VersionInForce = AnswerOf<'listRules'>['versions'][number];

/** The newest version of a queue's rules; null if there is no such queue. */
export async function inForce(operator: OperatorClient, queue: string): Promise<VersionInForce | null> {
  try {
    const { versions } = await operator.rules(queue, { limit: 1 });
    return versions[0] ?? null;
  } catch (error) {
    if (error instanceof MusterProblem && error.code === 'queue-not-found') return null;
    throw error;
  }
}
