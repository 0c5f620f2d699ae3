import { once } from 'node:events';
import { connect } from 'node:net';
import { from, of } from 'rxjs';
import { afterEach, expect, it } from 'vitest';
import type { LineServer } from './line-server.js';
import { linePatterns, LineTransport } from './line-transport.js';

const settings = {
  host: '127.0.0.1',
  port: 0,
  maxLineBytes: 200,
  linesPerSecond: 1_000,
  idleMs: 60_000,
  maxConnections: 10,
  maxPerAddress: 10,
};

let transport: LineTransport;
let told: unknown[];
const start = (): Promise<unknown> => new Promise((resolve) => transport.listen(resolve));

function make(): void {
  told = [];
  transport = new LineTransport(settings, {
    listening: (port) => void told.push(port),
    refused: () => undefined,
  });
}

afterEach(() => transport.close());

async function say(lines: string): Promise<string> {
  const socket = connect({
    port: transport.unwrap<LineServer>().port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  let text = '';
  socket.on('data', (piece) => (text += piece.toString()));
  socket.end(lines);
  await once(socket, 'close');
  return text;
}

it('does not start without a handler for every command, and names the missing ones', async () => {
  make();
  transport.addHandler(linePatterns.player, () => Promise.resolve(of({ weight: 1 })));
  expect(await start()).toEqual(new Error('The line protocol has no handler for BOT, MEANBOT.'));
  expect(told).toEqual([]);
});

it('passes each question to its handler, and reports every kind of outcome', async () => {
  make();
  const asked: unknown[] = [];
  transport.addHandler(linePatterns.player, (question: { id: string }) => {
    asked.push(question);
    if (question.id === 'throws') throw new Error('not this one');
    if (question.id === 'rejects') return Promise.reject(new Error('nor this one'));
    if (question.id === 'fails') return Promise.resolve(from(Promise.reject(new Error('nor that'))));
    return Promise.resolve(question.id === 'nothing' ? from([]) : of({ weight: 12.5 }));
  });
  transport.addHandler(linePatterns.bot, () => Promise.resolve(of({ refused: 'no bots today' })));
  transport.addHandler(linePatterns.meanbot, () => Promise.resolve(of({ weight: 40, count: 2 })));
  expect(await start()).toBeUndefined();
  expect(told).toEqual([transport.unwrap<LineServer>().port]);
  const late = 'ERROR the weights are unavailable; try again later';
  const lines = [
    'GAME ctf',
    'PLAYER ann',
    'PLAYER throws',
    'PLAYER rejects',
    'PLAYER fails',
    'PLAYER nothing',
  ];
  expect(await say(`${[...lines, 'BOT x', 'MEANBOT'].join('\n')}\n`)).toBe(
    `${['PLAYER ann 12.50', late, late, late, late, 'ERROR no bots today', 'MEANBOT 40.00 2'].join('\n')}\n`,
  );
  expect(asked[0]).toEqual({ kind: 'player', game: { type: 'ctf', mutators: [] }, id: 'ann' });
});
