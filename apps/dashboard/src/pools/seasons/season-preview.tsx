import { Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { DataTable, type Column } from '../../ui/table.js';
import { numberWords, signedWords } from '../../ui/values/words.js';
import { divisionChanges, type DivisionChange } from './season-rules.js';

type Preview = AnswerOf<'previewSeason'>;

/** What a season’s start does to ratings and divisions. */
export function SeasonPreviewView({ preview }: { readonly preview: Preview }): ReactElement {
  const { players, higher, lower, before, after } = preview;
  if (players === 0)
    return <Text size="sm">The pool has no ratings yet: the season would reset nothing.</Text>;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Of {numberWords(players)} players with a rating, {numberWords(higher)} would be in a higher division,{' '}
        {numberWords(lower)} in a lower one.
      </Text>
      <DataTable
        caption="Players by division, before and after"
        rows={divisionChanges(before, after)}
        columns={divisionColumns}
        keyOf={({ name }) => name}
        empty=""
      />
      <DataTable
        caption="Ratings, before and after"
        rows={figuresOf(preview)}
        columns={figureColumns}
        keyOf={({ name }) => name}
        empty=""
      />
    </Stack>
  );
}

const divisionColumns: readonly Column<DivisionChange>[] = [
  { header: 'Division', cell: ({ name }) => name },
  { header: 'Players before', cell: ({ before }) => numberWords(before), isNumber: true },
  { header: 'Players after', cell: ({ after }) => numberWords(after), isNumber: true },
  { header: 'Difference', cell: ({ before, after }) => signedWords(after - before), isNumber: true },
];

interface Figure {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

const figuresOf = ({ before, after }: Preview): readonly Figure[] => [
  { name: 'Mean rating', before: before.mean, after: after.mean },
  { name: 'Mean uncertainty', before: before.meanUncertainty, after: after.meanUncertainty },
  { name: 'One in twenty is below', before: before.quantiles.p5, after: after.quantiles.p5 },
  { name: 'A quarter is below', before: before.quantiles.p25, after: after.quantiles.p25 },
  { name: 'Half is below', before: before.quantiles.p50, after: after.quantiles.p50 },
  { name: 'Three quarters are below', before: before.quantiles.p75, after: after.quantiles.p75 },
  { name: 'Nineteen in twenty are below', before: before.quantiles.p95, after: after.quantiles.p95 },
];

const figureColumns: readonly Column<Figure>[] = [
  { header: 'Ratings', cell: ({ name }) => name },
  { header: 'Before', cell: ({ before }) => numberWords(before), isNumber: true },
  { header: 'After', cell: ({ after }) => numberWords(after), isNumber: true },
  { header: 'Difference', cell: ({ before, after }) => signedWords(after - before), isNumber: true },
];
