import type { QueueRules, RecordedTicket } from '@muster/domain';
import { asRecorded } from './as-recorded.js';
import { compareTries, type Comparison, type TryResult } from './try-result.js';
import { tryRules } from './try-rules.js';

/** What is replayed, and under which rules. Times in milliseconds since the epoch. */
export interface Trial {
  readonly tickets: readonly RecordedTicket[];
  readonly from: number;
  readonly until: number;
  /** Those in force when the record was made. */
  readonly recordedRules: QueueRules & { readonly version: number };
  /** Those that are compared with. */
  readonly inForce: QueueRules;
  readonly tried: QueueRules;
  /** Between two ticks of the matcher, in milliseconds. */
  readonly tickMs: number;
  /** Called with the progress of both replays, 0 to 1. */
  readonly progress?: (done: number) => void;
}

/** A record as it happened, replayed under two sets of rules, and how these differ. */
export interface Study {
  readonly recorded: TryResult;
  readonly inForce: TryResult;
  readonly tried: TryResult;
  readonly comparedToRecord: Comparison;
  readonly comparedToInForce: Comparison;
}

/** Replays a record under the rules in force and under others, and compares. */
export function studyRules(trial: Trial): Study {
  const { tickets, from, until, tickMs, progress } = trial;
  const replay = (rules: QueueRules, before: number): TryResult =>
    tryRules(tickets, rules, {
      tickMs,
      from,
      until,
      ...(progress ? { progress: (done: number) => progress(before + done / 2) } : {}),
    });
  const recorded = asRecorded(tickets, trial.recordedRules, until);
  const inForce = replay(trial.inForce, 0);
  const tried = replay(trial.tried, 0.5);
  return {
    recorded,
    inForce,
    tried,
    comparedToRecord: compareTries(recorded, tried),
    comparedToInForce: compareTries(inForce, tried),
  };
}

/** The limits of a replay of this record, as text. @param name of the tried rules */
export function trialNotes(
  { tickets, recordedRules, inForce, tried }: Omit<Trial, 'from' | 'until' | 'tickMs' | 'progress'>,
  name: string,
): string[] {
  const { version, pool } = recordedRules;
  const versions = new Set(tickets.flatMap(({ ticket }) => ticket.rulesVersion ?? []));
  const before = [...versions].filter((each) => each !== version).sort((a, b) => a - b);
  const canPlay = new Set(
    tickets.flatMap(({ ticket }) => ticket.players.flatMap(({ canPlay: roles = [] }) => roles)),
  );
  const unknown = Object.keys(tried.roles ?? {}).filter((role) => !canPlay.has(role));
  return [
    ...(before.length > 0
      ? [
          `some tickets were told earlier rules (version ${before.join(', ')}; in force is ${version}), so the record is not of one set of rules.`,
        ]
      : []),
    ...(tried.pool === pool
      ? []
      : [`${name} reads the rating pool ${tried.pool}, and the ratings recorded are those of ${pool}.`]),
    ...(unknown.length > 0
      ? [
          `${name} demands roles that nobody recorded said they can play (${unknown.join(', ')}), so they stay unfilled.`,
        ]
      : []),
    ...(tried.entry && JSON.stringify(tried.entry) !== JSON.stringify(inForce.entry)
      ? [`whom the entry of ${name} would keep out is not known from a record.`]
      : []),
  ];
}
