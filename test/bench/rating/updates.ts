import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { percentile } from '../../support/percentile.js';
import { models, packages } from './contenders.js';
import { shapes, type Shape } from './history.js';
import type { Begun, Turn } from './turn.js';

/** Matches rated per second, of one shape, on one core. */
export interface Speed {
  readonly name: string;
  readonly shape: Shape['name'];
  /** Null if it cannot rate such matches. */
  readonly updatesPerSecond: number | null;
  /** The reason why it cannot. */
  readonly refusal: string | null;
}

/** The warm-up of each contender, and its time per round. */
const warmUpMs = 1_500;
const turnMs = 150;
const rounds = 7;

const turnPath = fileURLToPath(new URL('./turn.js', import.meta.url));

/**
 * Times models and packages on the same matches. They take turns, so that a busy moment of the machine affects all;
 * each continues with its ratings and matches; the median of its turns counts. Each has its own process, one of which
 * runs at a time: as in a service, compiled code has seen only one model.
 */
export async function measureUpdates(
  say: (text: string) => void,
): Promise<{ models: Speed[]; packages: Speed[] }> {
  const found: { models: Speed[]; packages: Speed[] } = { models: [], packages: [] };
  for (const shape of shapes) {
    say(`updates of ${shape.name}`);
    const speeds = await measureShape(shape);
    found.models.push(...speeds.slice(0, models.length));
    found.packages.push(...speeds.slice(models.length));
  }
  return found;
}

async function measureShape(shape: Shape): Promise<Speed[]> {
  const entered = await Promise.all(
    [...models, ...packages].map(async ({ name }, i) => {
      const child = fork(turnPath, [String(i), String(shapes.indexOf(shape))], { execArgv: ['--expose-gc'] });
      const { refusal } = await answer<Begun>(child);
      return { name, child, refusal, rates: [] as number[] };
    }),
  );
  const able = entered.filter(({ refusal }) => refusal === null);
  const turn = async ({ child }: (typeof entered)[number], ms: number): Promise<number> => {
    child.send(ms);
    return (await answer<Turn>(child)).perSecond;
  };
  for (const entry of able) await turn(entry, warmUpMs);
  for (let round = 0; round < rounds; round++)
    // The order alternates between rounds.
    for (const entry of round % 2 === 0 ? able : able.toReversed())
      entry.rates.push(await turn(entry, turnMs));
  for (const { child } of entered) child.disconnect();
  return entered.map(({ name, refusal, rates }) => ({
    name,
    shape: shape.name,
    updatesPerSecond: refusal === null ? Math.round(percentile(rates, 50)) : null,
    refusal,
  }));
}

/** The next message of a process. */
function answer<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void =>
      reject(new Error(`a process that rates ended with code ${code}`));
    child.once('exit', gone);
    child.once('message', (said) => {
      child.off('exit', gone);
      resolve(said as T);
    });
  });
}
