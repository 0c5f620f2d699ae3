import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main, muster } from '../support/muster.js';

// `npm start -- --demo arena`: a community server with live balance and one without, over the real API, to the end.

interface Figures {
  readonly policy: string;
  readonly fairShare: number;
  readonly moves: number;
  readonly playersMoved: number;
  readonly scrambles: number;
  readonly roundsRated: number;
}

interface Line {
  readonly event?: string;
  readonly text?: string;
  readonly policy?: string;
  readonly playerIds?: readonly string[];
  readonly servers?: readonly Figures[];
  readonly plot?: string;
}

let dataDir: string;
let lines: Line[];
let code: number | null;

/** Runs the demo until it has moved a player and rated rounds on both servers, then sends SIGINT. */
async function play(args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [main, 'up', '--single', '--json', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const abandon = (): void => void child.kill('SIGTERM');
  process.once('exit', abandon);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  let hasMoved = false;
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    hasMoved ||= line.event === 'moves';
    const rounds = line.event === 'state' ? (line.servers ?? []).map(({ roundsRated }) => roundsRated) : [0];
    if (hasMoved && Math.min(...rounds) > 0) child.kill('SIGINT');
  });
  const ended = await closed;
  process.off('exit', abandon);
  return ended;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-arena-'));
  lines = [];
  code = await play(['--demo', 'arena', '--policy', 'synelo', '--data-dir', dataDir]);
}, 240_000);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('the arena demo', () => {
  it('exits cleanly, with its result as the last line', () => {
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({
      demo: 'arena',
      plot: join(dataDir, 'arena.svg'),
      servers: [{ policy: 'synelo' }, { policy: 'none' }],
    });
  });

  it('rated rounds of both servers, and moved players only on the one with the policy', () => {
    const [balanced, plain] = lines.at(-1)?.servers ?? [];
    expect(balanced?.roundsRated).toBeGreaterThan(0);
    expect(plain?.roundsRated).toBeGreaterThan(0);
    expect(balanced?.moves).toBeGreaterThan(0);
    expect(plain).toMatchObject({ moves: 0, playersMoved: 0, scrambles: 0 });
    for (const { fairShare } of [balanced, plain].filter((each) => each !== undefined)) {
      expect(fairShare).toBeGreaterThanOrEqual(0);
      expect(fairShare).toBeLessThanOrEqual(1);
    }
  });

  it('explained a move in text', () => {
    const moves = lines.filter(({ event }) => event === 'moves');
    expect(new Set(moves.map(({ policy }) => policy))).toEqual(new Set(['synelo']));
    for (const { text, playerIds } of moves) {
      expect(text).toMatch(/It is \d+ against \d+\..* Moving: \d+ players? to (Red|Blue)\./);
      expect(playerIds?.length).toBeGreaterThan(0);
    }
    // On a busy machine an answer may come too late; no request may be refused.
    const refused = lines.filter(
      ({ event, text = '' }) => event === 'trouble' && !/timeout|busy|fetch failed/i.test(text),
    );
    expect(refused).toEqual([]);
  });

  it('drew both traces', async () => {
    const svg = await readFile(join(dataDir, 'arena.svg'), 'utf8');
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
    const drawn = [...svg.matchAll(/<title>([^<]*)<\/title><path class="line" d="M[^"]*L/g)];
    expect(drawn.map(([, name]) => name)).toEqual(['synelo', 'none: nobody is moved']);
  });

  it('does not start with an unknown policy, and lists the known ones', async () => {
    const refused = await muster(['up', '--demo', 'arena', '--policy', 'fair', '--data-dir', dataDir]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toMatch(/There is no policy "fair" to show; take one of .*synelo/);
  });
});
