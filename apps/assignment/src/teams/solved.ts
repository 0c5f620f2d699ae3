import { Unsolvable } from '@muster/domain';
import type { SplitRefusal } from '@muster/solver';

/**
 * The solver's answer, if there is one.
 *
 * @throws Unsolvable with the invalid value and its path, or with the constraints whose removal would give an answer
 */
export function solved<A extends { readonly outcome: string }>(answer: A | SplitRefusal): A {
  if (!isRefusal(answer)) return answer;
  const { message, why, path, relax } = answer;
  throw new Unsolvable(message, { why, path, relax });
}

function isRefusal(answer: { readonly outcome: string }): answer is SplitRefusal {
  return answer.outcome === 'refused';
}
