import type { OpenSpan } from '@muster/contracts';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The span in whose work a call is. Services that share a process share it. It costs nothing until it is used. */
const ambient = new AsyncLocalStorage<OpenSpan>();

/**
 * The active span. One that has ended is not: a batch that began in its work may go on with the work of others.
 */
export function activeSpan(): OpenSpan | undefined {
  const span = ambient.getStore();
  return span?.isRecorded ? span : undefined;
}

export const runWithin = <T>(span: OpenSpan, work: () => T): T => ambient.run(span, work);

/** The fields of a log line that name the active trace. */
export function traceFields(): { traceId?: string } {
  const span = activeSpan();
  return span ? { traceId: span.traceId } : {};
}
