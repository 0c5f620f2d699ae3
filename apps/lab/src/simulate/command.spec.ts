import { flawOfXml } from '@muster/testing';
import { Command } from 'commander';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { simulateCommand } from './command.js';

let folder: string;
const written: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulate-'));
  await writeFile(
    join(folder, 'small.yaml'),
    'preset: 1v1-30\nname: small <town>\nnewcomers: { share: 0.1, matches: 4 }\n',
  );
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function run(...given: string[]): Promise<string> {
  written.length = 0;
  const command = new Command('simulate').exitOverride();
  simulateCommand(command);
  await command.parseAsync(['--days', '0.05', '--warm-up', '0.1', ...given], { from: 'user' });
  return written.join('');
}

describe('muster simulate', () => {
  it('reports waits and fairness, reproducibly', async () => {
    const given = ['1v1', '--population', join(folder, 'small.yaml')];
    const said = await run(...given);
    expect(said).toContain('small <town>');
    expect(said).toMatch(/^all +\d/m);
    expect(said).toMatch(/^region eu +\d/m);
    expect(said).toMatch(/^skill 90–100 % /m);
    expect(said).not.toContain('first fit');
    expect(await run(...given)).toBe(said);
    expect(await run(...given, '--seed', '2')).not.toBe(said);
  });

  it('traces the curves of two documents and of the baselines, as JSON, a page and a plot', async () => {
    const rules = join(folder, 'rules.yaml');
    const curve = (limit: number): string =>
      `[{ afterSeconds: 0, limit: ${limit} }, { afterSeconds: 60, limit: null }]`;
    await writeFile(
      rules,
      `name: duel\nmode: m\npool: p\nteams: 2\nteamSize: 1\nmaxPartySize: 1\nskillWindow: ${curve(2)}\nteamGap: ${curve(2)}\nlatencyLimitMs: ${curve(200)}\nticketTtlSeconds: 900\nplacementTimeoutSeconds: 60\n`,
    );
    const [page, svg] = [join(folder, 'report.html'), join(folder, 'plot.svg')];
    const population = ['--population', join(folder, 'small.yaml')];
    const said = await run(
      '1v1',
      ...population,
      '--compare',
      rules,
      '--baselines',
      '--factors',
      '2,0.5',
      '--json',
      '--out',
      page,
      '--svg',
      svg,
    );
    const { trials } = JSON.parse(said) as {
      trials: { contender: string; factor: number; tickets: Record<string, number> }[];
    };
    expect(trials.map(({ contender, factor }) => `${contender} ${factor}`)).toEqual([
      '1v1 0.5',
      '1v1 2',
      `${rules} 0.5`,
      `${rules} 2`,
      'first fit 0.5',
      'first fit 2',
      'sliding window 0.5',
      'sliding window 2',
      'first come 1',
    ]);
    for (const { tickets } of trials) {
      const { queued = NaN, matched = NaN, gaveUp = NaN, expired = NaN, waiting = NaN } = tickets;
      expect(matched + gaveUp + expired + waiting).toBe(queued);
    }
    const plot = await readFile(svg, 'utf8');
    expect(flawOfXml(plot)).toBeNull();
    expect(plot).toContain('Waiting against fairness');
    const html = await readFile(page, 'utf8');
    expect(html).toContain('small &lt;town&gt;');
    expect(html).not.toContain('<town>');
    expect(html.match(/src="data:image\/svg\+xml;base64,/g)).toHaveLength(5);
    expect(html).not.toMatch(/(src|href)="http/);
    expect(html).toContain('At the same p90 wait');
  });

  it.each([
    [['nowhere.yaml', '--population', '1v1-30'], /nowhere.yaml is not there/],
    [['1v1', '--population', '2v2-30'], /2v2-30 is not there; .* 1v1-30/],
    [['1v1', '--population', '1v1-30', '--model', 'guess'], /There is no rating model "guess"/],
    [
      ['1v1', '--population', '1v1-30', '--out', '/nowhere/at/all.html'],
      /all.html is in a folder that does not exist/,
    ],
    [['1v1', '--population', '1v1-30', '--factors', '1,0'], /above 0/],
    [['1v1', '--population', '1v1-30', '--days', '-1'], /above 0/],
  ])('refuses %j', async (given, said) => {
    await expect(run(...given)).rejects.toThrow(said);
  });
});
