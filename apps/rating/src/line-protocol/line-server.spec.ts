import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LineServer } from './line-server.js';
import type { LineSettings } from '../line-settings.js';
import type { Answer, Question } from './session.js';

const usual: LineSettings = {
  host: '127.0.0.1',
  port: 0,
  maxLineBytes: 100,
  linesPerSecond: 10_000,
  idleMs: 60_000,
  maxConnections: 50,
  maxPerAddress: 50,
};

/** The weight is the id. */
const byId = (question: Question): Promise<Answer> =>
  Promise.resolve({ weight: question.kind === 'player' ? Number(question.id) : 7, count: 3 });

let open: { server: LineServer; sockets: Socket[] } | null = null;
afterEach(async () => {
  for (const socket of open?.sockets ?? []) socket.destroy();
  await open?.server.close();
  open = null;
});

interface Clock {
  nowMs: number;
}

async function serve(
  settings: Partial<LineSettings> = {},
  answers = byId,
  clock?: Clock,
): Promise<{ server: LineServer; refusals: () => number }> {
  let refusals = 0;
  const refused = (count: number) => void (refusals += count);
  const now = clock ? () => clock.nowMs : () => performance.now();
  const server = new LineServer({ ...usual, ...settings }, answers, refused, now);
  open = { server, sockets: [] };
  await server.listen();
  return { server, refusals: () => refusals };
}

/** A client connection, with all text it received. */
class Caller {
  text = '';
  private readonly ended: Promise<unknown>;
  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text) => (this.text += String(text)));
    socket.on('error', () => undefined);
    // Not `once`, which an error would reject.
    this.ended = new Promise((resolve) => socket.once('close', resolve));
  }

  static async to(server: LineServer): Promise<Caller> {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    open?.sockets.push(socket);
    const caller = new Caller(socket);
    await once(socket, 'connect');
    return caller;
  }

  /** Waits for a number of lines. */
  async lines(count: number): Promise<string[]> {
    for (;;) {
      const lines = this.text.split('\n').slice(0, -1);
      if (lines.length >= count) return lines;
      if (this.socket.readableEnded) throw new Error(`it ended after ${JSON.stringify(this.text)}`);
      await new Promise((resolve) => this.socket.once('data', resolve).once('end', resolve));
    }
  }

  /** Reads until the server ends its side, then ends this side. */
  async rest(): Promise<string> {
    if (!this.socket.readableEnded) await once(this.socket, 'end');
    this.socket.end();
    await this.ended;
    return this.text;
  }
}

/** Polls a condition that depends on another process. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i % 100}`);
const asked = (all: readonly string[]): string => all.map((id) => `PLAYER ${id}\n`).join('');
const answered = (all: readonly string[]): string[] =>
  all.map((id) => `PLAYER ${id} ${Number(id).toFixed(2)}`);

describe('connections of the line protocol', () => {
  it('are answered in the order of the lines, in whatever order the answers resolve', async () => {
    const { server } = await serve({}, async (question) => {
      await new Promise((resolve) => setTimeout(resolve, question.kind === 'meanbot' ? 20 : 1));
      return byId(question);
    });
    const caller = await Caller.to(server);
    caller.socket.write('GAME ctf\nMEANBOT\nPLAYER 5\nWHAT\nBOT Lord X\n');
    expect(await caller.lines(4)).toEqual([
      'MEANBOT 7.00 3',
      'PLAYER 5 5.00',
      'ERROR "WHAT" is no command; send GAME type, MUTATOR name, PLAYER id, BOT name or MEANBOT',
      'BOT Lord X 7.00',
    ]);
  });

  it('that end their side still get all answers, including that of a last line without an end', async () => {
    const { server } = await serve();
    const caller = await Caller.to(server);
    const all = ids(300);
    caller.socket.end(`GAME ctf\n${asked(all)}MEANBOT`);
    expect((await caller.rest()).trimEnd().split('\n')).toEqual([...answered(all), 'MEANBOT 7.00 3']);
    await until(() => server.size === 0);
  });

  it('stay open after a line that is too long, and after one that arrives in pieces', async () => {
    const { server } = await serve();
    const caller = await Caller.to(server);
    caller.socket.write(`GAME ctf\nPLAYER ${'x'.repeat(20_000)}`);
    expect(await caller.lines(1)).toEqual(['ERROR the line is longer than 100 bytes; it was skipped']);
    caller.socket.write(`${'x'.repeat(500)}\nPLAY`);
    caller.socket.write('ER 1\r\n');
    expect((await caller.lines(2)).slice(1)).toEqual(['PLAYER 1 1.00']);
    expect(server.bufferedBytes).toBe(0);
  });

  it('get an ERROR when the answer fails, and stay open', async () => {
    let isAway = true;
    const { server } = await serve({}, (question) =>
      isAway ? Promise.reject(new Error('the database is away')) : byId(question),
    );
    const caller = await Caller.to(server);
    caller.socket.write('GAME ctf\nPLAYER 1\n');
    expect(await caller.lines(1)).toEqual(['ERROR the weights are unavailable; try again later']);
    isAway = false;
    caller.socket.write('PLAYER 1\n');
    expect((await caller.lines(2))[1]).toBe('PLAYER 1 1.00');
  });

  it('over the rate limit wait, and lose no line', async () => {
    const clock = { nowMs: 0 };
    const { server } = await serve({ linesPerSecond: 20 }, byId, clock);
    const caller = await Caller.to(server);
    const all = ids(49);
    caller.socket.write(`GAME ctf\n${asked(all)}`);
    // GAME counts as a line.
    expect(await caller.lines(19)).toHaveLength(19);
    clock.nowMs += 500;
    expect(await caller.lines(29)).toHaveLength(29);
    clock.nowMs += 60_000;
    expect(await caller.lines(49)).toEqual(answered(all));
  });

  it('that are idle or never end a line get an ERROR and are closed', async () => {
    const clock = { nowMs: 0 };
    const { server } = await serve({ idleMs: 400 }, byId, clock);
    const [silent, halfOpen, busy] = [
      await Caller.to(server),
      await Caller.to(server),
      await Caller.to(server),
    ];
    clock.nowMs = 300;
    halfOpen.socket.write('PLAYER ');
    busy.socket.write('GAME ctf\nPLAYER 1\n');
    await busy.lines(1);
    clock.nowMs = 450;
    const idleError = 'ERROR no complete line arrived for 0.4 s; connect again to continue\n';
    expect(await silent.rest()).toBe(idleError);
    expect(await halfOpen.rest()).toBe(idleError);
    busy.socket.write('PLAYER 2\n');
    expect(await busy.lines(2)).toHaveLength(2);
    expect(server.size).toBe(1);
  });

  it('that leave a line incomplete for half a minute are closed, and those that wait between lines are not', async () => {
    const clock = { nowMs: 0 };
    const { server } = await serve({ idleMs: 3_600_000 }, byId, clock);
    const [halfOpen, slow, quiet] = [
      await Caller.to(server),
      await Caller.to(server),
      await Caller.to(server),
    ];
    halfOpen.socket.write('PLAYER ');
    slow.socket.write('GAME ctf\nPLAYER ');
    quiet.socket.write('GAME ctf\nPLAYER 1\n');
    await quiet.lines(1);
    await until(() => server.bufferedBytes > 10);
    // The server looks at its connections once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    slow.socket.write('2\n');
    await slow.lines(1);
    clock.nowMs = 31_000;
    expect(await halfOpen.rest()).toBe(
      'ERROR a line was not complete after 30 s; connect again to continue\n',
    );
    quiet.socket.write('PLAYER 3\n');
    expect(await quiet.lines(2)).toHaveLength(2);
    expect(server.size).toBe(2);
  });

  it('that do not read their answers are not read further, and are destroyed', async () => {
    const clock = { nowMs: 0 };
    const { server } = await serve({ idleMs: 400, linesPerSecond: 1e9 }, byId, clock);
    const caller = await Caller.to(server);
    caller.socket.pause();
    // Short lines with long answers fill the buffers fastest.
    const many = 'X\n'.repeat(20_000);
    let isFull = false;
    // Until all buffers are full.
    for (let sent = 0; !isFull; sent++) {
      isFull = !caller.socket.write(many) && (await stuck(caller.socket));
      expect(sent).toBeLessThan(1_000);
    }
    expect(server.bufferedBytes).toBeLessThan(200_000);
    clock.nowMs = 500;
    await until(() => server.size === 0);
    expect(server.bufferedBytes).toBe(0);
  });

  it('over the limits get an ERROR and are closed, and do not count against others', async () => {
    const { server, refusals } = await serve({ maxConnections: 4, maxPerAddress: 3 });
    const callers = await Promise.all(Array.from({ length: 3 }, () => Caller.to(server)));
    await until(() => server.size === 3);
    const more = await Caller.to(server);
    more.socket.write('GAME ctf\nPLAYER 1\n');
    expect(await more.rest()).toBe(
      'ERROR there are 3 connections from 127.0.0.1, the maximum; use one of them, or close one\n',
    );
    callers[0]?.socket.destroy();
    await until(() => server.size === 2);
    const next = await Caller.to(server);
    next.socket.write('GAME ctf\nPLAYER 1\n');
    expect(await next.lines(1)).toEqual(['PLAYER 1 1.00']);
    await until(() => refusals() === 1);
  });

  it('are limited in total', async () => {
    const { server } = await serve({ maxConnections: 2 });
    await Promise.all([Caller.to(server), Caller.to(server)]);
    await until(() => server.size === 2);
    expect(await (await Caller.to(server)).rest()).toBe(
      'ERROR there are 2 connections, the maximum; try again later\n',
    );
  });

  it('are closed with the server, after the pending answers', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let isAsked = false;
    const { server } = await serve({}, async (question) => {
      isAsked = true;
      await held;
      return byId(question);
    });
    const [silent, caller] = [await Caller.to(server), await Caller.to(server)];
    caller.socket.write('GAME ctf\nPLAYER 1\nPLAYER 2\nPLAY');
    await until(() => isAsked);
    const closing = server.close();
    expect(await silent.rest()).toBe('');
    answer();
    expect(await caller.rest()).toBe('PLAYER 1 1.00\nPLAYER 2 2.00\n');
    await closing;
    await until(() => server.size === 0);
  });

  it('fail on a port in use', async () => {
    const { server } = await serve();
    const second = new LineServer(
      { ...usual, port: server.port },
      byId,
      () => undefined,
      () => 0,
    );
    await expect(second.listen()).rejects.toThrow('EADDRINUSE');
  });
});

/** Whether the written bytes stay in the buffer for a while. */
async function stuck(socket: Socket): Promise<boolean> {
  const waiting = socket.writableLength;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return socket.writableLength === waiting && waiting > 0;
}
