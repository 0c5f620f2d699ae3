import { own } from '../own.js';

/** What a server says of itself, by name: one or several values. `modes` and `maps` say what it can play. */
export type ServerLabels = Readonly<Record<string, readonly string[]>>;

/** What a match needs of its server beside build and region. */
export interface ServerDemand {
  readonly mode?: string | null | undefined;
  readonly map?: string | null | undefined;
  /** Labels that the rules of its queue demand: the server must have the value of each. */
  readonly labels?: Readonly<Record<string, string>> | null | undefined;
}

/**
 * Whether a server may host a match. A server that names no modes, or no maps, plays all.
 *
 * The statement that reads candidates says the same in SQL.
 */
export function fitsServer(labels: ServerLabels, { mode, map, labels: demanded }: ServerDemand): boolean {
  const allows = (name: string, value: string | null | undefined): boolean => {
    const values = own(labels, name);
    return typeof value !== 'string' || values === undefined || values.includes(value);
  };
  return (
    allows('modes', mode) &&
    allows('maps', map) &&
    Object.entries(demanded ?? {}).every(([name, value]) => own(labels, name)?.includes(value) ?? false)
  );
}

/** What a match needs, as words for its players. */
export function needsOf({ mode, map, labels }: ServerDemand): string[] {
  const named = Object.entries({ mode, map }).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [`${name} ${value}`] : [],
  );
  return [...named, ...Object.entries(labels ?? {}).map(([name, value]) => `${name} ${value}`)];
}

/** Demanded labels as one text, the same in any order. `labelsKey` of the statements of scale-out is the same in SQL. */
export function labelsKeyOf(labels: ServerDemand['labels']): string {
  return Object.entries(labels ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}
