import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linesPlot } from '@muster/plot';
import {
  meanOf,
  teamSizeOf,
  traceOf,
  type LiveContender,
  type LiveSimulation,
  type MatchFigures,
} from '@muster/lab-simulation';
import type { Row } from './report.js';

/** Fair share against annoyed players, one dot per policy. */
export function policiesPlot(rows: readonly Row[]): string {
  return linesPlot({
    title: 'Fair time against players annoyed',
    x: { label: 'players moved or swapped, a match', kind: 'number' },
    panels: [
      {
        title: 'Match time with both teams’ chances from 40 % to 60 %',
        unit: '%',
        lines: rows.map((row) => ({
          name: row.policy,
          dots: true,
          named: true,
          points: [{ x: row.playersMovedPerMatch, y: 100 * row.fairShare }],
        })),
      },
    ],
  });
}

/**
 * The most typical match of ten per team: its fair shares are nearest to the means.
 *
 * @param one, other figures of the same matches, in the same order
 */
export function typicalMatch(
  { server }: LiveSimulation,
  one: readonly MatchFigures[],
  other: readonly MatchFigures[],
): number {
  const isOfTen = (_: MatchFigures, number: number): boolean => teamSizeOf(server, number) === 10;
  const means = [one, other].map((each) => meanOf(each.filter(isOfTen)).fairShare);
  const off = one.map((match, i) =>
    isOfTen(match, i)
      ? Math.hypot(match.fairShare - means[0]!, (other[i]?.fairShare ?? NaN) - means[1]!)
      : Infinity,
  );
  return off.reduce((best, each, i) => (each < off[best]! ? i : best), 0);
}

/** One match with and without live balance, by second. */
export function tracePlot(
  simulation: LiveSimulation,
  number: number,
  contenders: readonly LiveContender[],
): string {
  return linesPlot({
    title: 'One match, with live balance and without',
    x: { label: 'minutes', kind: 'number' },
    panels: [
      {
        title: 'The first team’s chance to win, by true skill',
        unit: '%',
        lines: contenders.map((contender) => ({
          name: contender.name,
          points: traceOf(simulation, number, contender).map((chance, second) => ({
            x: second / 60,
            y: 100 * chance,
          })),
        })),
        guide: [
          { y: 60, label: 'fair below' },
          { y: 40, label: 'fair above' },
        ],
      },
    ],
  });
}

/** @param files by name @returns their paths */
export async function savePlots(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    Object.entries(files).map(async ([name, svg]) => {
      const path = join(folder, name);
      await writeFile(path, svg);
      return path;
    }),
  );
}
