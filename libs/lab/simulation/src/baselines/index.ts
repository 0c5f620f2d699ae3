import type { Matchmaker } from '@muster/matchmaking';
import { FirstCome } from './first-come.js';
import { FirstFit } from './first-fit.js';
import { SlidingWindow } from './sliding-window.js';
import type { BaselineOptions } from './waiting-list.js';

export { FirstCome } from './first-come.js';
export { FirstFit } from './first-fit.js';
export { SlidingWindow } from './sliding-window.js';
export type { BaselineOptions, Judge, Judgement } from './waiting-list.js';

/** A matcher to compare with. */
export interface Baseline {
  readonly name: string;
  /** Whether it uses the skill window, so that widening it faster has an effect. */
  readonly hasWindow: boolean;
  open(options: BaselineOptions): Matchmaker;
}

export const baselines: readonly Baseline[] = [
  { name: 'first fit', hasWindow: true, open: (options) => new FirstFit(options) },
  { name: 'sliding window', hasWindow: true, open: (options) => new SlidingWindow(options) },
  { name: 'first come', hasWindow: false, open: (options) => new FirstCome(options) },
];
