import type { AnswerOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';

/** Options of `muster match end`. */
export interface EndOptions extends VoidOptions {
  readonly asVoid?: boolean;
}

/** Options of `muster match void`. */
export interface VoidOptions {
  readonly reason: string;
  readonly keepPenalties?: boolean;
}

/** Ends a match that has no result. */
export async function endMatch(
  ask: Ask,
  matchId: string,
  { reason, asVoid, keepPenalties }: EndOptions,
): Promise<Answer> {
  const ended = await ask((operator) =>
    operator.endMatch(matchId, {
      reason,
      as: asVoid ? 'void' : 'abandoned',
      penalties: keepPenalties ? 'keep' : 'drop',
    }),
  );
  const text = ended.ended
    ? `The match ${matchId} is ended. Its players may queue again, and its server is told.`
    : `The match ${matchId} was ended before.`;
  return { json: ended, text: () => [text] };
}

/** Voids a match in any state. */
export async function voidMatch(
  ask: Ask,
  matchId: string,
  { reason, keepPenalties }: VoidOptions,
): Promise<Answer> {
  const voided = await ask((operator) =>
    operator.cancelMatch(matchId, { reason, penalties: keepPenalties ? 'keep' : 'drop' }),
  );
  return { json: voided, text: () => voidedText(voided) };
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
