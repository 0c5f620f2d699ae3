import type { TicketEvent } from './ticket.js';

/**
 * Reads the events of a ticket from its stream up to a known one. The stream sends all that happened at once, and stays open
 * while more may happen: it is closed here, since the page looks again.
 *
 * @param until the number of the last event
 */
export async function readEvents(
  stream: ReadableStream<Uint8Array> | null,
  until: number,
): Promise<readonly TicketEvent[]> {
  if (!stream) return [];
  const reader = stream
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  const events: TicketEvent[] = [];
  let rest = '';
  try {
    while ((events.at(-1)?.seq ?? 0) < until) {
      const { done, value } = await reader.read();
      if (done) break;
      const [whole, left] = splitEvents(rest + value);
      rest = left;
      events.push(...whole.flatMap(ticketEventIn));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return events;
}

/** The events that are whole, and what begins the next one. */
function splitEvents(text: string): readonly [whole: readonly string[], left: string] {
  const parts = text.split('\n\n');
  return [parts.slice(0, -1), parts.at(-1) ?? ''];
}

/** An event of the ticket; none in a comment, or in an event about the stream itself. */
function ticketEventIn(text: string): TicketEvent[] {
  const lines = text.split('\n');
  if (!lines.includes('event: ticket')) return [];
  const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : [])).join('\n');
  return [JSON.parse(data) as TicketEvent];
}
