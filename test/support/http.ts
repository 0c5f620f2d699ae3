import type { Problem } from '@muster/contracts';
import { request, type IncomingHttpHeaders } from 'node:http';

export interface Ask {
  readonly method?: string;
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One HTTP call, byte for byte: `fetch` would normalise paths and headers, and a bad request must arrive unchanged. */
export function ask(
  url: string,
  path: string,
  { method, token, body, raw, headers }: Ask = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const call = request(
      {
        hostname,
        port,
        path,
        method: method ?? (content === undefined ? 'GET' : 'POST'),
        agent: false,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(content === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(content)) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(content);
  });
}

/** The answer's JSON, which must have this status. */
export function jsonOf<T>(answer: Answer, status = 200): T {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as T;
}

/** Status and problem code of a refused call. */
export function problemOf(answer: Answer): { status: number; code: string; detail: string } {
  const { type, detail } = JSON.parse(answer.text) as Problem;
  return { status: answer.status, code: type.slice(type.lastIndexOf(':') + 1), detail };
}
