import { Unsolvable } from '@muster/domain';
import type { SplitRefusal } from '@muster/solver';

/**
 * The solver's answer, where there is one.
 *
 * @throws Unsolvable with what was wrong, where, and without which constraints there would be an answer
 */
export function solved<A extends { readonly outcome: string }>(answer: A | SplitRefusal): A {
  if (!isRefusal(answer)) return answer;
  const { message, why, path, relax } = answer;
  throw new Unsolvable(message, { why, path, relax });
}

function isRefusal(answer: { readonly outcome: string }): answer is SplitRefusal {
  return answer.outcome === 'refused';
}
