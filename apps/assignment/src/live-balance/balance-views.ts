import {
  readMessages,
  textOf,
  whyOf,
  type AdvantageView,
  type AskScramble,
  type BalanceChecked,
} from '@muster/contracts';
import type { Advantage, Check, Finding, LiveState, ScrambleState } from '@muster/live-balance';

/** A check, with its messages as text. */
export function checkView({ finding, directive, why, ...check }: Check): BalanceChecked {
  return {
    ...check,
    finding: findingView(finding),
    directive: directive && {
      ...directive,
      ...whyOf(directive.why),
      moves: directive.moves.map((move) => ({ ...move, ...whyOf(move.why) })),
    },
    ...whyOf(why),
  };
}

function findingView({ imbalance, why, verdict }: Finding): BalanceChecked['finding'] {
  return { verdict, imbalance: imbalance && { ...imbalance, ...whyOf(imbalance.why) }, ...whyOf(why) };
}

/** An advantage, with its messages as text. */
export function advantageView({ advice, why, ...rest }: Advantage): AdvantageView {
  return { ...rest, advice: advice.map((each) => ({ ...each, ...whyOf(each.why) })), ...whyOf(why) };
}

type StateView = NonNullable<AskScramble['state']>;

/** The state of the rounds, as servers send it back: a due scramble has its text only. */
export function scrambleStateView({ pending, ...state }: ScrambleState): StateView {
  return {
    ...state,
    captured: [...state.captured],
    pending: pending && { ...pending, why: textOf(pending.why) },
  };
}

/** Parses it. */
export function scrambleState({ pending, ...state }: StateView): ScrambleState {
  return { ...state, pending: pending && { ...pending, why: readMessages(undefined, pending.why) } };
}

/** The state of a match in its stored form: with the text of a due scramble, which the previous release reads. */
export function storedState(state: LiveState): LiveState {
  const pending = state.rounds?.pending;
  if (!state.rounds || !pending) return state;
  const stored = { ...pending, why: textOf(pending.why), messages: pending.why };
  return { ...state, rounds: { ...state.rounds, pending: stored as unknown as typeof pending } };
}

/** Parses it, including the form of the previous release. */
export function knownState(state: LiveState): LiveState {
  const pending = state.rounds?.pending as { why: unknown; messages?: unknown } | null | undefined;
  if (!state.rounds || !state.rounds.pending || typeof pending?.why !== 'string') return state;
  const why = readMessages(pending.messages, pending.why);
  return { ...state, rounds: { ...state.rounds, pending: { ...state.rounds.pending, why } } };
}
