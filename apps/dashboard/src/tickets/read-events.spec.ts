import { describe, expect, it } from 'vitest';
import { readEvents } from './read-events.js';

/** A stream that stays open after its parts. */
function streamOf(...parts: readonly string[]): {
  stream: ReadableStream<Uint8Array>;
  isCancelled: () => boolean;
} {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  return { stream, isCancelled: () => cancelled };
}
const event = (seq: number): string =>
  `id: ${seq}\nevent: ticket\ndata: {"seq":${seq},"state":"waiting"}\n\n`;

describe('the events of a ticket', () => {
  it('are read up to the last one that is known', async () => {
    const { stream, isCancelled } = streamOf(': here\n\n', event(1), event(2) + event(3));
    expect((await readEvents(stream, 3)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(isCancelled()).toBe(true);
  });

  it('may come in pieces', async () => {
    const text = event(1) + event(2);
    const { stream } = streamOf(text.slice(0, 9), text.slice(9, 50), text.slice(50));
    expect(await readEvents(stream, 2)).toHaveLength(2);
  });

  it('are those that came, when the stream ends before', async () => {
    const stream = new Blob([`${event(1)}event: come-again\ndata: {"inMs":100}\n\n`]).stream();
    expect(await readEvents(stream, 9)).toHaveLength(1);
    expect(await readEvents(null, 9)).toEqual([]);
  });
});
