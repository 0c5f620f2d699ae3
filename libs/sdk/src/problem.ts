import type { Problem } from '@muster/contracts';

/** A refusal of the coordinator. `problem.detail` is a sentence for people, `code` a name for programs. */
export class MusterProblem extends Error {
  constructor(
    readonly problem: Problem,
    /** The delay that the coordinator requests (`Retry-After`), in milliseconds, or null. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(problem.detail);
    this.name = 'MusterProblem';
  }

  get status(): number {
    return this.problem.status;
  }

  /** The last part of the problem's type, such as `player-already-queued`. */
  get code(): string {
    return this.problem.type.slice(this.problem.type.lastIndexOf(':') + 1);
  }
}
