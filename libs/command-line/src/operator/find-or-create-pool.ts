import type { BodyOf, PoolView } from '@muster/contracts';
import { MusterProblem, type OperatorClient } from '@muster/sdk';

/**
 * Finds or creates the pool. It is looked up first, because the rules for new pools do not apply to an existing one.
 */
export async function findOrCreate(operator: OperatorClient, body: BodyOf<'createPool'>): Promise<PoolView> {
  try {
    return { ...(await operator.pool(body.name)), created: false };
  } catch (error) {
    if (!(error instanceof MusterProblem) || error.code !== 'pool-not-found') throw error;
    return operator.createPool(body);
  }
}
