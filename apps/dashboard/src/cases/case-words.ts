import type { AnswerOf, BodyOf } from '@muster/contracts';
import { numberWords } from '../ui/values/words.js';

export type Case = AnswerOf<'readCase'>;

/** What each kind of signal says about its players or its server. */
export const kindWords: Readonly<Record<Case['kind'], string>> = {
  newcomer: 'New account far above newcomers',
  thrown: 'Matches lost on purpose',
  collusion: 'Opponents who agree on outcomes',
  server: 'Server whose results do not fit',
  alternate: 'Alternate account',
};

export const verdictWords: Readonly<Record<BodyOf<'closeCase'>['verdict'], string>> = {
  confirmed: 'Confirmed: cheating',
  cleared: 'Cleared: innocent explanation',
  unclear: 'Unclear',
};

/** How the evidence compares with luck. */
export function evidenceWords({ kind, evidence }: Pick<Case, 'kind' | 'evidence'>): string {
  const times = `${numberWords(evidence)} times better`;
  return kind === 'alternate'
    ? `One person explains the habits ${times} than two.`
    : `A cheat explains the results ${times} than the chances of the pool.`;
}

/** `byChance` as a share of honest ones. */
export function chanceWords(byChance: number): string {
  if (byChance <= 0) return 'practically none';
  return `at most 1 in ${numberWords(Math.max(1, Math.floor(1 / byChance)))}`;
}
