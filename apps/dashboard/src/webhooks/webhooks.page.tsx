import { Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Page } from '../ui/page.js';
import { PageTabs } from '../ui/page-tabs.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { EventStream } from './event-stream.js';
import { CreateWebhook } from './webhook-actions.js';
import { countedWords, pauseWords, typesWords, type Webhook } from './webhook-words.js';

const tabs = [
  { name: 'webhooks', label: 'Webhooks', content: () => <Webhooks /> },
  { name: 'events', label: 'Events', content: () => <EventStream /> },
];

/** What tells other systems of events: webhooks, and the stream. */
export function WebhooksPage(): ReactElement {
  return (
    <Page title="Webhooks">
      <PageTabs tabs={tabs} />
    </Page>
  );
}

function Webhooks(): ReactElement {
  const webhooks = useCall('listWebhooks', {}, { everyMs: 10_000 });
  return (
    <Panel title="All webhooks" actions={<CreateWebhook />}>
      <Shown of={webhooks}>
        {(answer) => (
          <DataTable
            caption="Webhooks"
            rows={answer.webhooks}
            columns={columns}
            keyOf={({ webhookId }) => webhookId}
            empty="No webhooks. A webhook sends events of matches, ratings, servers and more to an address of yours. An admin creates it."
          />
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    header: 'Address',
    cell: ({ webhookId, url, note }) => (
      <div style={{ minWidth: 220 }}>
        <Link to="/webhooks/$webhookId" params={{ webhookId }} className="wraps">
          {url}
        </Link>
        {note !== '' && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
    ),
    by: ({ url }) => url,
  },
  { header: 'Event types', cell: ({ types }) => typesWords(types) },
  {
    header: 'State',
    cell: (webhook) => (
      <>
        <Badge color={webhook.state === 'active' ? 'green' : 'yellow'} variant="light">
          {webhook.state}
        </Badge>
        {webhook.state === 'paused' && (
          <Text size="xs" c="dimmed">
            {pauseWords(webhook)}
          </Text>
        )}
      </>
    ),
    by: ({ state }) => state,
  },
  {
    header: 'Waiting events',
    cell: ({ open }) => countedWords(open),
    by: ({ open }) => open,
    isNumber: true,
  },
  {
    header: 'Oldest waiting',
    cell: ({ oldestOpenAt }) => <Ago at={oldestOpenAt} />,
    by: ({ oldestOpenAt }) => oldestOpenAt ?? Infinity,
  },
  { header: 'Dead letters', cell: ({ dead }) => countedWords(dead), by: ({ dead }) => dead, isNumber: true },
  { header: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} />, by: ({ createdAt }) => createdAt },
];
