import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Facts } from '../ui/values/facts.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { Ago } from '../ui/values/time.js';
import { Deliveries } from './deliveries.js';
import { WebhookActions } from './webhook-actions.js';
import { countedWords, pauseWords, typesWords, type Webhook } from './webhook-words.js';

/** A webhook, and its last deliveries. */
export function WebhookPage(): ReactElement {
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  const webhook = useCall('readWebhook', { params: { webhookId } }, { everyMs: 10_000 });
  return (
    <Page title={`Webhook ${webhookId}`} actions={webhook.data && <WebhookActions webhook={webhook.data} />}>
      <Shown of={webhook}>
        {(known) => (
          <>
            <About webhook={known} />
            <Deliveries webhook={known} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function About({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const { url, types, note, state, createdAt, oldSecretUntil, open, oldestOpenAt, dead } = webhook;
  const why = pauseWords(webhook);
  return (
    <>
      {why !== null && (
        <Alert color="yellow" title="Paused: nothing is sent, events are kept">
          {why}
        </Alert>
      )}
      <Panel title="About">
        <Facts
          of={[
            ['Address', url],
            ['State', state],
            ['Event types', typesWords(types)],
            ['Waiting events', countedWords(open)],
            ['Oldest waiting event', oldestOpenAt !== null && <Ago key="oldest" at={oldestOpenAt} />],
            ['Dead letters', countedWords(dead)],
            ['Created', <Ago key="made" at={createdAt} />],
            ['Old secret valid until', oldSecretUntil !== null && <Ago key="secret" at={oldSecretUntil} />],
            ['Note', note !== '' && note],
          ]}
        />
      </Panel>
    </>
  );
}
