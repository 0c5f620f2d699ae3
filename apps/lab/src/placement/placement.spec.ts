import { seededRandom } from '@muster/domain';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { placement } from './placement.js';

let folder: string;
let said: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-stats-'));
  said = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Duels of 40 players, each better than the one before. `gold` follows skill; healers and fighters have a stat of their own. */
function duels(gold: (skill: number, row: number) => string): string {
  const random = seededRandom(5);
  const lines = Array.from({ length: 600 }, (_, m) => {
    const one = Math.floor(random() * 40);
    const other = (one + 1 + Math.floor(random() * 39)) % 40;
    const wins = random() < 1 / (1 + Math.exp(-0.2 * (one - other)));
    return [
      `m${m},2024-01-01,p${one},a,${wins ? 1 : 0},100,${gold(one, 2 * m)},${m},`,
      `m${m},2024-01-01,p${other},b,${wins ? 0 : 1},100,${gold(other, 2 * m + 1)},,${m}`,
    ];
  });
  return ['match_id,date,player,side,won,pct_played,gold,healing,saves', ...lines.flat(), ''].join('\n');
}

describe('muster placement', () => {
  it('uses the stats that nearly all players have', async () => {
    const file = join(folder, 'stats.csv');
    await writeFile(
      file,
      duels((skill, row) => (row % 20 === 0 ? '' : `${100 + skill}`)),
    );
    expect(await placement(file, { json: true }, {})).toBe(0);
    const { coefficients, incomplete, rows, usable } = JSON.parse(said) as Record<string, unknown>;
    expect({ coefficients, incomplete, rows, usable }).toEqual({
      coefficients: [{ stat: 'gold', weight: expect.any(Number) }],
      incomplete: 60,
      rows: 1_140,
      usable: true,
    });
  });

  it('names the stats that are missing most where none is left', async () => {
    const file = join(folder, 'stats.csv');
    await writeFile(
      file,
      duels((skill, row) => (row % 4 === 0 ? '' : `${skill}`)),
    );
    await expect(placement(file, { json: true }, {})).rejects.toThrow(
      /too little data for placement\. No stat is in 90 % of the 1,200 rows of players; .* Missing most: healing \(in 50 % of the rows\), saves \(in 50 % of the rows\), gold \(in 25 % of the rows\)\./,
    );
  });
});
