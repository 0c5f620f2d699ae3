import type { BodyOf } from '@muster/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { numberIn, textIn } from '../ui/values/values.js';
import { ShownOnce, type Secret } from '../ui/shown-once.js';
import { fieldsOf, testedWords, typesIn, type Webhook } from './webhook-words.js';

const bodyOf = (values: Parameters<typeof textIn>[0]) => ({
  url: textIn(values, 'url'),
  types: typesIn(textIn(values, 'types')) as BodyOf<'createWebhook'>['types'],
  note: textIn(values, 'note'),
});

const secretText = 'The receiver uses it to verify that messages come from Muster (Standard Webhooks).';

/** Makes a webhook, and shows its secret. */
export function CreateWebhook(): ReactElement {
  const { operator } = useSession();
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      <Action
        call="createWebhook"
        label="Create a webhook"
        text="Events are sent to this address from now on. The next dialog shows the secret that signs them."
        fields={fieldsOf()}
        send={async (values) => {
          const made = await operator.createWebhook(bodyOf(values));
          setSecret({ title: `Secret of the webhook to ${made.url}`, value: made.secret, text: secretText });
        }}
        done="Webhook created."
      />
      <ShownOnce secret={secret} stored={() => setSecret(null)} />
    </>
  );
}

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }): ReactElement {
  const { operator } = useSession();
  const { webhookId, url, state } = webhook;
  return (
    <>
      <Action
        call="testWebhook"
        label="Test"
        title="Test the webhook"
        text={`Sends a signed webhook.test message to ${url} now.`}
        send={async () => testedWords(await operator.testWebhook(webhookId))}
        done={(words) => String(words)}
      />
      {state === 'active' ? (
        <Action
          call="pauseWebhook"
          label="Pause"
          title="Pause the webhook"
          text="Nothing is sent until you resume it. Events are kept meanwhile, for as long as Muster keeps events (7 days by default)."
          send={() => operator.pauseWebhook(webhookId)}
          done="Webhook paused."
        />
      ) : (
        <Action
          call="resumeWebhook"
          label="Resume"
          title="Resume the webhook"
          text="Kept events are sent first, then new ones."
          send={() => operator.resumeWebhook(webhookId)}
          done="Webhook resumed."
        />
      )}
      <Action
        call="changeWebhook"
        label="Change"
        title="Change the webhook"
        text="Waiting events go to the new address. New event types apply from now on."
        fields={fieldsOf(webhook)}
        send={(values) => operator.changeWebhook(webhookId, bodyOf(values))}
        done="Webhook changed."
      />
      <Rotate webhookId={webhookId} url={url} />
      <Delete webhookId={webhookId} url={url} />
    </>
  );
}

type Of = Pick<Webhook, 'webhookId' | 'url'>;

function Rotate({ webhookId, url }: Of): ReactElement {
  const { operator } = useSession();
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      <Action
        call="rotateWebhookSecret"
        label="Rotate the secret"
        title="Rotate the secret"
        text="The next dialog shows the new secret. During the overlap, messages are signed with both secrets, so that the receiver can switch at any time. Then the old secret is invalid."
        fields={[
          {
            name: 'overlapHours',
            label: 'Overlap (hours)',
            kind: 'number',
            initial: 24,
            min: 0,
            max: 168,
            description: '0 ends the old secret now, for example after a leak.',
          },
        ]}
        isGrave
        send={async (values) => {
          const made = await operator.rotateWebhookSecret(webhookId, {
            overlapHours: numberIn(values, 'overlapHours'),
          });
          setSecret({ title: `New secret of the webhook to ${url}`, value: made.secret, text: secretText });
        }}
        done="Secret rotated."
      />
      <ShownOnce secret={secret} stored={() => setSecret(null)} />
    </>
  );
}

function Delete({ webhookId, url }: Of): ReactElement {
  const { operator } = useSession();
  const navigate = useNavigate();
  return (
    <Action
      call="deleteWebhook"
      label="Delete"
      title="Delete the webhook"
      text={`Nothing more is sent to ${url}. Its waiting events and dead letters are deleted. This cannot be undone.`}
      isGrave
      send={async () => {
        await operator.deleteWebhook(webhookId);
        await navigate({ to: '/webhooks' });
      }}
      done="Webhook deleted."
    />
  );
}
