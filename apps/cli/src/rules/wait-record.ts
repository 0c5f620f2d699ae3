import { inPlainWords, RecordHead, RecordLine } from '@muster/contracts';
import { mostClockSkewMs } from '@muster/domain';
import { waitRecordOf, type WaitRecord } from '@muster/sdk';
import { writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { readText } from '@muster/command-line/terminal/unreadable';

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
  return waitRecordOf(head, lines);
}

/** Writes a record as JSON lines. @throws the file system's error */
export async function writeRecordFile(file: string, { head, lines }: WaitRecord): Promise<void> {
  const texts = function* (): Generator<string> {
    for (const line of [head, ...lines]) yield `${JSON.stringify(line)}\n`;
  };
  await writeFile(file, texts());
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
