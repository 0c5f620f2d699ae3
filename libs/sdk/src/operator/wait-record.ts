import type { RecordHead, RecordLine } from '@muster/contracts';
import type { RecordedTicket } from '@muster/domain';
import type { OperatorClient } from '../operator-client.js';
import type { CallLimits } from '../retry.js';

/** The recorded waits of a queue's tickets: a head, and its tickets in order of arrival, each once. */
export interface WaitRecord {
  readonly head: RecordHead;
  readonly lines: readonly RecordLine[];
}

/** Reads the record of a running Muster. @param hours the length of the record, at most 1 */
export async function readWaitRecord(
  operator: OperatorClient,
  queue: string,
  hours: number,
  limits: CallLimits = {},
): Promise<WaitRecord> {
  let head: RecordHead | undefined;
  const lines: RecordLine[] = [];
  for await (const line of operator.record(queue, { hours }, limits)) {
    if ('ticketId' in line) lines.push(line);
    else head = line;
  }
  if (!head) throw new Error(`the record of "${queue}" has no first line`);
  return waitRecordOf(head, lines);
}

/** A record from its lines, which may be in any order and come twice. */
export function waitRecordOf(head: RecordHead, lines: readonly RecordLine[]): WaitRecord {
  const once = new Map(lines.map((line) => [line.ticketId, line]));
  const inOrder = [...once.values()].sort(
    (a, b) => a.enqueuedAt - b.enqueuedAt || (a.ticketId < b.ticketId ? -1 : 1),
  );
  return { head, lines: inOrder };
}

/** The tickets as input of a trial of rules. */
export function recordedTickets({ head, lines }: WaitRecord): RecordedTicket[] {
  return lines.map(({ outcome, leftAt, matchId, ...said }) => ({
    ticket: { ...said, queue: head.queue, fingerprint: '' },
    outcome,
    leftAt,
    ...(matchId === undefined ? {} : { matchId }),
  }));
}
