import { faults } from '../stall/faults.js';
import { faultNames, type FaultName } from '../stall/plan.js';
import type { Row } from './row.js';

const names = { streams: 'many-streams', polls: 'many-polls', 'slow-bodies': 'slow-bodies' } as const;
const seconds = 30;

/** Connections of clients without end. */
export function flood(kind: keyof typeof names): Row {
  const fault: FaultName = names[kind];
  return {
    name: `flood-${kind}`,
    what: `${faultNames[fault]}, for ${seconds} s`,
    seconds,
    begin: ({ stack, crowd }) => faults[fault](stack, crowd),
  };
}
