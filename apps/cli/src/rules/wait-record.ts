import { inPlainWords, RecordHead, RecordLine } from '@muster/contracts';
import { mostClockSkewMs, type RecordedTicket } from '@muster/domain';
import type { OperatorClient } from '@muster/sdk';
import { writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { readText } from '@muster/command-line/terminal/unreadable';

/** The recorded waits of a queue's tickets: a head, and its tickets in order of arrival, each once. */
export interface WaitRecord {
  readonly head: RecordHead;
  readonly lines: readonly RecordLine[];
}

/** Reads the record of a running Muster. @param hours the length of the record, at most 1 */
export async function recordOf(operator: OperatorClient, queue: string, hours: number): Promise<WaitRecord> {
  let head: RecordHead | undefined;
  const lines: RecordLine[] = [];
  for await (const line of operator.record(queue, { hours })) {
    if ('ticketId' in line) lines.push(line);
    else head = line;
  }
  if (!head) throw new Error(`the record of "${queue}" has no first line`);
  return { head, lines: inOrder(lines) };
}

/** Reads a file written by `muster rules record`. @throws Error with a user-facing message */
export async function readRecordFile(file: string): Promise<WaitRecord> {
  const text = await readText(file, 'is not there; "muster rules record FILE" creates one.');
  const [first = '', ...rest] = text.split('\n');
  const head = readLine(RecordHead, first, `${file}:1`);
  const lines = rest.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const place = `${file}:${i + 2}`;
    const read = readLine(RecordLine, line, place);
    if (read.enqueuedAt > head.until + mostClockSkewMs)
      throw new Error(
        `${place} is not a line of this record: enqueuedAt ${read.enqueuedAt} is after it was read (until ${head.until}, in its first line).`,
      );
    return [read];
  });
  return { head, lines: inOrder(lines) };
}

/** Writes a record as JSON lines. @throws the file system's error */
export async function writeRecordFile(file: string, { head, lines }: WaitRecord): Promise<void> {
  const texts = function* (): Generator<string> {
    for (const line of [head, ...lines]) yield `${JSON.stringify(line)}\n`;
  };
  await writeFile(file, texts());
}

/** The tickets as input of a trial. */
export function ticketsOf({ head, lines }: WaitRecord): RecordedTicket[] {
  return lines.map(({ outcome, leftAt, matchId, ...said }) => ({
    ticket: { ...said, queue: head.queue, fingerprint: '' },
    outcome,
    leftAt,
    ...(matchId === undefined ? {} : { matchId }),
  }));
}

function inOrder(lines: readonly RecordLine[]): RecordLine[] {
  const once = new Map(lines.map((line) => [line.ticketId, line]));
  return [...once.values()].sort((a, b) => a.enqueuedAt - b.enqueuedAt || (a.ticketId < b.ticketId ? -1 : 1));
}

function readLine<T>(schema: z.ZodType<T>, text: string, place: string): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${place} is not JSON; "muster rules record FILE" creates a record.`, {
      cause: error,
    });
  }
  const { success, data, error } = schema.safeParse(json, { error: inPlainWords });
  if (success) return data;
  const [issue] = error.issues;
  const at = issue?.path.join('.') ?? '';
  throw new Error(`${place} is not a line of a record: ${at === '' ? '' : `${at} `}${issue?.message ?? ''}`);
}
