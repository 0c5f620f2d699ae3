/** The built-in policies of live balance. */
export const policyNames = [
  'none',
  'sectors-edge-1.2.1',
  'sectors-edge-1.2.2',
  'synelo',
  'hive',
  'twenty-percent',
  'muster',
] as const;

/** Modes with scramble rules of their own. */
export const scrambleModes = [
  'arena',
  'attack-defend',
  'payload',
  'king-of-the-hill',
  'control-points',
  'capture-the-flag',
] as const;
export type ScrambleMode = (typeof scrambleModes)[number];
