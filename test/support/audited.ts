import { endpointOf, endpoints, isChange, type AuditEntry, type EndpointName } from '@muster/contracts';
import { ask } from './http.js';
import type { Stack } from './stack.js';

/** Calls that only operators make and that change something. */
const changes = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => isChange(name) && endpointOf(name).callers.join() === 'operator',
);

/**
 * Compares the changes by operators that the services answered, as their HTTP servers counted them, with the audit log. A service
 * that restarted counts from then on.
 *
 * @returns calls that were answered more often than the log has rows
 */
export async function unaudited(stack: Stack): Promise<string[]> {
  const answered = new Map<string, number>();
  for (const { service, httpPort } of stack.run.replicas) {
    if (service === 'edge') continue;
    const { text } = await ask(`http://127.0.0.1:${httpPort}`, '/metrics');
    for (const [, call = '', count] of text.matchAll(
      /^muster_http_requests_total\{endpoint="(\w+)",status="2\d\d"\} (\d+)$/gm,
    ))
      answered.set(call, (answered.get(call) ?? 0) + Number(count));
  }
  const { text } = await ask(stack.url, '/v1/audit/export', { token: stack.run.operatorKey });
  const rows = new Map<string, number>();
  for (const line of text.split('\n').filter(Boolean)) {
    const { call, outcome } = JSON.parse(line) as AuditEntry;
    if (outcome === 'done') rows.set(call, (rows.get(call) ?? 0) + 1);
  }
  if (answered.size === 0) throw new Error('the services counted no calls');
  return changes.flatMap((call) => {
    const [times, told] = [answered.get(call) ?? 0, rows.get(call) ?? 0];
    return times > told ? [`${call}: answered ${times} times, ${told} rows`] : [];
  });
}

/**
 * Refuses changes by operators that have no row of the audit log.
 *
 * @param isWhole whether all of the system must answer; otherwise a test may have killed a part, and nothing can be said
 */
async function checkAudited(stack: Stack, isWhole: boolean): Promise<void> {
  const missing = await unaudited(stack).catch((error: unknown) => {
    if (isWhole) throw error;
    return [];
  });
  if (missing.length > 0)
    throw new Error(`changes by operators without a row of the audit log: ${missing.join('; ')}`);
}

/** For a system whose parts tests kill. */
export const auditedWhereItAnswers = (stack: Stack): Promise<void> => checkAudited(stack, false);

/** For a system that answers until it is stopped. Vitest only prints what a global teardown throws, so the run fails here. */
export async function auditedToTheEnd(stack: Stack): Promise<void> {
  try {
    await checkAudited(stack, true);
  } catch (error) {
    process.exitCode = 1;
    throw error;
  }
}
