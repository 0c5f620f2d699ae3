import type { ReactElement } from 'react';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';
import { ratingWords } from '../../ui/values/words.js';
import { beliefOf, keyOf, type Change } from './rating-history.js';

const kindWords: Readonly<Record<Change['kind'], string>> = {
  match: 'match',
  void: 'match declared void',
  rebuild: 'pool rebuilt',
  set: 'set',
  reset: 'reset',
  season: 'season began',
  decay: 'inactivity',
  seed: 'placed as a newcomer',
  signal: 'integrity signal',
};

/** What changed a rating without a match. */
export function ChangesTable({ changes }: { readonly changes: readonly Change[] }): ReactElement {
  return (
    <DataTable
      caption="Changes of the rating that no match made, newest first"
      rows={changes}
      columns={columns}
      keyOf={keyOf}
      empty="Only matches changed this rating. Changes by operators, seasons, inactivity, rebuilds and calibration are listed here."
    />
  );
}

const columns: readonly Column<Change>[] = [
  { header: 'When', cell: ({ at }) => <Ago at={at} />, by: ({ at }) => at },
  { header: 'Change', cell: ({ kind }) => kindWords[kind], by: ({ kind }) => kind },
  { header: 'Before', cell: ({ before }) => ratingWords(beliefOf(before)), isNumber: true },
  { header: 'After', cell: ({ after }) => ratingWords(beliefOf(after)), isNumber: true },
  { header: 'By', cell: ({ by }) => by ?? '–', by: ({ by }) => by ?? '' },
  { header: 'Reason', cell: ({ reason }) => <span className="wraps">{reason ?? '–'}</span> },
];
