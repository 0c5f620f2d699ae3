import { jobQueues } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { JobReaders, queuesThatReadSeveral } from './job-readers.js';

const { conduct, rateMatch } = jobQueues;
const connection = (queue: string, suffix = ''): string =>
  `muster-jobs:{default}:${Buffer.from(queue).toString('base64')}${suffix}`;
const list = (...names: readonly string[]): string =>
  names.map((name, id) => `id=${id} addr=1.2.3.4:5 name=${name} age=1 lib-name= lib-ver=`).join('\n');
const readers = (clients: string, realm = 'default'): string[] => [
  ...queuesThatReadSeveral(clients, realm, [conduct, rateMatch]),
];

describe('a queue', () => {
  it('reads several if all its workers do', () => {
    expect(readers(list('', connection(conduct, ':w:items'), connection(conduct, ':w:items')))).toEqual([
      conduct,
    ]);
  });

  it('does not while a worker of the release before is connected, or a worker of another realm alone', () => {
    expect(readers(list(connection(conduct, ':w:items'), connection(conduct)))).toEqual([]);
    expect(readers(list(connection(conduct, ':w:items')), 'other')).toEqual([]);
  });

  it('does not while no worker is connected', () => {
    expect(readers(list('muster-conduct', connection(rateMatch, ':w:items')))).toEqual([rateMatch]);
    expect(readers('')).toEqual([]);
  });
});

describe('what is known of workers', () => {
  it('is asked again after five seconds, and is nothing after an error', async () => {
    const answers = [async () => new Set([conduct]), () => Promise.reject(new Error('NOPERM'))];
    let [asked, now] = [0, 0];
    const errors: unknown[] = [];
    const known = new JobReaders(
      () => answers[asked++]?.() ?? Promise.resolve(new Set()),
      (error) => errors.push(error),
      () => now,
    );
    expect(await known.readSeveral(conduct)).toBe(true);
    expect(await known.readSeveral(rateMatch)).toBe(false);
    now = 4_999;
    expect(await known.readSeveral(conduct)).toBe(true);
    now = 5_000;
    expect(await known.readSeveral(conduct)).toBe(false);
    expect([asked, errors]).toEqual([2, [new Error('NOPERM')]]);
  });

  it('is asked once by concurrent sends, and all of them use its answer', async () => {
    let answer: (queues: ReadonlySet<string>) => void = () => undefined;
    let now = 0;
    const asked: string[] = [];
    const known = new JobReaders(
      () => {
        asked.push(`at ${now}`);
        return asked.length === 1
          ? Promise.resolve(new Set([conduct, rateMatch]))
          : new Promise((resolve) => (answer = resolve));
      },
      () => undefined,
      () => now,
    );
    expect(await known.readSeveral(conduct)).toBe(true);
    // Minutes later a worker of the release before is connected, and one turn sends to two queues.
    now = 600_000;
    const sends = Promise.all([known.readSeveral(conduct), known.readSeveral(rateMatch)]);
    answer(new Set());
    expect(await sends).toEqual([false, false]);
    expect(asked).toEqual(['at 0', 'at 600000']);
  });
});
