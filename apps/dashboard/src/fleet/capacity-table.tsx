import { Progress, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { DataTable, type Column } from '../ui/table.js';
import { numberWords } from '../ui/values/words.js';

type Place = AnswerOf<'readCapacity'>['places'][number];

/** Slots of each build and region, what is missing, and what comes. */
export function CapacityTable({ places }: { readonly places: readonly Place[] }): ReactElement {
  return (
    <>
      <DataTable
        caption="Capacity by build and region"
        rows={places}
        columns={columns}
        keyOf={({ build, region }) => `${build} ${region ?? ''}`}
        empty="No servers are registered and none are wanted. Servers register when they start."
      />
      {places.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          Slots, unless it says servers or matches. Overloaded and draining: slots that get no match for that.
          Unfit: matches that no server fits by mode, map or labels. Wanted: missing and not asked for by the
          hook; what providers were asked for is among them until their servers register. Surplus: empty
          servers that may be stopped.
        </Text>
      )}
    </>
  );
}

const count = (header: string, of: (place: Place) => number): Column<Place> => ({
  header,
  isNumber: true,
  by: of,
  cell: (place) => numberWords(of(place)),
});

const columns: readonly Column<Place>[] = [
  {
    header: 'Build',
    by: ({ build }) => build,
    cell: ({ build }) => (
      <Link to="/fleet" search={{ build }}>
        {build}
      </Link>
    ),
  },
  {
    header: 'Region',
    by: ({ region }) => region ?? '',
    cell: ({ build, region }) =>
      region === null ? (
        'any region'
      ) : (
        <Link to="/fleet" search={{ build, region }}>
          {region}
        </Link>
      ),
  },
  count('Servers', ({ servers }) => servers),
  {
    header: 'Slots used',
    by: ({ used, slots }) => (slots === 0 ? 0 : used / slots),
    cell: ({ used, slots }) => (
      <div style={{ minWidth: 110 }}>
        {numberWords(used)} of {numberWords(slots)}
        <Progress
          size="xs"
          value={slots === 0 ? 0 : (100 * used) / slots}
          aria-label="Share of the slots that is used"
        />
      </div>
    ),
  },
  count('Free', ({ free }) => free),
  count('Spare wanted', ({ spareSlots }) => spareSlots),
  count('Overloaded', ({ overloadedSlots }) => overloadedSlots),
  count('Draining', ({ drainingSlots }) => drainingSlots),
  count('Matches waiting', ({ waitingMatches }) => waitingMatches),
  count('Unfit', ({ unfitMatches }) => unfitMatches),
  count('Slots wanted', ({ wantedSlots }) => wantedSlots),
  count('On the way', ({ slotsOnTheirWay }) => slotsOnTheirWay),
  count('Surplus servers', ({ surplusServers }) => surplusServers),
];
