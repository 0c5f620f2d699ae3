import { OtlpReceiver } from '@muster/testing';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceOneTicket, tracingTo } from '../../observe/traced-ticket.js';
import type { Stack } from '../../support/stack.js';
import { ownStack } from '../shared-stack.js';

let receiver: OtlpReceiver;
let stack: Stack;
beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  stack = await ownStack([], tracingTo(receiver));
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

/** The files of `dist` that a program loads at its start. */
function loadedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(`dist/${file}`, 'utf8');
  for (const [, name = ''] of text.matchAll(/^import\b[^;]*?"\.\/([^"]+)";/gm)) loadedBy(name, known);
  return known;
}

describe('a traced ticket', () => {
  it('is one trace from its call to its rating, through all services and the end of one of them', async () => {
    await expect(traceOneTicket(stack, receiver)).resolves.toBeUndefined();
  });

  it('has its trace in the view of its match, for operators alone', async () => {
    const { matches } = await stack.operator.matches({ playerId: 'traced-ann' });
    const trace = receiver.spans.find(({ name }) => name === 'process rate-match')?.traceId;
    expect(matches.map(({ traceId }) => traceId)).toContain(trace);
    const { matches: own } = await (await stack.player('traced-ann')).matches({});
    expect(own.map(({ traceId }) => traceId)).toEqual([null]);
  });

  it('is not paid for elsewhere: programs load OpenTelemetry when traces are on', () => {
    for (const program of ['queue', 'assignment', 'allocator', 'rating', 'edge', 'single']) {
      const files = [...loadedBy(`${program}.js`)];
      expect(files.length).toBeGreaterThan(1);
      expect(
        files.filter((file) => readFileSync(`dist/${file}`, 'utf8').includes('BatchSpanProcessor')),
      ).toEqual([]);
    }
  });
});
