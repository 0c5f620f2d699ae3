/**
 * What happens to a request: `lose` acts and never answers, `cut` acts and breaks the connection, `slow` answers after the
 * time limit without acting, `busy` is refused for a while, `error` fails, `garbage` answers something else.
 */
export type Fault = 'lose' | 'cut' | 'slow' | 'busy' | 'error' | 'garbage';

/** Decides the fault of each request; null: none. */
export type NextFault = () => Fault | null;

/** Faults for the next requests, in their order. */
export class FaultPlan {
  private readonly planned: Fault[] = [];
  /** For requests without a planned fault. */
  otherwise: NextFault = () => null;

  plan(...faults: Fault[]): void {
    this.planned.push(...faults);
  }

  next(): Fault | null {
    return this.planned.shift() ?? this.otherwise();
  }
}
