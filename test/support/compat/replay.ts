import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../stack.js';
import { eventsIn, eventValue, fill, fillText, linesOf, namesIn, type RecordedCall } from './recording.js';
import { compare, type Comparison, type Shape } from './shape.js';

/** The time for which a read, or a refused call, is repeated until it has the recorded answer. */
const READ_WITHIN_MS = 15_000;
/** The same after a difference: later answers may then never come. */
const READ_AFTER_DIFFERENCE_MS = 1_000;
/** The replay ends after this many differences, because one cause has many effects. */
const MOST_DIFFERENCES = 30;
/** The interval of a server's heartbeats. */
const HEARTBEAT_MS = 2_000;

/** A difference between an answer and the recorded one. */
export interface Difference {
  readonly call: string;
  /** The line in the record, from 1. */
  readonly line: number;
  readonly misses: readonly string[];
}

/** An answer, with its differences from the recorded one. */
interface Answered {
  readonly misses: readonly string[];
  /** 0 without an answer. */
  readonly status: number;
}

/**
 * Sends the recorded requests to a running system, in the same order and with the same concurrency. @returns all
 * differences
 */
export function replay(stack: Stack, calls: readonly RecordedCall[]): Promise<Difference[]> {
  return new Replay(stack).all(calls);
}

class Replay {
  /** Ids by their names. */
  private readonly known = new Map<string, string>();
  private readonly heartbeats = new Map<string, RecordedCall>();
  private readonly watchers = new Set<() => void>();
  private readonly differences: Difference[] = [];
  /** Whether an answer lacks an id: requests that need it are skipped. */
  private isBroken = false;

  constructor(private readonly stack: Stack) {}

  async all(calls: readonly RecordedCall[]): Promise<Difference[]> {
    const heart = setInterval(() => void this.beat(), HEARTBEAT_MS);
    const open: { readonly until: number; readonly done: Promise<void> }[] = [];
    try {
      for (const [i, call] of calls.entries()) {
        await Promise.all(open.filter(({ until }) => until <= i).map(({ done }) => done));
        if (this.differences.length >= MOST_DIFFERENCES) break;
        await this.knows(namesIn(requestOf(call)));
        const done = this.ask(call).then((misses) => {
          if (misses.length > 0) this.differences.push({ call: call.call, line: i + 1, misses });
        });
        open.push({ until: i + 1 + (call.during ?? 0), done });
      }
      await Promise.all(open.map(({ done }) => done));
    } finally {
      clearInterval(heart);
    }
    return this.differences.toSorted((a, b) => a.line - b.line);
  }

  /** Waits until these ids are known: a pending answer may have them. */
  private async knows(names: readonly string[]): Promise<void> {
    for (const name of names)
      if (name.startsWith('uuid.') && !this.known.has(name)) this.known.set(name, crypto.randomUUID());
    const until = Date.now() + (this.isBroken ? 0 : this.patienceMs);
    while (names.some((name) => !this.known.has(name))) {
      const leftMs = until - Date.now();
      if (leftMs <= 0) {
        this.isBroken = true;
        return;
      }
      await Promise.race([new Promise<void>((resolve) => this.watchers.add(resolve)), sleep(leftMs)]);
    }
  }

  private get patienceMs(): number {
    return this.differences.length === 0 ? READ_WITHIN_MS : READ_AFTER_DIFFERENCE_MS;
  }

  private learn({ found }: Comparison): void {
    for (const [name, value] of found) if (!this.known.has(name)) this.known.set(name, value);
    for (const resolve of this.watchers) resolve();
    this.watchers.clear();
  }

  /** @returns the differences from the recorded answer */
  private async ask(call: RecordedCall): Promise<readonly string[]> {
    if (call.call === 'heartbeat') this.heartbeats.set(call.path, call);
    if (call.call === 'leaveServer') this.heartbeats.delete(`${call.path}/heartbeat`);
    const begun = Date.now();
    for (;;) {
      const { misses, status } = await this.once(call).catch((error: unknown): Answered => ({
        misses: [String(error)],
        status: 0,
      }));
      const isOver = this.isBroken || Date.now() > begun + this.patienceMs;
      // A refused call changes nothing, and its answer may tell of a state that is about to change.
      const mayRepeat = call.method === 'GET' || (call.status >= 400 && status === call.status);
      if (misses.length === 0 || !mayRepeat || isOver) return misses;
      await sleep(100);
    }
  }

  private async once(call: RecordedCall): Promise<Answered> {
    const response = await this.send(call);
    return { misses: await this.missesIn(response, call), status: response.status };
  }

  private async missesIn(response: Response, call: RecordedCall): Promise<readonly string[]> {
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    if (response.status !== call.status || type !== call.type) {
      const text = (await response.text()).slice(0, 300);
      return [`is ${response.status} ${type}, not ${call.status} ${call.type}: ${text}`];
    }
    if (type === 'text/event-stream') return this.listen(call.parts ?? [], response);
    const text = await response.text();
    if (call.columns) {
      const columns = new Set(text.split('\r\n')[0]?.split(','));
      return call.columns.filter((column) => !columns.has(column)).map((column) => `has no column ${column}`);
    }
    if (call.answer === undefined && call.parts === undefined) return text === '' ? ['is empty'] : [];
    const compared = call.parts
      ? compare(call.parts, linesOf(text), this.known)
      : compare(call.answer ?? {}, JSON.parse(text), this.known);
    if (compared.misses.length === 0) this.learn(compared);
    return compared.misses;
  }

  private async send(call: RecordedCall): Promise<Response> {
    const { method, path, query, headers, body } = fill(
      requestOf(call),
      this.known,
      Date.now(),
    ) as ReturnType<typeof requestOf>;
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), this.stack.url);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
    return fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${await this.tokenOf(call.as)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(2 * READ_WITHIN_MS),
    });
  }

  private tokenOf(as: string): string | Promise<string> {
    const { operatorKey, serverKey } = this.stack.run;
    if (as === 'operator') return operatorKey;
    if (as === 'fleet') return serverKey;
    const [kind = '', ...rest] = as.split(':');
    const who = fillText(rest.join(':'), this.known, 0);
    return kind === 'player' ? this.stack.token(who) : who;
  }

  /** Reads a stream until all recorded events have arrived in order; others may come between them. */
  private async listen(parts: readonly Shape[], response: Response): Promise<readonly string[]> {
    let rest = '';
    let misses: readonly string[] = [];
    const waiting = [...parts];
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const read = eventsIn(rest + text);
      rest = read.rest;
      for (const event of read.events) {
        const [next] = waiting;
        if (next === undefined) break;
        const compared = compare(next, eventValue(event), this.known);
        misses = compared.misses;
        if (misses.length > 0) continue;
        this.learn(compared);
        waiting.shift();
      }
      if (waiting.length === 0) return [];
    }
    return waiting.length === 0
      ? []
      : [`ended without event ${parts.length - waiting.length + 1} of ${parts.length}`, ...misses];
  }

  private async beat(): Promise<void> {
    for (const call of this.heartbeats.values()) await this.send(call).catch(() => undefined);
  }
}

const requestOf = ({ as, method, path, query = {}, headers = {}, body }: RecordedCall) => ({
  as,
  method,
  path,
  query,
  headers,
  ...(body === undefined ? {} : { body }),
});
