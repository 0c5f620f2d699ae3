import type { QueryOf } from '@muster/contracts';
import type { FilterValues } from '../ui/filters.js';

type Query = QueryOf<'listMatches'>;

const perPage = 50;
const dayMs = 86_400_000;
/** By these the API searches within a range of time only. */
const narrow = ['queue', 'serverId', 'region', 'map'] as const;
const passed = [...narrow, 'state', 'pool', 'playerId', 'from', 'to', 'cursor', 'order'] as const;

/** What a list of matches asks for by the filters of its address. */
export interface Asked {
  readonly query: Query;
  /** The range begins a day ago since a filter needs one, and the address has none. */
  readonly isOfLastDay: boolean;
  /** Matches that have not ended are in no range of time. */
  readonly isOfEnded: boolean;
}

/** @param now in milliseconds; taken once, so that pages of one list begin at the same time */
export function queryOf(filters: FilterValues, now: number): Asked {
  const given = Object.fromEntries(
    passed.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  );
  const isOfLastDay = given['from'] === undefined && narrow.some((name) => given[name] !== undefined);
  const query = {
    limit: perPage,
    ...given,
    ...(isOfLastDay ? { from: new Date(now - dayMs).toISOString() } : {}),
  } as Query;
  return {
    query,
    isOfLastDay,
    isOfEnded: isOfLastDay || given['from'] !== undefined || given['to'] !== undefined,
  };
}
