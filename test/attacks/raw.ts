import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer on a connection that no HTTP library looked after. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** What came back on a connection. */
export interface Heard {
  readonly answers: readonly RawAnswer[];
  /** Whether the other side closed it. */
  readonly isClosed: boolean;
  /** Bytes after the last whole answer. */
  readonly rest: string;
}

/** Bytes to send, or a pause in milliseconds. */
export type Said = string | Buffer | number;

export interface Manner {
  /** How many answers to wait for; without it until the other side closes. */
  readonly answers?: number;
  /** The longest wait after the last byte was sent, in milliseconds. */
  readonly patienceMs?: number;
  /** The address of this side, to look like another machine. */
  readonly from?: string;
}

/** After the awaited answers, further ones may follow: those of a smuggled request. */
const moreMs = 60;

/** Opens a connection to the host of a URL. @param from the address of this side */
export async function dial(url: string, from?: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(from ? { localAddress: from } : {}) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are, and parses what comes back. */
export async function say(url: string, said: readonly Said[], manner: Manner = {}): Promise<Heard> {
  const { answers: wanted = Infinity, patienceMs = 5_000, from } = manner;
  const socket = await dial(url, from);
  const received: Buffer[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  socket.on('data', (part: Buffer) => void (received.push(part), wake()));
  socket.on('close', () => void ((isClosed = true), wake()));
  for (const part of said) {
    if (typeof part === 'number') await sleep(part);
    else if (!isClosed) socket.write(part);
  }
  const until = performance.now() + patienceMs;
  const heard = (): Heard => ({ ...answersIn(Buffer.concat(received).toString('latin1')), isClosed });
  while (!isClosed && heard().answers.length < wanted && performance.now() < until) {
    const news = new Promise<void>((resolve) => (wake = resolve));
    await Promise.race([news, sleep(until - performance.now())]);
  }
  if (!isClosed) await Promise.race([once(socket, 'close'), sleep(moreMs)]);
  socket.destroy();
  return heard();
}

/** The whole answers at the beginning of a text. Bytes are characters. */
function answersIn(text: string): Omit<Heard, 'isClosed'> {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (let next = answerIn(rest); next; next = answerIn(rest)) {
    if (next.answer.status >= 200) answers.push(next.answer);
    rest = next.rest;
  }
  return { answers, rest };
}

function answerIn(text: string): { readonly answer: RawAnswer; readonly rest: string } | null {
  const end = text.indexOf('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  if (end < 0 || status === undefined) return null;
  const headers = new Map(
    text
      .slice(0, end)
      .split('\r\n')
      .slice(1)
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  const after = text.slice(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? chunkedIn(after) : plainIn(after, headers);
  return body && { answer: { status: Number(status), headers, text: body.text }, rest: body.rest };
}

function plainIn(after: string, headers: ReadonlyMap<string, string>): { text: string; rest: string } | null {
  const length = Number(headers.get('content-length') ?? 0);
  return after.length < length ? null : { text: after.slice(0, length), rest: after.slice(length) };
}

function chunkedIn(after: string): { text: string; rest: string } | null {
  let text = '';
  for (let rest = after; ;) {
    const [line, size] = /^([0-9a-fA-F]+)\r\n/.exec(rest) ?? [];
    if (line === undefined || size === undefined) return null;
    const from = line.length;
    const to = from + Number.parseInt(size, 16);
    if (rest.length < to + 2) return null;
    text += rest.slice(from, to);
    rest = rest.slice(to + 2);
    if (to === from) return { text, rest };
  }
}
