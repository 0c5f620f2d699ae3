import {
  endpointOf,
  paceOf,
  repeatsOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type Problem,
  type QueryOf,
} from '@muster/contracts';
import { MusterProblem } from './problem.js';
import type { SignRequest } from './request-signer.js';
import { defaultPatienceMs, canRetry, pauseMs, retryAfterMs, type CallLimits } from './retry.js';

export interface CallOptions<N extends EndpointName> extends CallLimits {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: QueryOf<N>;
  readonly body?: BodyOf<N>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time-out of one attempt, in milliseconds; depends on the kind of call by default. */
  readonly timeoutMs?: number;
  /** Called for every failed attempt that is retried. */
  readonly trouble?: (error: unknown) => void;
}

/** The time-out of an attempt by the pace of the call. The wait of a poll is added. */
const answerMs = { short: 15_000, long: 90_000, poll: 15_000, stream: 15_000 } as const;

/**
 * Calls the coordinator over HTTP. A call that is not answered is retried until `patienceMs` is over, if it is
 * idempotent or nothing was sent. Calls that accept an Idempotency-Key get a generated one.
 */
export class Caller {
  readonly url: string;

  /**
   * @param url the coordinator's origin, such as `http://127.0.0.1:8080`
   * @param token returns a bearer token, null for none; called for every attempt
   * @param patienceMs the default time for retries
   * @param random from 0 to 1, spreads the attempts of many clients
   * @param sign signs each attempt
   */
  constructor(
    url: string,
    private readonly token: () => string | null | Promise<string | null>,
    readonly patienceMs = defaultPatienceMs,
    private readonly random: () => number = Math.random,
    private readonly sign?: SignRequest,
  ) {
    this.url = url.replace(/\/+$/, '');
  }

  /** @throws MusterProblem if the coordinator refuses; the network's error if it is unreachable */
  call<N extends EndpointName>(name: N, options: CallOptions<N> = {}): Promise<AnswerOf<N>> {
    return this.try(name, options, false, async (response) => (await response.json()) as AnswerOf<N>);
  }

  /**
   * The same with the raw response, for streams: time-out and retries end with its header, the signal ends its body.
   */
  request<N extends EndpointName>(name: N, options: CallOptions<N> = {}): Promise<Response> {
    return this.try(name, options, true, (response) => Promise.resolve(response));
  }

  private async try<N extends EndpointName, T>(
    name: N,
    given: CallOptions<N>,
    staysOpen: boolean,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    // Every attempt sends the same key, so that the coordinator treats them as one call.
    const keyed = repeatsOf(name) === 'with-key' ? { ...given, headers: withKey(given.headers) } : given;
    // A signal per call: a shared signal would collect the listeners of all calls.
    const options = given.signal ? { ...keyed, signal: AbortSignal.any([given.signal]) } : keyed;
    const { body, headers = {}, patienceMs = this.patienceMs, signal } = options;
    const eventId = hasEventId(body);
    const carries = { key: Object.keys(headers).some(isKey), eventId };
    const until = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(name, options, staysOpen, read);
      } catch (error) {
        if (signal?.aborted || !canRetry(name, carries, error)) throw error;
        const waitMs = pauseMs(attempt, error, this.random());
        if (performance.now() + waitMs > until) throw error;
        options.trouble?.(error);
        await pause(waitMs, signal);
      }
    }
  }

  private async once<N extends EndpointName, T>(
    name: N,
    options: CallOptions<N>,
    staysOpen: boolean,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { body, headers, signal } = options;
    const ended = new AbortController();
    const end = (): void => ended.abort(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
    const limitMs = options.timeoutMs ?? answerMsOf(name, options.query);
    const late = (): void =>
      ended.abort(new DOMException(`The coordinator did not answer within ${limitMs} ms.`, 'TimeoutError'));
    const timer = setTimeout(late, limitMs);
    let isOpen = false;
    try {
      const { method } = endpointOf(name);
      const [url, token] = [this.urlOf(name, options), await this.token()];
      const text = body === undefined ? undefined : JSON.stringify(body);
      const plain = {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const signed = this.sign ? await this.sign({ method, url, headers: plain, body: text }) : {};
      const response = await fetch(url, {
        method,
        headers: { ...plain, ...signed },
        ...(text === undefined ? {} : { body: text }),
        signal: ended.signal,
      });
      if (!response.ok) throw await problemOf(response);
      const answer = await read(response);
      isOpen = staysOpen;
      return answer;
    } finally {
      clearTimeout(timer);
      if (!isOpen) signal?.removeEventListener('abort', end);
    }
  }

  private urlOf<N extends EndpointName>(name: N, options: CallOptions<N>): string {
    const params = new Map(Object.entries(options.params ?? {}));
    const path = endpointOf(name).path.replaceAll(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(String(params.get(key) ?? '')),
    );
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) query.set(key, String(value));
    return `${this.url}${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  }
}

const isKey = (header: string): boolean => header.toLowerCase() === 'idempotency-key';

function withKey(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.keys(headers).some(isKey) ? headers : { ...headers, 'idempotency-key': crypto.randomUUID() };
}

const hasEventId = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'eventId' in body && body.eventId !== undefined;

function answerMsOf(name: EndpointName, given: unknown): number {
  const query = new Map(Object.entries(given ?? {}));
  const pace = paceOf(name, Object.fromEntries(query));
  const waitSeconds = pace === 'poll' ? Number(query.get('waitSeconds') ?? 20) : 0;
  return answerMs[pace] + waitSeconds * 1_000;
}

async function problemOf(response: Response): Promise<MusterProblem> {
  const text = await response.text();
  const after = retryAfterMs(response.headers.get('retry-after'), Date.now());
  try {
    return new MusterProblem(JSON.parse(text) as Problem, after);
  } catch {
    const { status, statusText: title } = response;
    return new MusterProblem({ type: 'about:blank', title, status, detail: text.slice(0, 300) }, after);
  }
}

/** Waits; rejects when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
