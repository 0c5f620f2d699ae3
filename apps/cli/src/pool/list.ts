import type { PoolView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { counted, tableLines } from '@muster/command-line/terminal/table';

/** Prints the pools. @throws Error with a user-facing message */
export async function listPools(options: OperatorOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { pools } = await callMuster(options, env, (operator) => operator.pools());
  print(options.json, { pools }, () => listText(pools, inkFor(process.stdout, env)));
}

/** Pools as a table. */
export function listText(pools: readonly PoolView[], ink: Ink): string[] {
  if (pools.length === 0) return ['There is no rating pool yet; "muster pool create NAME" creates one.'];
  const [heads = '', ...rows] = tableLines(
    [
      { head: 'name' },
      { head: 'mode' },
      { head: 'model' },
      { head: 'version', right: true },
      { head: 'generation', right: true },
      { head: 'scale learned' },
    ],
    pools.map((pool) => [
      pool.name,
      playedIn(pool),
      pool.rules.model,
      String(pool.version),
      String(pool.generation),
      scaleText(pool),
    ]),
  );
  return [ink.bold(heads), ...rows];
}

/** The game mode and the modifiers. */
export function playedIn({ gameMode, modifiers }: Pick<PoolView, 'gameMode' | 'modifiers'>): string {
  return [gameMode ?? (modifiers.length > 0 ? 'any mode' : '–'), ...modifiers].join(' + ');
}

function scaleText({ calibration: { scale, matches } }: PoolView): string {
  return matches === 0
    ? '–'
    : `${scale.mean.toFixed(2)} ± ${scale.sd.toFixed(2)} from ${counted(matches, 'match', 'matches')}`;
}
