import { Badge, Group, Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useMay, useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { ChoiceFilter, FilterBar, Pager } from '../ui/filters.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago, At, useNow } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import { attemptWords, countedWords, deliveryWords, type Delivery, type Webhook } from './webhook-words.js';

const pageSize = 50;
const states = [
  { value: 'open', label: 'waiting' },
  { value: 'delivered', label: 'delivered' },
  { value: 'dead', label: 'dead letters' },
] as const;

/** The last deliveries to a webhook, by their state. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const { webhookId, dead } = webhook;
  const search = useSearch({ from: '/webhooks/$webhookId' });
  const may = useMay();
  const state = states.find(({ value }) => value === search.state)?.value;
  const before = search.cursor === undefined ? undefined : Number(search.cursor);
  const deliveries = useCall(
    'listDeliveries',
    { params: { webhookId }, query: { state, before, limit: pageSize } },
    { everyMs: 10_000 },
  );
  return (
    <Panel title="Deliveries" actions={<RetryAll webhookId={webhookId} dead={dead} />}>
      <Stack gap="sm">
        <FilterBar>
          <ChoiceFilter name="state" label="State" choices={states} />
        </FilterBar>
        <Shown of={deliveries}>
          {(answer) => (
            <Stack gap="sm">
              <DataTable
                caption="Deliveries, newest first"
                rows={answer.deliveries}
                columns={
                  may('retryDeliveries') && answer.deliveries.some((each) => each.state === 'dead')
                    ? [...columns, retry(webhookId)]
                    : columns
                }
                keyOf={({ position }) => String(position)}
                empty={
                  state === undefined
                    ? 'No deliveries yet. New events are listed here with the response of the receiver.'
                    : 'No deliveries in this state.'
                }
              />
              <Pager
                next={
                  answer.deliveries.length < pageSize
                    ? null
                    : String(answer.deliveries.at(-1)?.position ?? '')
                }
              />
            </Stack>
          )}
        </Shown>
      </Stack>
    </Panel>
  );
}

/** When it is sent again; one that is late waits for its turn. */
function Next({ at }: { readonly at: number | null }): ReactElement {
  const words = useNow((now) => (at !== null && at <= now ? 'due' : ''));
  return words === '' ? <Ago at={at} /> : <>{words}</>;
}

const colours = { due: 'blue', behind: 'gray', delivered: 'green', dead: 'red' } as const;

const columns: readonly Column<Delivery>[] = [
  { header: 'Event', cell: ({ type }) => type, by: ({ type }) => type },
  { header: 'Event time', cell: ({ at }) => <At at={at} />, by: ({ at }) => at },
  {
    header: 'State',
    cell: ({ state }) => (
      <Badge color={colours[state]} variant="light" tt="none">
        {deliveryWords[state]}
      </Badge>
    ),
    by: ({ state }) => state,
  },
  {
    header: 'Attempts',
    cell: ({ attempts }) => numberWords(attempts),
    by: ({ attempts }) => attempts,
    isNumber: true,
  },
  { header: 'Last attempt', cell: ({ lastAt }) => <Ago at={lastAt} />, by: ({ lastAt }) => lastAt ?? 0 },
  { header: 'Last response', cell: (delivery) => <span className="wraps">{attemptWords(delivery)}</span> },
  { header: 'Next attempt', cell: ({ nextAt }) => <Next at={nextAt} />, by: ({ nextAt }) => nextAt ?? 0 },
];

const retry = (webhookId: string): Column<Delivery> => ({
  header: 'Actions',
  cell: ({ state, position, type }) =>
    state === 'dead' && <RetryOne webhookId={webhookId} position={position} type={type} />,
});

function RetryOne({
  webhookId,
  position,
  type,
}: {
  readonly webhookId: string;
  readonly position: number;
  readonly type: string;
}): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="retryDeliveries"
      label="Retry"
      title={`Retry the delivery of ${type}`}
      text="Sends the event again, with attempts for another day."
      send={() => operator.retryDeliveries(webhookId, { positions: [position] })}
      done="Delivery retried."
    />
  );
}

function RetryAll({ webhookId, dead }: { readonly webhookId: string; readonly dead: number }): ReactElement {
  const { operator } = useSession();
  return (
    <Group gap="xs">
      <Action
        call="retryDeliveries"
        label="Retry all dead letters"
        text={`Sends ${countedWords(dead)} dead letters again, with attempts for another day. At most 10,000 at a time, oldest first.`}
        isDisabled={dead === 0}
        send={() => operator.retryDeliveries(webhookId, {})}
        done={(answer) => `${numberWords((answer as { retried: number }).retried)} deliveries retried.`}
      />
    </Group>
  );
}
