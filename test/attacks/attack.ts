import type { ProblemCode } from '@muster/contracts';
import type { Target } from './target.js';

/** An answer in short: status and problem code, as `seenIn` tells it. */
export type Refusal = `${number} ${ProblemCode}`;

/** One row of the attack table. */
export interface Attack {
  /** What the attacker does. */
  readonly title: string;
  /** What comes of it: usually a {@link Refusal}. docs/security.md shows it. */
  readonly comes: string;
  /** Attacks. @returns what came of it */
  readonly run: (target: Target) => Promise<string>;
}

/** What all attacks of a topic together may cost the processes of the system. */
export interface Bounds {
  /** Processor time of all processes, in seconds. */
  readonly processorSeconds: number;
  /** Growth of the memory of any one process, in MiB, at any time of the topic. */
  readonly memoryMiB: number;
}

/** Attacks of one kind. */
export interface Topic {
  readonly name: string;
  /** What is at stake, and what stands in the way. */
  readonly about: string;
  readonly bounds: Bounds;
  readonly attacks: readonly Attack[];
}

/** A row. @param comes what must come of it */
export function attack(title: string, comes: string, run: Attack['run']): Attack {
  return { title, comes, run };
}

/** Rows with the same outcome. */
export const refused =
  (comes: Refusal) =>
  (title: string, run: Attack['run']): Attack =>
    attack(title, comes, run);
