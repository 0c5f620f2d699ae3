import { eventsIn, eventValue, linesOf, type RecordedCall } from './recording.js';
import { shapeOf, type Shape } from './shape.js';

/** The part of an endpoint that a recorder needs. */
export interface KnownEndpoint {
  readonly method: string;
  readonly path: string;
}

/** A request with its answer, as sent over the wire. */
interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly at: number;
  /** The number of requests begun when the answer arrived; undefined before. */
  answeredAfter?: number;
  status: number;
  type: string;
  text: string;
}

/** A value that has a name from a certain answer on. */
interface Pin {
  readonly value: string;
  readonly name: string;
  /** Applies to the commands with this text, and to all later exchanges. */
  readonly fromAnswerWith: string;
  readonly since: number;
}

const coordinatorId = /^[a-z]{2,4}_[A-Za-z0-9_-]{8,64}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dayMs = 86_400_000;
/** Headers that affect an answer. */
const telling = new Set(['idempotency-key', 'last-event-id', 'accept']);

/** Records the requests and answers of a release's SDK in place of `fetch`. */
export class Recorder {
  private readonly exchanges: Exchange[] = [];
  private readonly callers = new Map<string, string>();
  private readonly pins: Pin[] = [];
  private readonly watchers = new Set<() => void>();
  private isRecording = true;

  /** @param endpoints of that release, by name */
  constructor(
    private readonly url: string,
    private readonly endpoints: Readonly<Record<string, KnownEndpoint>>,
  ) {}

  /** Starts recording every `fetch` of this process to the coordinator. */
  begin(): void {
    const real = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (!this.isRecording || !url.href.startsWith(this.url)) return real(input, init);
      const headers = Object.fromEntries(new Headers(init?.headers).entries());
      const exchange: Exchange = {
        method: init?.method ?? 'GET',
        url,
        token: headers['authorization']?.slice('Bearer '.length) ?? '',
        headers,
        body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
        at: Date.now(),
        status: 0,
        type: '',
        text: '',
      };
      this.exchanges.push(exchange);
      const response = await real(input, init);
      exchange.status = response.status;
      exchange.type = response.headers.get('content-type')?.split(';')[0] ?? '';
      if (exchange.type === 'text/event-stream') {
        void this.keep(exchange, response.clone());
        return response;
      }
      // Read before the caller can make another request, so that the record keeps its order.
      const text = await this.keep(exchange, response);
      const { status, headers: answered } = response;
      return new Response(status === 204 ? null : text, { status, headers: answered });
    };
  }

  /** Stops recording. */
  end(): void {
    this.isRecording = false;
  }

  /** Registers the bearer of a token. */
  introduce(token: string, as: string): void {
    this.callers.set(token, as);
  }

  /**
   * Names a value of an answer, so that a replay reads the value at the same place of its own answer.
   *
   * @param fromAnswerWith a text that identifies the answer with the command
   */
  pin(name: string, value: string | undefined, fromAnswerWith: string): string {
    if (value === undefined) throw new Error(`there is nothing to call ${name}`);
    this.pins.push({ value, name, fromAnswerWith, since: this.exchanges.length });
    return value;
  }

  /** Waits until a matching exchange has been answered. */
  async answered(call: string, wanted: (request: string, answer: string) => boolean): Promise<void> {
    const isThere = (): boolean =>
      this.exchanges.some(
        (each) =>
          each.answeredAfter !== undefined &&
          this.nameOf(each) === call &&
          wanted(JSON.stringify(each.body ?? null), each.text),
      );
    while (!isThere()) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  /** The record, without unanswered polls. @throws Error with the endpoints that were never called */
  calls(): RecordedCall[] {
    const kept = this.exchanges.filter((each, i) => this.isWorthKeeping(each, i));
    const names = this.namesOf(kept);
    const calls = kept.map((each) => this.describe(each, kept, names));
    const called = new Set(calls.map(({ call }) => call));
    const uncalled = Object.keys(this.endpoints).filter((name) => !called.has(name));
    if (uncalled.length > 0) throw new Error(`never called: ${uncalled.join(', ')}`);
    return calls;
  }

  private async keep(exchange: Exchange, response: Response): Promise<string> {
    try {
      exchange.text = await response.text();
      exchange.answeredAfter = this.exchanges.length;
      return exchange.text;
    } catch (error) {
      // A stream closed by its reader has no end; its content so far is unknown.
      if (exchange.type === 'text/event-stream') return '';
      throw error;
    } finally {
      for (const resolve of this.watchers) resolve();
      this.watchers.clear();
    }
  }

  private nameOf({ method, url }: Exchange): string {
    const found = Object.entries(this.endpoints)
      .filter(
        ([, endpoint]) =>
          endpoint.method === method &&
          new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(
            url.pathname,
          ),
      )
      // `/v1/matches/export` before `/v1/matches/:matchId`.
      .toSorted(([, a], [, b]) => a.path.split(':').length - b.path.split(':').length)[0];
    if (!found) throw new Error(`${method} ${url.pathname} is no endpoint of this release`);
    return found[0];
  }

  /** Drops cancelled requests, empty polls and repeated reads. */
  private isWorthKeeping(exchange: Exchange, i: number): boolean {
    if (exchange.answeredAfter === undefined) return false;
    const call = this.nameOf(exchange);
    if (call === 'takeCommands') return exchange.text !== '{"commands":[]}';
    const isSame = (other: Exchange): boolean =>
      other.token === exchange.token &&
      other.method === exchange.method &&
      other.url.href === exchange.url.href;
    if (call === 'heartbeat') {
      const before = this.exchanges.slice(0, i).findLast(isSame);
      return JSON.stringify(before?.body) !== JSON.stringify(exchange.body);
    }
    const next = this.exchanges.slice(i + 1).find((other) => other.token === exchange.token);
    return (
      exchange.method !== 'GET' ||
      next === undefined ||
      !isSame(next) ||
      exchange.headers['last-event-id'] !== undefined
    );
  }

  /** Names of ids in answers, and of ids generated by callers. */
  private namesOf(kept: readonly Exchange[]): Map<string, string> {
    const asked = new Set(kept.flatMap((each) => stringsIn(requestOf(each)).map(({ value }) => value)));
    const own = new Set<string>();
    const names = new Map<string, string>();
    const counts = new Map<string, number>();
    const name = (value: string, kind: string): void => {
      if (names.has(value) || this.callers.has(value)) return;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      names.set(value, `${kind}.${counts.get(kind)}`);
    };
    for (const each of kept) {
      for (const { value } of stringsIn(requestOf(each))) {
        if (uuid.test(value)) name(value, 'uuid');
        else if (!names.has(value)) own.add(value);
      }
      for (const { value, field } of stringsIn(valuesOf(each)))
        if (coordinatorId.test(value) || (value.length >= 16 && asked.has(value) && !own.has(value)))
          name(value, field);
    }
    return names;
  }

  private describe(
    exchange: Exchange,
    kept: readonly Exchange[],
    names: ReadonlyMap<string, string>,
  ): RecordedCall {
    const { url, method, token, status, type, headers, body, text } = exchange;
    const call = this.nameOf(exchange);
    const position = this.exchanges.indexOf(exchange);
    const pins = this.pins.filter(
      ({ since, fromAnswerWith }) =>
        position >= since || (call === 'takeCommands' && text.includes(fromAnswerWith)),
    );
    const nameOf = (value: string): string | undefined =>
      pins.find((pin) => pin.value === value)?.name ?? names.get(value);
    const template = (value: string): string => {
      const found = nameOf(value);
      return found === undefined ? value : `\${${found}}`;
    };
    const as = this.callers.get(token) ?? `token:${template(token)}`;
    const told = Object.entries(headers).filter(
      ([header]) => telling.has(header) && headers[header] !== '*/*',
    );
    const during = kept.filter(
      (other) =>
        this.exchanges.indexOf(other) > position &&
        this.exchanges.indexOf(other) < (exchange.answeredAfter ?? 0),
    ).length;
    return {
      call,
      as: as.startsWith('player:') ? `player:${template(as.slice('player:'.length))}` : as,
      method,
      path: url.pathname
        .split('/')
        .map((part) => template(decodeURIComponent(part)))
        .join('/'),
      ...(url.search === ''
        ? {}
        : {
            query: templated(Object.fromEntries(url.searchParams), template, exchange.at) as Record<
              string,
              string
            >,
          }),
      ...(told.length === 0
        ? {}
        : { headers: templated(Object.fromEntries(told), template, exchange.at) as Record<string, string> }),
      ...(body === undefined ? {} : { body: templated(body, template, exchange.at) }),
      status,
      type,
      ...answerOf(
        exchange,
        nameOf,
        pins.some(({ since }) => position < since),
      ),
      ...(during === 0 ? {} : { during }),
    };
  }
}

/** The recorded part of an answer, by its media type. */
function answerOf(
  { type, text }: Exchange,
  nameOf: (value: string) => string | undefined,
  ordered: boolean,
): Pick<RecordedCall, 'answer' | 'parts' | 'columns'> {
  const shape = (value: unknown): Shape => shapeOf(value, { nameOf, ordered });
  if (type === 'application/json' || type === 'application/problem+json')
    return { answer: shape(JSON.parse(text)) };
  if (type === 'application/x-ndjson') {
    const lines = shapeOf(linesOf(text), { nameOf });
    return { parts: Array.isArray(lines) ? (lines as Shape[]) : [] };
  }
  if (type === 'text/event-stream')
    return { parts: eventsIn(text).events.map((event) => shape(eventValue(event))) };
  if (type === 'text/csv') return { columns: (text.split('\r\n')[0] ?? '').split(',') };
  return {};
}

/** The values of an answer that may contain ids. */
function valuesOf({ type, text }: Exchange): unknown {
  if (type === 'application/json') return JSON.parse(text) as unknown;
  if (type === 'application/x-ndjson') return linesOf(text);
  if (type === 'text/event-stream') return eventsIn(text).events;
  return null;
}

const requestOf = ({ url, token, headers, body }: Exchange): unknown => [
  token,
  url.pathname.split('/').map(decodeURIComponent),
  Object.fromEntries(url.searchParams),
  Object.fromEntries(Object.entries(headers).filter(([header]) => telling.has(header))),
  body ?? null,
];

/** All strings in a value, each with its field name. */
function stringsIn(value: unknown, field = 'value'): { value: string; field: string }[] {
  if (typeof value === 'string') return [{ value, field }];
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(each, field));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => stringsIn(each, key));
  return [];
}

/** A request with placeholders for ids and times. */
function templated(value: unknown, template: (value: string) => string, now: number): unknown {
  const time = timeAround(value, now);
  if (time !== undefined) return time;
  if (typeof value === 'string') return template(value);
  if (Array.isArray(value)) return value.map((each) => templated(each, template, now));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [template(key), templated(each, template, now)]),
    );
  return value;
}

/** The placeholder of a time within a day, as a number or as digits. */
function timeAround(value: unknown, now: number): string | undefined {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d{13}$/.test(value))) return undefined;
  const offset = Math.round(Number(value) - now);
  if (Number(value) < dayMs || Math.abs(offset) > dayMs) return undefined;
  if (offset === 0) return '${now}';
  return `\${now${offset < 0 ? '' : '+'}${offset}}`;
}
