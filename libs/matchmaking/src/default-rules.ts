import type { QueueRules } from '@muster/domain';

const skillWindow = [
  { afterSeconds: 0, limit: 4 },
  { afterSeconds: 5, limit: 8 },
  { afterSeconds: 20, limit: 20 },
  { afterSeconds: 45, limit: null },
];
const teamGap = [
  { afterSeconds: 0, limit: 3 },
  { afterSeconds: 5, limit: 6 },
  { afterSeconds: 20, limit: 15 },
  { afterSeconds: 45, limit: null },
];
const latencyLimitMs = [
  { afterSeconds: 0, limit: 80 },
  { afterSeconds: 20, limit: 150 },
  { afterSeconds: 60, limit: null },
];
const shared = {
  pool: 'default',
  skillWindow,
  teamGap,
  latencyLimitMs,
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 300,
  calibrationMatches: 10,
};

/** The queues of a coordinator that is given none. */
export const defaultQueues: readonly QueueRules[] = [
  { ...shared, name: '5v5', mode: 'arena', teams: 2, teamSize: 5, maxPartySize: 5 },
  { ...shared, name: '1v1', mode: 'duel', pool: 'duel', teams: 2, teamSize: 1, maxPartySize: 1 },
];
