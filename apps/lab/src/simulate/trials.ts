import { simulate, stretched, type Population, type SimulationResult } from '@muster/lab-simulation';
import { defaultPoolRules } from '@muster/skill';
import type { Contender } from './contenders.js';

/** A contender with a factor of its window opening times. */
export interface Trial {
  readonly contender: string;
  readonly factor: number;
  readonly result: SimulationResult;
}

export interface TrialOptions {
  readonly population: Population;
  readonly days: number;
  readonly seed: number;
  readonly warmUp: number;
  readonly startHour: number;
  readonly tickMs: number;
  readonly model: string;
}

/** The number of runs. */
export function runsOf(contenders: readonly Contender[], factors: readonly number[]): number {
  return contenders.reduce((sum, { hasWindow }) => sum + (hasWindow ? factors.length : 1), 0);
}

/**
 * Runs every contender at every factor. @param progress called with the runs done, including the part of the present
 * one
 */
export function runTrials(
  contenders: readonly Contender[],
  factors: readonly number[],
  { population, days, seed, warmUp, startHour, tickMs, model }: TrialOptions,
  progress: (runs: number) => void,
): Trial[] {
  const trials: Trial[] = [];
  for (const { name, rules, hasWindow, matcher } of contenders) {
    for (const factor of hasWindow ? factors : [1]) {
      const done = trials.length;
      const result = simulate({
        population,
        rules: stretched(rules, factor),
        matcher,
        seed,
        days,
        warmUpHours: warmUp,
        startHour,
        tickMs,
        rating: { ...defaultPoolRules, model },
        progress: (part) => progress(done + part),
      });
      trials.push({ contender: name, factor, result });
      progress(trials.length);
    }
  }
  return trials;
}
