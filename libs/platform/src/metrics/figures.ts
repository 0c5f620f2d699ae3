import type { FigureName } from '@muster/contracts';

/** One value of a figure. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a source answers: for each of its figures, all values. */
export type Samples = Partial<Readonly<Record<FigureName, readonly Sample[]>>>;

/** Where figures come from. */
export interface FigureSource {
  /** Unique in the process; a second source of the same name is ignored. */
  readonly name: string;
  /** Whether `muster_source_up` reports it: true for one that asks a store. */
  readonly asksStore: boolean;
  /** Reads the values. The cost must not depend on how much a store holds. */
  read(): Promise<Samples>;
}

/** An age in seconds; 0 for a time ahead, because clocks differ. */
export const ageSeconds = (now: number, since: number): number => Math.max(0, now - since) / 1000;
