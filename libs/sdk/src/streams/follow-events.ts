import type { MusterEvent } from '@muster/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { pause, type Caller } from '../caller.js';
import { MusterProblem } from '../problem.js';
import { isTransient } from '../retry.js';
import { silenceOf } from './silence.js';

/** A stream sends something every five seconds; one that is silent for this time is closed and resumed. */
const silenceMs = 20_000;
const [firstPauseMs, lastPauseMs] = [500, 10_000];

/** An event, and its place in the stream: `after` of a call that continues. */
export interface FollowedEvent extends MusterEvent {
  readonly position: number;
}

/** What to follow. */
export interface FollowOptions {
  /** Types of events, or groups such as `match.*`; all by default. */
  readonly types?: readonly string[] | undefined;
  /** The position of the last event that is known, 0 for the oldest that is kept; what happens from now on by default. */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the stream is open, at first and after a break. */
  readonly opened?: (() => void) | undefined;
  /** Called when the stream breaks and will be resumed. */
  readonly trouble?: ((error: unknown) => void) | undefined;
}

/**
 * Yields events until the signal aborts; reconnects and resumes without gaps.
 *
 * @throws MusterProblem if the coordinator refuses, as `events-forgotten` after an absence of days
 */
export async function* followEvents(caller: Caller, options: FollowOptions): AsyncGenerator<FollowedEvent> {
  const { signal, trouble } = options;
  let { after } = options;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      const isAt = (position: number): void => void (after = position);
      for await (const event of connection(caller, { ...options, after }, isAt)) {
        [after, failures] = [event.position, 0];
        yield event;
      }
      failures += 1;
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof MusterProblem && error.status < 500 && !isTransient(error)) throw error;
      failures += 1;
      trouble?.(error);
    }
    await pause(Math.min(lastPauseMs, firstPauseMs * 2 ** Math.min(failures, 5)), signal).catch(
      () => undefined,
    );
  }
}

/** The events of one connection. @param isAt called with the position when there is no event to tell it */
async function* connection(
  caller: Caller,
  { types = [], after, signal, opened }: FollowOptions,
  isAt: (position: number) => void,
): AsyncGenerator<FollowedEvent> {
  const response = await caller.request('streamEvents', {
    query: {
      ...(types.length === 0 ? {} : { types: types.join(',') }),
      ...(after === undefined ? {} : { after }),
    },
    headers: { accept: 'text/event-stream' },
    patienceMs: 0,
    ...(signal ? { signal } : {}),
  });
  if (!response.body) return;
  opened?.();
  const silence = silenceOf(silenceMs, () => void reader.cancel().catch(() => undefined));
  const parser = new EventSourceParserStream({ onComment: () => void silence.heard() });
  const reader = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      silence.heard();
      if (value.id === undefined) continue;
      if (value.event === 'begin' || value.event === 'position') isAt(Number(value.id));
      else yield { position: Number(value.id), ...(JSON.parse(value.data) as MusterEvent) };
    }
  } finally {
    silence.end();
    await reader.cancel().catch(() => undefined);
  }
}
