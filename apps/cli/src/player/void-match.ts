import type { AnswerOf } from '@muster/contracts';
import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';

/** Takes a match out of the ratings. @throws Error with a sentence for people */
export async function voidMatch(
  matchId: string,
  options: OperatorOptions & { readonly reason: string },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const connection = await Connection.open(options, env);
  const voided = await connection.ask((operator) => operator.voidMatch(matchId, options.reason));
  print(options.json, voided, () => voidedText(voided));
}

/** What came of it, in sentences. */
export function voidedText({ matchId, voided, rebuild }: AnswerOf<'voidMatch'>): string[] {
  const first = voided ? `The match ${matchId} is void.` : `The match ${matchId} was void before.`;
  if (!rebuild) return [`${first} It had not been rated, so no rating changes.`];
  const { pool, state, error } = rebuild;
  if (state === 'done') return [`${first} The ratings of "${pool}" are without it already.`];
  if (state === 'failed')
    return [
      `${first} The rebuild that was to take it out of the ratings of "${pool}" failed: ${error ?? 'nothing is known of why'}`,
      `Try it again: muster pool rebuild ${pool}`,
    ];
  return [
    `${first} "${pool}" is being rated anew without it, in the background; until that is done its ratings are as they were.`,
    `How far it is: muster pool rebuilds ${pool}`,
  ];
}
