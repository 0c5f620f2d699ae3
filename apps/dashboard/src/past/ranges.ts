/** Times that charts of the past show, with the step of their points and how often they are read again, in milliseconds. */
export const ranges = {
  '1h': { label: '1 hour', ms: 3_600_000, step: '1m', everyMs: 60_000 },
  '6h': { label: '6 hours', ms: 21_600_000, step: '5m', everyMs: 120_000 },
  '24h': { label: '24 hours', ms: 86_400_000, step: '5m', everyMs: 300_000 },
  '48h': { label: '48 hours', ms: 172_800_000, step: '1h', everyMs: 300_000 },
} as const;
export type RangeName = keyof typeof ranges;

/** The range that an address names; an hour where it names none. */
export const rangeNamed = (name: string | undefined): RangeName =>
  (Object.keys(ranges) as RangeName[]).find((each) => each === name) ?? '1h';
