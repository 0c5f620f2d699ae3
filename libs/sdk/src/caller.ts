import {
  endpointOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type Problem,
  type QueryOf,
} from '@muster/contracts';
import { MusterProblem } from './problem.js';

export interface CallOptions<N extends EndpointName> {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: QueryOf<N>;
  readonly body?: BodyOf<N>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Tries in all, for calls that are safe to repeat; 1 for no retry. */
  readonly attempts?: number;
  /** How long one try may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Answers that another try may mend: a service that restarts, a replica that went away. */
const passing = [502, 503, 504];

/** Calls the coordinator over HTTP, with retries. Every call it makes is safe to repeat. */
export class Caller {
  private readonly url: string;

  /** @param url the coordinator's origin, such as `http://127.0.0.1:8080` @param token a bearer token, asked for at every try */
  constructor(
    url: string,
    private readonly token: () => string | Promise<string>,
  ) {
    this.url = url.replace(/\/+$/, '');
  }

  /** @throws MusterProblem when the coordinator says no; the network's own error when it cannot be reached */
  async call<N extends EndpointName>(name: N, options: CallOptions<N> = {}): Promise<AnswerOf<N>> {
    const response = await this.request(name, options);
    return (await response.json()) as AnswerOf<N>;
  }

  /** The same with the response as it comes, for streams. */
  async request<N extends EndpointName>(name: N, options: CallOptions<N> = {}): Promise<Response> {
    const attempts = options.attempts ?? 8;
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.once(name, options);
        if (response.ok) return response;
        const problem = await problemOf(response);
        if (!passing.includes(response.status) || attempt >= attempts) throw problem;
        await pause(
          Math.max(Number(response.headers.get('retry-after') ?? 0) * 1000, backOffMs(attempt)),
          options.signal,
        );
      } catch (error) {
        if (error instanceof MusterProblem || options.signal?.aborted || attempt >= attempts) throw error;
        await pause(backOffMs(attempt), options.signal);
      }
    }
  }

  private async once<N extends EndpointName>(name: N, options: CallOptions<N>): Promise<Response> {
    const { method, path } = endpointOf(name);
    const params = new Map(Object.entries(options.params ?? {}));
    const at = path.replaceAll(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(String(params.get(key) ?? '')),
    );
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) query.set(key, String(value));
    const search = query.size > 0 ? `?${query.toString()}` : '';
    const signals = [
      ...(options.signal ? [options.signal] : []),
      ...(options.timeoutMs ? [AbortSignal.timeout(options.timeoutMs)] : []),
    ];
    return fetch(`${this.url}${at}${search}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.token()}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
    });
  }
}

async function problemOf(response: Response): Promise<MusterProblem> {
  const text = await response.text();
  try {
    return new MusterProblem(JSON.parse(text) as Problem);
  } catch {
    return new MusterProblem({
      type: 'about:blank',
      title: response.statusText,
      status: response.status,
      detail: text.slice(0, 300),
    });
  }
}

/** Full jitter, so that many clients do not come back at the same instant. */
function backOffMs(attempt: number): number {
  return 50 + Math.random() * Math.min(3_000, 100 * 2 ** attempt);
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
