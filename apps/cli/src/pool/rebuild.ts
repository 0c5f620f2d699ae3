import type { PoolHealth, RebuildView } from '@muster/contracts';
import { Connection } from '../operator/connection.js';
import { print } from '../operator/output.js';
import type { OperatorOptions } from '../operator/options.js';
import { patiently } from '../operator/patience.js';
import { Progress } from '../terminal/progress.js';
import { stopOnSignal } from '../terminal/stop-on-signal.js';
import { counted } from '../terminal/table.js';
import { rulesOf, type RuleOptions } from './rule-options.js';
import type { Settings } from './settings.js';
import { watchRebuild } from './watch.js';

/** What `muster pool rebuild` was told. */
export interface RebuildOptions extends OperatorOptions, RuleOptions {
  readonly model?: string;
  readonly refit: boolean;
  readonly reason?: string;
  readonly wait: boolean;
}

type Overall = PoolHealth['overall'];

const patienceMs = 60_000;

/**
 * Asks for a rebuild, and watches it to its end.
 *
 * @returns the exit code: 0, 1 when it failed, 130 when it was no longer watched
 * @throws Error with a sentence for people
 */
export async function rebuildPool(
  name: string,
  options: RebuildOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { wait, json } = options;
  const connection = await Connection.open(options, env);
  const overall = (): Promise<Overall> =>
    connection.ask(async (operator) => (await operator.poolHealth(name, { periods: 1 })).overall);
  const pool = await connection.ask((operator) => operator.pool(name));
  const was = wait ? await overall() : null;
  const asked = await ask(connection, pool.rules, name, options);
  if (!wait) {
    print(json, asked, () => [
      `A rebuild of "${name}" under ${asked.model} has begun; "muster pool rebuilds ${name}" shows how far it is.`,
    ]);
    return 0;
  }
  const progress = new Progress(process.stderr, 0, Date.now, 'events');
  const seen = await watch(connection, asked, name, progress);
  if (seen.state === 'running') {
    if (json) print(true, seen, () => []);
    return 130;
  }
  progress.clear();
  const is = seen.state === 'done' ? await overall() : null;
  if (json || seen.state === 'done')
    print(json, { ...seen, overall: { before: was, after: is } }, () => doneText(seen, was, is));
  if (seen.state === 'done') return 0;
  throw new Error(
    `The rebuild of "${name}" failed: ${seen.error ?? 'nothing is known of why'} The ratings are as they were.`,
  );
}

/** Asks for the rebuild. Parameters belong to a model: another one starts from its own defaults. */
function ask(
  connection: Connection,
  rules: { readonly model: string; readonly parameters: Settings },
  name: string,
  options: RebuildOptions,
): Promise<RebuildView> {
  const { model, refit, reason } = options;
  const before = model === undefined || model === rules.model ? rules.parameters : {};
  return connection.ask((operator) =>
    operator.rebuildPool(name, {
      ...rulesOf(options, before),
      ...(model === undefined ? {} : { model }),
      ...(reason === undefined ? {} : { reason }),
      refit,
    }),
  );
}

/** Shows how far the rebuild is, until it ends or a signal stops the watching. @returns what was seen last */
function watch(
  connection: Connection,
  asked: RebuildView,
  name: string,
  progress: Progress,
): Promise<RebuildView> {
  const stop = stopOnSignal(() =>
    progress.say(
      `No longer watching. The rebuild goes on; "muster pool rebuilds ${name}" shows how far it is.`,
    ),
  );
  progress.say(`Rating the history of "${name}" anew under ${asked.model}.`);
  const onWait = (): void =>
    progress.say(`Muster at ${connection.target.url} does not answer; asking again for a minute.`);
  return watchRebuild(asked, {
    stop,
    read: () =>
      connection.ask((operator) =>
        patiently(() => rebuildOf(operator.rebuilds(name), asked.rebuildId), {
          forMs: patienceMs,
          stop,
          onWait,
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

/** What came of it, in sentences. */
export function doneText(rebuild: RebuildView, was: Overall | null, is: Overall | null): string[] {
  const { pool, model, done, skipped, generation, startedAt, finishedAt } = rebuild;
  const seconds = Math.max(0, (finishedAt ?? startedAt) - startedAt) / 1000;
  return [
    `Went through ${counted(done, 'event')} of "${pool}" under ${model} in ${seconds.toFixed(1)} s; generation ${generation} is in force.`,
    ...(skipped > 0 ? [`${skipped} of them could not be taken by ${model}, and rated nobody.`] : []),
    ...(was && is && was.calibrated.matches > 0 && is.calibrated.matches > 0
      ? [
          `Log-loss of the predictions, calibrated: ${was.calibrated.logLoss.toFixed(4)} before, ${is.calibrated.logLoss.toFixed(4)} now (less is better, 0.6931 is a coin flip).`,
        ]
      : []),
  ];
}
