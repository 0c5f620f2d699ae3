import { kindNamed } from '@muster/skill';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fileBytes } from '../match-file/bytes.js';
import type { HistoryPlan } from './history.js';
import { PredictionParts } from './predictions-file.js';
import type { NotApplicable, TrialOptions } from './trial.js';
import { runTrials, type Timed } from './trials.js';

/** Models that one thread tries on a file. */
export interface ThreadTask {
  readonly path: string;
  readonly plan: HistoryPlan;
  readonly models: readonly string[];
  readonly options: TrialOptions;
  /** Where predictions are to be written in the end. */
  readonly predictions: string | undefined;
}

type Results = readonly (Timed | NotApplicable)[];
type Told = { readonly count: number } | { readonly results: Results };

/** Fewer predictions than this take less time than the start of a thread. */
const worthThreads = 20_000;

/** Does a task in this thread. */
export function tryInThread(
  { path, plan, models, options, predictions }: ThreadTask,
  onMatches: (count: number) => void,
): Results {
  const bytes = fileBytes(path);
  const parts = predictions === undefined ? null : new PredictionParts(predictions, models);
  try {
    const onPrediction = parts ? parts.add.bind(parts) : () => undefined;
    return runTrials(models.map(kindNamed), bytes, plan, options, { onMatches, onPrediction });
  } finally {
    parts?.close();
    bytes.close();
  }
}

/**
 * Tries models in several threads, each of which reads the file on its own. Results are in the order of the models.
 *
 * @param threads at most; by default one for each core
 * @param onMatches called now and then with the number of matches that a thread replayed since its last call, times its
 *   models
 */
export async function tryModels(
  task: ThreadTask,
  threads: number | undefined,
  onMatches: (count: number) => void,
): Promise<Results> {
  const { models, plan } = task;
  const isSmall = models.length * plan.matches < worthThreads;
  const count = Math.min(models.length, threads ?? (isSmall ? 1 : availableParallelism()));
  const shares = Array.from({ length: count }, (_, t) => models.filter((_model, m) => m % count === t));
  const done =
    count === 1
      ? [tryInThread(task, (matches) => onMatches(matches * models.length))]
      : await Promise.all(shares.map((share) => inWorker({ ...task, models: share }, onMatches)));
  return models
    .map((_, m) => done[m % count]?.[Math.floor(m / count)])
    .filter((result) => result !== undefined);
}

function inWorker(task: ThreadTask, onMatches: (count: number) => void): Promise<Results> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./trials.worker.js', import.meta.url), { workerData: task });
    worker.on('message', (told: Told) => {
      if ('count' in told) onMatches(told.count * task.models.length);
      else resolve(told.results);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`A thread ended early (exit code ${code}).`)));
  });
}
