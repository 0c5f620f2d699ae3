import { demoProcess, type DemoOptions, type Keys, type Supervisor } from '@muster/embedded';
import type { Teller } from './teller.js';

/** What a demo is told, apart from keys and colours. */
export type Played = Omit<DemoOptions, 'login' | 'serverKey' | 'operatorKey' | 'colour'>;

/**
 * Runs a demo in a process of its own.
 *
 * @param patience until it has begun
 * @param untilEnded asked when it has begun
 * @returns what it came to; null if it did not say
 */
export async function runDemo(
  played: Played,
  { login, serverKey, operatorKey }: Keys,
  supervisor: Supervisor,
  teller: Teller,
  patience: AbortSignal,
  untilEnded: () => Promise<unknown>,
): Promise<object | null> {
  let summary: object | null = null;
  const demo = demoProcess({ ...played, login, serverKey, operatorKey, colour: teller.colour }, (line) => {
    if ('summary' in line) summary = line.summary;
    else teller.pass(line);
  });
  await supervisor.start(demo, patience);
  await untilEnded();
  await supervisor.stop(demo.name);
  return summary;
}
