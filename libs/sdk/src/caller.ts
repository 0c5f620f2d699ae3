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
import { defaultPatienceMs, mayTryAgain, pauseMs, retryAfterMs, type CallLimits } from './retry.js';

export interface CallOptions<N extends EndpointName> extends CallLimits {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: QueryOf<N>;
  readonly body?: BodyOf<N>;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long one try may take, in milliseconds; by the kind of the call unless told. */
  readonly timeoutMs?: number;
  /** Hears of every try that failed and is made again. */
  readonly trouble?: (error: unknown) => void;
}

/** How long a try may take to be answered, by the pace of the call. A poll's own wait is added. */
const answerMs = { short: 15_000, long: 90_000, poll: 15_000, stream: 15_000 } as const;

/**
 * Calls the coordinator over HTTP. What fails because nobody answers is tried again for as long as the caller's patience lasts,
 * when repeating it is safe or nothing was sent. An Idempotency-Key is made up for calls that are safe by one.
 */
export class Caller {
  private readonly url: string;

  /**
   * @param url the coordinator's origin, such as `http://127.0.0.1:8080`
   * @param token a bearer token, asked for at every try
   * @param patienceMs of calls that say nothing else
   * @param random from 0 to 1, spreads the tries of many clients
   */
  constructor(
    url: string,
    private readonly token: () => string | Promise<string>,
    readonly patienceMs = defaultPatienceMs,
    private readonly random: () => number = Math.random,
  ) {
    this.url = url.replace(/\/+$/, '');
  }

  /** @throws MusterProblem when the coordinator says no; the network's own error when it cannot be reached */
  call<N extends EndpointName>(name: N, options: CallOptions<N> = {}): Promise<AnswerOf<N>> {
    return this.try(name, options, false, async (response) => (await response.json()) as AnswerOf<N>);
  }

  /** The same with the response as it comes, for streams: time-out and tries end with its header, the signal ends its body. */
  request<N extends EndpointName>(name: N, options: CallOptions<N> = {}): Promise<Response> {
    return this.try(name, options, true, (response) => Promise.resolve(response));
  }

  private async try<N extends EndpointName, T>(
    name: N,
    asked: CallOptions<N>,
    staysOpen: boolean,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    // The same key at every try: that is what makes them one call.
    const keyed = repeatsOf(name) === 'with-key' ? { ...asked, headers: withKey(asked.headers) } : asked;
    // A signal of the call's own: many calls at once would pile their listeners up on a signal that they share.
    const options = asked.signal ? { ...keyed, signal: AbortSignal.any([asked.signal]) } : keyed;
    const { body, headers = {}, patienceMs = this.patienceMs, signal } = options;
    const eventId = hasEventId(body);
    const carries = { key: Object.keys(headers).some(isKey), eventId };
    const until = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(name, options, staysOpen, read);
      } catch (error) {
        if (signal?.aborted || !mayTryAgain(name, carries, error)) throw error;
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
      const response = await fetch(this.urlOf(name, options), {
        method: endpointOf(name).method,
        headers: {
          authorization: `Bearer ${await this.token()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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

function answerMsOf(name: EndpointName, asked: unknown): number {
  const query = new Map(Object.entries(asked ?? {}));
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

/** Waits; rejects when the signal fires. */
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
