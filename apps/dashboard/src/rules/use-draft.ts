import type { AnswerOf, QueueRules } from '@muster/contracts';
import { useCallback, useState } from 'react';
import { textOf, withChangesOf } from './draft.js';

export type RulesVersion = AnswerOf<'listRules'>['versions'][number];

/** A text that was begun, and the version that was in force then. */
interface Begun {
  readonly base: number;
  readonly baseRules: QueueRules;
  readonly text: string;
}

export interface DraftState {
  readonly text: string;
  /** The version that the draft was begun with, and its rules. */
  readonly base: number;
  readonly baseRules: QueueRules;
  /** Whether there is anything to lose. */
  readonly isBegun: boolean;
  readonly write: (text: string) => void;
  /** The draft stays, with what the newest version changed, and replaces that one. */
  readonly rebase: () => void;
  readonly discard: () => void;
}

const placeOf = (queue: string): string => `muster.rules.${queue}`;

/** The draft of a queue's rules. It stays in this tab until it is applied or discarded, also on other pages. */
export function useDraft(queue: string, newest: RulesVersion): DraftState {
  const [begun, setBegun] = useState<Begun | null>(() => keptDraft(queue));
  const keep = useCallback(
    (next: Begun | null): void => {
      setBegun(next);
      if (next) sessionStorage.setItem(placeOf(queue), JSON.stringify(next));
      else sessionStorage.removeItem(placeOf(queue));
    },
    [queue],
  );
  const { base, baseRules, text } = begun ?? {
    base: newest.version,
    baseRules: newest.rules,
    text: textOf(newest.rules),
  };
  return {
    text,
    base,
    baseRules,
    isBegun: begun !== null,
    write: (changed) => keep({ base, baseRules, text: changed }),
    rebase: () =>
      keep({
        base: newest.version,
        baseRules: newest.rules,
        text: withChangesOf(text, baseRules, newest.rules),
      }),
    discard: () => keep(null),
  };
}

function keptDraft(queue: string): Begun | null {
  const kept = sessionStorage.getItem(placeOf(queue));
  return kept === null ? null : (JSON.parse(kept) as Begun);
}
