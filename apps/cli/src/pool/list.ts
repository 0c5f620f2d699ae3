import type { PoolView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { boldTable, counted, right } from '@muster/command-line/terminal/table';

/** Tells of the pools. */
export async function listPools(ask: Ask): Promise<Answer> {
  const { pools } = await ask((operator) => operator.pools());
  return { json: { pools }, text: (ink) => listText(pools, ink) };
}

/** Pools as a table. */
export function listText(pools: readonly PoolView[], ink: Ink): string[] {
  if (pools.length === 0) return ['There is no rating pool yet; "muster pool create NAME" creates one.'];
  return boldTable(
    ink,
    ['name', 'mode', 'model', ...right('version', 'generation'), 'scale learned'],
    pools.map((pool) => [
      pool.name,
      playedIn(pool),
      pool.rules.model,
      String(pool.version),
      String(pool.generation),
      scaleText(pool),
    ]),
  );
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
