import type { QueueRules } from '@muster/contracts';
import { limitAfter } from '@muster/matchmaking';

export type Curve = QueueRules['skillWindow'];
type Corner = Curve[number];

/** A curve of a document that may be wrong: what is not a corner is left out. */
export function cornersOf(value: unknown): readonly Corner[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((corner: unknown) => {
    if (typeof corner !== 'object' || corner === null) return [];
    const { afterSeconds, limit } = corner as Readonly<Record<string, unknown>>;
    if (typeof afterSeconds !== 'number') return [];
    return [{ afterSeconds, limit: typeof limit === 'number' ? limit : null }];
  });
}

const stepSeconds = 15;

/** With one more corner: between the last two when the last has no limit, else behind. */
export function withCorner(curve: readonly Corner[]): readonly Corner[] {
  const last = curve.at(-1);
  if (!last) return [{ afterSeconds: 0, limit: null }];
  if (last.limit !== null)
    return [...curve, { afterSeconds: last.afterSeconds + stepSeconds, limit: last.limit }];
  const before = curve.at(-2);
  if (!before)
    return [
      { afterSeconds: 0, limit: 10 },
      { afterSeconds: stepSeconds, limit: null },
    ];
  const afterSeconds = Math.round((before.afterSeconds + last.afterSeconds) / 2);
  return [...curve.slice(0, -1), { afterSeconds, limit: before.limit }, last];
}

const points = 60;

/** Curves over one axis of seconds; null where there is no limit. */
export function drawnCurves(curves: readonly (readonly Corner[])[]): {
  readonly x: readonly number[];
  readonly limits: readonly (readonly (number | null)[])[];
} {
  const corners = curves.flatMap((curve) => curve.map(({ afterSeconds }) => afterSeconds));
  const end = Math.max(10, 1.2 * Math.max(0, ...corners));
  const even = Array.from({ length: points + 1 }, (_, i) => (end * i) / points);
  const x = [...new Set([...even, ...corners])].toSorted((a, b) => a - b);
  const limits = curves.map((curve) =>
    x.map((seconds) => {
      const limit = curve.length === 0 ? Infinity : limitAfter(curve, 1_000 * seconds);
      return Number.isFinite(limit) ? limit : null;
    }),
  );
  return { x, limits };
}
