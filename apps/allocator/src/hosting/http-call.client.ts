import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions } from 'node:https';

/** The response to a call. */
export interface HttpReply {
  readonly status: number;
  readonly text: string;
  /** From `Retry-After`, in milliseconds; null without one. */
  readonly retryAfterMs: number | null;
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Longer answers are errors, in bytes. */
const longestAnswer = 1_048_576;

/** Makes HTTP calls to one provider. It follows no redirect: credentials must not reach another address. */
export class HttpCaller {
  private readonly http = new HttpAgent({ keepAlive: true });
  private readonly https: HttpsAgent;

  /**
   * @param timeoutMs the limit of a call, its answer included
   * @param ending aborts calls when the service stops
   * @param tls certificates, if not those that the system trusts
   */
  constructor(
    private readonly timeoutMs: number,
    private readonly ending: AbortSignal,
    tls: Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'servername'> = {},
  ) {
    this.https = new HttpsAgent({ keepAlive: true, ...tls });
    ending.addEventListener('abort', () => [this.http, this.https].forEach((agent) => agent.destroy()), {
      once: true,
    });
  }

  /** @throws Error when there is no complete answer in time */
  call({ method, url, headers = {}, body }: HttpCall): Promise<HttpReply> {
    if (this.ending.aborted) return Promise.reject(new Error('the service stops'));
    return new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const sent = (isSecure ? httpsRequest : httpRequest)(
        url,
        {
          method,
          agent: isSecure ? this.https : this.http,
          headers: {
            ...headers,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (response) => void readAll(response).then(resolve, fail),
      );
      const timer = setTimeout(
        () => sent.destroy(new Error(`no answer within ${this.timeoutMs} ms`)),
        this.timeoutMs,
      );
      const fail = (error: Error): void => {
        sent.destroy();
        reject(error);
      };
      sent.on('error', fail);
      sent.on('close', () => clearTimeout(timer));
      sent.end(body);
    });
  }
}

async function readAll(response: IncomingMessage): Promise<HttpReply> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    const buffer = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    bytes += buffer.length;
    if (bytes > longestAnswer) throw new Error(`the answer is longer than ${longestAnswer} bytes`);
    parts.push(buffer);
  }
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(parts).toString('utf8'),
    retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now()),
  };
}

/** The delay of a `Retry-After` header, in seconds or as a date. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.round(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
