import { SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement, ReactNode } from 'react';
import { Figure } from '../ui/values/figure.js';
import { durationWords, numberWords, percentWords } from '../ui/values/words.js';
import { chanceOf } from './charts.js';
import { sumOf, worstBy, type QueueLately } from './lately.js';

/** What is read at a glance. Rates are of the last five minutes, the others of the last quarter of an hour. */
export function Figures({
  queues: known,
  places,
}: {
  /** Undefined: not known yet, or not any more. */
  readonly queues: readonly QueueLately[] | undefined;
  readonly places: AnswerOf<'readCapacity'>['places'] | undefined;
}): ReactElement {
  const queues = known ?? [];
  const nobody = known ? 'no match in 15 min' : '';
  const time = worstBy(
    queues,
    ({ matchMs }) => matchMs,
    ({ p95 }) => p95,
  );
  const chance = worstBy(
    queues,
    ({ favouriteLead }) => chanceOf(favouriteLead),
    ({ p95 }) => p95,
  );
  const gap = worstBy(
    queues,
    ({ teamGap }) => teamGap,
    ({ p95 }) => p95,
  );
  const slots = (of: (place: NonNullable<typeof places>[number]) => number): number | null =>
    places ? places.reduce((sum, each) => sum + of(each), 0) : null;
  const used = slots((each) => each.used);
  const failed = sumOf(queues, ({ total }) => total.failed);
  const expired = sumOf(queues, ({ total }) => total.expired);
  const played = queues.filter(({ total }) => total.matched > 0).length;
  const worst = (found: { readonly queue: string } | null): string =>
    found && played > 1 ? ` · ${found.queue}, the worst queue` : '';
  return (
    <SimpleGrid type="container" cols={{ base: 2, '620px': 4, '1500px': 8 }}>
      <Figure
        label="Waiting"
        value={numberWords(sumOf(queues, ({ waiting }) => waiting))}
        unit="tickets"
        note="at the last look, once a minute"
      />
      <Figure
        label="Accepted"
        value={numberWords(sumOf(queues, ({ accepted }) => accepted))}
        unit="tickets a minute"
      />
      <Figure
        label="Matched"
        value={numberWords(sumOf(queues, ({ matches }) => matches))}
        unit="matches a minute"
        note={`${numberWords(sumOf(queues, ({ matched }) => matched))} tickets a minute`}
      />
      <Figure
        label="Time to match, p95"
        value={time ? durationWords(time.value.p95) : '–'}
        note={time ? `half within ${durationWords(time.value.p50)}${worst(time)}` : nobody}
      />
      <Figure
        label="Chance of the favourite, p95"
        value={chance ? percentWords(chance.value.p95) : '–'}
        note={chance ? `half at most ${percentWords(chance.value.p50, 1)}${worst(chance)}` : nobody}
      />
      <Figure
        label="Gap between teams, p95"
        value={gap ? numberWords(gap.value.p95) : '–'}
        {...(gap ? { unit: 'rating points' } : {})}
        note={gap ? `half at most ${numberWords(gap.value.p50)}${worst(gap)}` : nobody}
      />
      <Figure
        label="Slots free"
        value={<Plain to="/fleet">{numberWords(slots((each) => each.free))}</Plain>}
        unit={`of ${numberWords(slots((each) => each.slots))}`}
        note={`${numberWords(used)} used`}
      />
      <Figure
        label="Failed"
        value={numberWords(failed)}
        unit="tickets"
        note={`in 15 min; ${numberWords(expired)} expired`}
      />
    </SimpleGrid>
  );
}

function Plain({ to, children }: { readonly to: '/fleet'; readonly children: ReactNode }): ReactElement {
  return (
    <Link to={to} style={{ color: 'inherit' }}>
      {children}
    </Link>
  );
}
