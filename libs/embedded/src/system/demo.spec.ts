import { expect, it } from 'vitest';
import { demoProcess, readDemoLine, type DemoNews, type DemoOptions } from './demo.js';

const options: DemoOptions = {
  demo: 'queue',
  url: 'http://127.0.0.1:1',
  readyAt: 0,
  dataDir: '.',
  login: '{}',
  serverKey: 's',
  operatorKey: 'o',
  players: 10,
  servers: 1,
  policy: 'muster',
  colour: false,
};

it('parses the lines of a demo, and ignores other output', () => {
  const lines = [
    { begun: true },
    { line: { event: 'notice', text: 'a' }, text: 'a' },
    { line: null, text: 'table' },
    { line: { event: 'moves' }, text: null },
    { summary: { matchesFormed: 1 } },
  ];
  expect(lines.map((line) => readDemoLine(JSON.stringify(line)))).toEqual(lines);
  for (const text of ['', 'Error: half a', '{"line":', '7', 'null', '{"text":"a"}'])
    expect(readDemoLine(text)).toBeNull();
});

it('is ready once the demo has begun, and passes on later lines', async () => {
  const news: DemoNews[] = [];
  const { ready, onLine } = demoProcess(options, (line) => news.push(line));
  await expect(ready(AbortSignal.timeout(10))).rejects.toThrow('it did not begin in time.');
  onLine?.('{"begun":true}');
  onLine?.('{"line":null,"text":"a"}');
  await ready(AbortSignal.timeout(60_000));
  expect(news).toEqual([{ line: null, text: 'a' }]);
});
