import type { BodyOf, PoolHealth, RebuildView } from '@muster/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@muster/command-line/operator/connection';
import { print } from '@muster/command-line/operator/output';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { retryUnavailable } from '@muster/command-line/operator/retry';
import { Progress } from '@muster/command-line/terminal/progress';
import { stopOnSignal } from '@muster/command-line/terminal/stop-on-signal';
import { counted } from '@muster/command-line/terminal/table';
import { parametersWith, type Settings } from '@muster/command-line/options/settings';

/** Options of `muster pools rebuild`. */
export interface RebuildOptions extends OperatorOptions {
  readonly wait: boolean;
}

/** The rules of a rebuild. */
export interface RebuildGiven extends BodyOf<'rebuildPool'> {
  /** Whether parameters that are not given go back to their defaults, also under the same model. */
  readonly replaceParameters?: boolean;
}

type Overall = PoolHealth['overall'];

const patienceMs = 60_000;

/**
 * Requests a rebuild, and follows it to its end.
 *
 * @returns the exit code: 0, 1 if it failed, 130 if the command stopped waiting
 * @throws Error with a user-facing message
 */
export async function rebuildPool(
  name: string,
  given: RebuildGiven,
  options: RebuildOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { wait, json } = options;
  const connection = await Connection.open(options, env);
  const overall = (): Promise<Overall> =>
    connection.ask(async (operator) => (await operator.poolHealth(name, { periods: 1 })).overall);
  const pool = await connection.ask((operator) => operator.pool(name));
  const was = wait ? await overall() : null;
  const requested = await requestRebuild(connection, pool.rules, name, given);
  if (!wait) {
    print(json, requested, () => [
      `A rebuild of "${name}" under ${requested.model} has begun; "muster pools rebuilds ${name}" shows its progress.`,
    ]);
    return 0;
  }
  const progress = new Progress(process.stderr, 0, Date.now, 'events');
  const last = await watch(connection, requested, name, progress);
  if (last.state === 'running') {
    if (json) print(true, last, () => []);
    return 130;
  }
  progress.clear();
  const is = last.state === 'done' ? await overall() : null;
  if (json || last.state === 'done')
    print(json, { ...last, overall: { before: was, after: is } }, () => doneText(last, was, is));
  if (last.state === 'done') return 0;
  throw new Error(
    `The rebuild of "${name}" failed: ${last.error ?? 'unknown error'} The ratings are unchanged.`,
  );
}

/** Requests the rebuild. Parameters belong to a model: another one starts from its defaults. */
function requestRebuild(
  connection: Connection,
  rules: { readonly model: string; readonly parameters: Settings },
  name: string,
  { replaceParameters = false, ...given }: RebuildGiven,
): Promise<RebuildView> {
  const { model = rules.model, parameters } = given;
  const before = model === rules.model && !replaceParameters ? rules.parameters : {};
  return connection.ask((operator) =>
    operator.rebuildPool(name, {
      ...given,
      ...(parameters && { parameters: parametersWith(before, parameters) }),
    }),
  );
}

/** Shows the progress of the rebuild until it ends or a signal stops the command. @returns its last state */
function watch(
  connection: Connection,
  requested: RebuildView,
  name: string,
  progress: Progress,
): Promise<RebuildView> {
  const stop = stopOnSignal(() =>
    progress.say(
      `Stopped waiting. The rebuild continues; "muster pools rebuilds ${name}" shows its progress.`,
    ),
  );
  progress.say(`Rebuilding "${name}" under ${requested.model}.`);
  const onRetry = (): void =>
    progress.say(`Muster at ${connection.target.url} does not answer; retrying for a minute.`);
  return watchRebuild(requested, {
    stop,
    read: () =>
      connection.ask((operator) =>
        retryUnavailable(() => rebuildOf(operator.rebuilds(name), requested.rebuildId), {
          limitMs: patienceMs,
          stop,
          onRetry,
          now: Date.now,
        }),
      ),
    onProgress: ({ done, total }) => progress.at(done, total),
  });
}

async function rebuildOf(
  list: Promise<{ readonly rebuilds: readonly RebuildView[] }>,
  rebuildId: string,
): Promise<RebuildView> {
  const { rebuilds } = await list;
  const found = rebuilds.find((rebuild) => rebuild.rebuildId === rebuildId);
  if (!found) throw new Error(`rebuild ${rebuildId} is no longer among the latest of its pool`);
  return found;
}

/** The outcome as text. */
export function doneText(rebuild: RebuildView, was: Overall | null, is: Overall | null): string[] {
  const { pool, model, done, skipped, generation, startedAt, finishedAt } = rebuild;
  const seconds = Math.max(0, (finishedAt ?? startedAt) - startedAt) / 1000;
  return [
    `Rated ${counted(done, 'event')} of "${pool}" under ${model} in ${seconds.toFixed(1)} s; generation ${generation} is in force.`,
    ...(skipped > 0 ? [`${model} could not rate ${skipped} of them.`] : []),
    ...(was && is && was.calibrated.matches > 0 && is.calibrated.matches > 0
      ? [
          `Log-loss of the predictions, calibrated: ${was.calibrated.logLoss.toFixed(4)} before, ${is.calibrated.logLoss.toFixed(4)} now (lower is better; 0.6931 is a coin flip).`,
        ]
      : []),
  ];
}

/** Options for following a rebuild. */
export interface Watching {
  /** Reads the rebuild's state. */
  read(): Promise<RebuildView>;
  onProgress(rebuild: RebuildView): void;
  /** Stops following, not the rebuild. */
  readonly stop: AbortSignal;
  /** The pause between two reads; ends early on abort. */
  pause?(stop: AbortSignal): Promise<void>;
}

const pollMs = 400;

/** Polls a rebuild until it ends. @returns its last state: still running if it was aborted */
export async function watchRebuild(first: RebuildView, watching: Watching): Promise<RebuildView> {
  const { read, onProgress, stop, pause = pauseBetweenReads } = watching;
  let state = first;
  while (state.state === 'running' && !stop.aborted) {
    await pause(stop);
    if (stop.aborted) break;
    try {
      state = await read();
    } catch (error) {
      // An abort during an outage is not an error.
      if (stop.aborted) break;
      throw error;
    }
    onProgress(state);
  }
  return state;
}

async function pauseBetweenReads(stop: AbortSignal): Promise<void> {
  await sleep(pollMs, undefined, { signal: stop }).catch(() => undefined);
}
