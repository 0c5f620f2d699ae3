import { Group, Loader, SimpleGrid, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useMemo, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { RangeChoice, useRange } from '../past/range-choice.js';
import { timesOf, valuesOf, type Statistics } from '../past/steps.js';
import { usePast } from '../past/use-past.js';
import { Chart } from '../ui/charts/chart.js';
import { Figure } from '../ui/values/figure.js';
import { ChoiceFilter, FilterBar, TextFilter, useFilters } from '../ui/filters.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Failed, Shown } from '../ui/states.js';
import { counted, numberWords } from '../ui/values/words.js';
import { CapacityTable } from './capacity-table.js';
import { DrainSome } from './drain-some.js';
import { wantedOf, type Server, type Wanted } from './server-state.js';
import { ServerTable } from './server-table.js';
import { useServers } from './use-servers.js';

const everyMs = 10_000;
type Place = AnswerOf<'readCapacity'>['places'][number];

/** Servers with their load, and capacity by build and region, now and before. */
export function FleetPage(): ReactElement {
  const capacity = useCall('readCapacity', {}, { everyMs });
  const past = usePast(useRange());
  return (
    <Page title="Fleet">
      <Shown of={capacity}>
        {({ places }) => (
          <>
            <PlaceFigures places={places} />
            <Panel title="Capacity by build and region">
              <CapacityTable places={places} />
            </Panel>
          </>
        )}
      </Shown>
      <ServersPanel />
      <Panel title="Capacity over time" actions={<RangeChoice />}>
        <Shown of={past}>{(answer) => <SlotChart statistics={answer} />}</Shown>
      </Panel>
    </Page>
  );
}

function PlaceFigures({ places }: { readonly places: readonly Place[] }): ReactElement {
  const sum = (of: (place: Place) => number): number => places.reduce((all, each) => all + of(each), 0);
  const [free, slots] = [sum((each) => each.free), sum((each) => each.slots)];
  return (
    <SimpleGrid type="container" cols={{ base: 2, '620px': 3, '1000px': 6 }}>
      <Figure
        label="Servers ready"
        value={numberWords(sum((each) => each.servers))}
        note={`${numberWords(sum((each) => each.emptyServers))} without a session`}
      />
      <Figure label="Slots free" value={numberWords(free)} unit={`of ${numberWords(slots)}`} />
      <Figure
        label="Overloaded"
        value={numberWords(sum((each) => each.overloadedServers))}
        unit="servers"
        note={`${counted(
          sum((each) => each.overloadedSlots),
          'free slot',
        )} on them`}
      />
      <Figure
        label="Draining"
        value={numberWords(sum((each) => each.drainingServers))}
        unit="servers"
        note={counted(
          sum((each) => each.drainingSlots),
          'slot',
        )}
      />
      <Figure
        label="Waiting for a server"
        value={numberWords(sum((each) => each.waitingMatches))}
        unit="matches"
        note={`${numberWords(sum((each) => each.unfitMatches))} that no server fits`}
      />
      <Figure
        label="On the way"
        value={numberWords(sum((each) => each.slotsOnTheirWay))}
        unit="slots"
        note={`${numberWords(sum((each) => each.wantedSlots))} wanted beside them`}
      />
    </SimpleGrid>
  );
}

function ServersPanel(): ReactElement {
  const wanted: Wanted = useFilters().filters;
  const { servers, isWhole, error, again } = useServers();
  const shown = useMemo(() => wantedOf(servers ?? [], wanted), [servers, wanted]);
  const silent = shown.filter((server) => server.silent).length;
  return (
    <Panel
      title="Servers"
      actions={isWhole && <DrainSome servers={servers ?? []} region={wanted.region} build={wanted.build} />}
    >
      <ServerFilters servers={servers ?? []} />
      {error && <Failed error={error} again={again} />}
      <Group gap="xs" my="xs">
        {!isWhole && !error && <Loader size="xs" role="progressbar" aria-label="Reading servers" />}
        <Text size="sm" c="dimmed" role="status">
          {counted(shown.length, 'server')} of {numberWords(servers?.length ?? 0)}
          {isWhole ? '' : ' read so far'}
          {silent > 0 && `; ${numberWords(silent)} of these are silent`}
        </Text>
      </Group>
      {servers && (
        <ServerTable
          servers={shown}
          empty={
            servers.length === 0
              ? 'No servers are registered. Servers register when they start.'
              : 'No servers match the filters.'
          }
        />
      )}
    </Panel>
  );
}

function ServerFilters({ servers }: { readonly servers: readonly Server[] }): ReactElement {
  const known = (values: readonly string[]): string[] => [...new Set(values)].toSorted();
  return (
    <FilterBar>
      <ChoiceFilter name="region" label="Region" choices={known(servers.map(({ region }) => region))} />
      <ChoiceFilter name="build" label="Build" choices={known(servers.map(({ build }) => build))} />
      <ChoiceFilter name="state" label="State" any="ready or draining" choices={states} />
      <TextFilter name="text" label="Id, host or label" />
    </FilterBar>
  );
}

const states = ['ready', 'draining', 'overloaded', 'silent', 'lost', 'left', 'all'];

function SlotChart({ statistics }: { readonly statistics: Statistics }): ReactElement {
  const x = useMemo(() => timesOf(statistics, Date.now()), [statistics]);
  const series = useMemo(() => {
    const { points } = statistics.realm;
    return [
      { label: 'used', values: valuesOf(x, points, ({ slots }) => slots?.used ?? null) },
      { label: 'free', values: valuesOf(x, points, ({ slots }) => slots?.free ?? null) },
    ];
  }, [x, statistics]);
  return <Chart label="Slots used and free" unit="slots" from={0} x={x} series={series} height={220} />;
}
