import { linesPlot, type PlottedLine } from '@muster/plot';
import type { Figures, SimulationResult } from '@muster/lab-simulation';
import { curvesOf } from './curves.js';
import {
  curveWords,
  fixed,
  hasCurves,
  mainTrials,
  percent,
  placementLines,
  seconds,
  type Study,
} from './summary.js';

/** A plot with its description. */
export interface DescribedPlot {
  readonly title: string;
  readonly svg: string;
  /** Sentences. */
  readonly words: readonly string[];
}

/** The main plot: the curves if they were traced, else the waits. */
export function mainPlot(study: Study): DescribedPlot {
  return hasCurves(study) ? curvesPlot(study) : waitsPlot(study);
}

/** All plots of a study, the main one first. */
export function plotsOf(study: Study): DescribedPlot[] {
  return [
    ...(hasCurves(study) ? [curvesPlot(study)] : []),
    waitsPlot(study),
    dayPlot(study),
    bandsPlot(study),
    newcomersPlot(study),
  ];
}

function curvesPlot(study: Study): DescribedPlot {
  const curves = curvesOf(study.trials);
  const line = (by: 'predicted' | 'actual'): PlottedLine[] =>
    curves.map(({ contender, points }) => ({
      name: contender,
      dots: true,
      points: points.map((point) => ({ x: point.waitSeconds, y: point[by] })),
    }));
  const title = `Waiting against fairness: ${study.population.name}`;
  return {
    title,
    svg: linesPlot({
      title,
      x: { label: 'seconds that nine in ten waited less than', kind: 'log' },
      panels: [
        { title: 'Unfairness as foretold', unit: 'mean |P − ½|', lines: line('predicted') },
        { title: 'Unfairness by true skill', unit: 'mean |P − ½|', lines: line('actual') },
      ],
    }),
    words: [
      'Each point is a run with the windows of skill and team gap opening in so many times the time that the rules say. Lower and further left is better: fairer matches after less waiting.',
      ...curveWords(study),
    ],
  };
}

const hundredths = Array.from({ length: 99 }, (_, i) => i + 1);

function waitsPlot(study: Study): DescribedPlot {
  const shown = mainTrials(study);
  const title = `How long players wait: ${study.population.name}`;
  return {
    title,
    svg: linesPlot({
      title,
      x: { label: 'seconds', kind: 'log' },
      panels: [
        {
          title: 'Players matched within',
          unit: '%',
          lines: shown.map(({ contender, result }) => ({
            name: contender,
            points: hundredths.map((y, i) => ({
              x: Math.max(0.1, (result.waitCurve[i] ?? NaN) / 1000),
              y,
            })),
          })),
        },
      ],
    }),
    words: shown.map(({ contender, result: { all } }) => waitWords(contender, all)),
  };
}

function waitWords(contender: string, { waitMs, gaveUp, unfairness, lopsided }: Figures): string {
  return `${contender}: half of the players were matched within ${seconds(waitMs.p50)} s, nine in ten within ${seconds(waitMs.p90)} s, ninety-nine in a hundred within ${seconds(waitMs.p99)} s; ${percent(gaveUp)} of those who queued got no match. The better team’s chance was ${fixed(50 + 100 * unfairness.predicted, 1)} % on the mean as foretold and ${fixed(50 + 100 * unfairness.actual, 1)} % by true skill; ${percent(lopsided.predicted)} of the matches were beyond 40–60 %.`;
}

function dayPlot(study: Study): DescribedPlot {
  const shown = mainTrials(study);
  const line = (of: (hour: SimulationResult['hours'][number]) => number): PlottedLine[] =>
    shown.map(({ contender, result }) => ({
      name: contender,
      points: result.hours.map((hour) => ({ x: hour.hour, y: of(hour) })),
    }));
  const title = `Hour by hour: ${study.population.name}`;
  const [main] = shown;
  const hours = main?.result.hours ?? [];
  const busiest = hours.toSorted((a, b) => b.playing - a.playing)[0];
  const quietest = hours.toSorted((a, b) => a.playing - b.playing)[0];
  return {
    title,
    svg: linesPlot({
      title,
      x: { label: 'hours since the measuring began', kind: 'number' },
      panels: [
        { title: 'Players', lines: line(({ playing }) => playing) },
        { title: 'Tickets waiting', lines: line(({ waiting }) => waiting) },
        { title: 'Wait, p90', unit: 'seconds', lines: line(({ figures }) => figures.waitMs.p90 / 1000) },
        {
          title: 'Unfairness as foretold',
          unit: 'mean |P − ½|',
          lines: line(({ figures }) => figures.unfairness.predicted),
        },
      ],
    }),
    words:
      main && busiest && quietest
        ? [
            `${main.contender}: with ${busiest.playing.toLocaleString('en')} players, the most, nine in ten waited less than ${seconds(busiest.figures.waitMs.p90)} s; with ${quietest.playing.toLocaleString('en')}, the fewest, ${seconds(quietest.figures.waitMs.p90)} s.`,
          ]
        : [],
  };
}

function bandsPlot(study: Study): DescribedPlot {
  const shown = mainTrials(study);
  const line = (of: (figures: Figures) => number): PlottedLine[] =>
    shown.map(({ contender, result }) => ({
      name: contender,
      dots: true,
      points: result.bands.map((figures, i) => ({
        x: ((i + 0.5) * 100) / result.bands.length,
        y: of(figures),
      })),
    }));
  const title = `By skill: ${study.population.name}`;
  const [main] = shown;
  const bands = main?.result.bands ?? [];
  const [lowest, highest, middle] = [bands[0], bands.at(-1), bands[Math.floor(bands.length / 2)]];
  return {
    title,
    svg: linesPlot({
      title,
      x: { label: 'part of the players who are less skilled (%)', kind: 'number' },
      panels: [
        { title: 'Wait, p50', unit: 'seconds', lines: line(({ waitMs }) => waitMs.p50 / 1000) },
        { title: 'Wait, p90', unit: 'seconds', lines: line(({ waitMs }) => waitMs.p90 / 1000) },
        {
          title: 'Unfairness as foretold',
          unit: 'mean |P − ½|',
          lines: line(({ unfairness }) => unfairness.predicted),
        },
        { title: 'Spread, p50', unit: 'rating points', lines: line(({ spread }) => spread.p50) },
      ],
    }),
    words:
      main && lowest && highest && middle
        ? [
            `${main.contender}: nine in ten of the least skilled tenth waited less than ${seconds(lowest.waitMs.p90)} s, of the middle ${seconds(middle.waitMs.p90)} s, of the most skilled ${seconds(highest.waitMs.p90)} s; their matches were ${fixed(lowest.unfairness.predicted, 3)}, ${fixed(middle.unfairness.predicted, 3)} and ${fixed(highest.unfairness.predicted, 3)} from even on the mean.`,
          ]
        : [],
  };
}

function newcomersPlot(study: Study): DescribedPlot {
  const title = `Getting to know newcomers: ${study.population.name}`;
  const [main] = mainTrials(study);
  const placement = main?.result.placement;
  const kinds = placement
    ? ([
        ['calibration matches', placement.calibrated],
        ['rating alone', placement.plain],
        ['smurfs, calibration matches', placement.calibratedSmurfs],
        ['smurfs, rating alone', placement.plainSmurfs],
      ] as const)
    : [];
  const line = (of: 'error' | 'settled', times: number): PlottedLine[] =>
    kinds
      .filter(([, { players }]) => players > 0)
      .map(([name, figures]) => ({
        name,
        points: figures[of].map((value, x) => ({ x, y: value * times })),
      }));
  return {
    title,
    svg: linesPlot({
      title,
      x: { label: 'matches played', kind: 'number' },
      panels: [
        {
          title: 'Error of what is believed',
          unit: 'sigmas',
          lines: line('error', 1),
          guide: [{ y: 0.5, label: 'half a sigma' }],
        },
        {
          title: 'Within half a sigma for good',
          unit: '%',
          lines: line('settled', 100),
          guide: [{ y: 50, label: 'half of them' }],
        },
      ],
    }),
    words: [
      'A sigma is the standard deviation of the population’s true skill. For good: until the last of the matches that are followed.',
      ...(main ? placementLines(main.result) : []),
    ],
  };
}
