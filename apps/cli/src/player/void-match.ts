import type { AnswerOf } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';

/** The options of `muster match void`. */
export type VoidOptions = OperatorOptions & { readonly reason: string; readonly keepPenalties?: boolean };

/** Voids a match. @throws Error with a user-facing message */
export async function voidMatch(
  matchId: string,
  options: VoidOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { reason, keepPenalties = false } = options;
  const voided = await callMuster(options, env, (operator) =>
    operator.voidMatch(matchId, reason, keepPenalties ? { penalties: 'keep' } : {}),
  );
  print(options.json, voided, () => voidedText(voided));
}

/** The outcome as text. */
export function voidedText({ matchId, voided, rebuild }: AnswerOf<'voidMatch'>): string[] {
  const first = voided ? `The match ${matchId} is void.` : `The match ${matchId} was already void.`;
  if (!rebuild) return [`${first} It was not rated, so no rating changes.`];
  const { pool, state, error } = rebuild;
  if (state === 'done') return [`${first} The ratings of "${pool}" exclude it already.`];
  if (state === 'failed')
    return [
      `${first} The rebuild of "${pool}" without it failed: ${error ?? 'unknown error'}`,
      `Try again: muster pool rebuild ${pool}`,
    ];
  return [
    `${first} "${pool}" is being rebuilt without it in the background; until then its ratings are unchanged.`,
    `Progress: muster pool rebuilds ${pool}`,
  ];
}
