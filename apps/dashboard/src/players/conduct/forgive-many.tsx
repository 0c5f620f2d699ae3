import { Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useCall } from '../../live/use-call.js';
import { useSession } from '../../session/session.js';
import { Action, reason } from '../../ui/action.js';
import { Panel } from '../../ui/panel.js';
import { textIn, textOrNone, timeIn } from '../../ui/values/values.js';
import { inputOfIso, numberWords } from '../../ui/values/words.js';

const hourMs = 3_600_000;

/** Forgives the penalties of an outage. */
export function ForgiveMany(): ReactElement {
  const { operator } = useSession();
  const queues = useCall('listQueues', {});
  const now = Date.now();
  const input = (at: number): string => inputOfIso(new Date(at).toISOString());
  return (
    <Panel
      title="Penalties of an outage"
      actions={
        <Action
          call="forgivePenalties"
          label="Forgive penalties"
          title="Forgive the penalties of a range of time"
          text="Every penalty of this time that counts is forgiven: it stays in the player’s list but no longer counts. Players who are cooling down because of it may queue at once. This cannot be undone."
          isGrave
          fields={[
            { name: 'from', label: 'From', kind: 'time', initial: input(now - hourMs) },
            { name: 'to', label: 'To, before this time', kind: 'time', initial: input(now) },
            {
              name: 'queue',
              label: 'Queue',
              kind: 'choice',
              isOptional: true,
              choices: [
                { value: '', label: 'all queues' },
                ...(queues.data?.queues ?? []).map(({ name }) => ({ value: name, label: name })),
              ],
            },
            {
              name: 'region',
              label: 'Region',
              kind: 'text',
              isOptional: true,
              description: 'Empty: all. Declined matches have no region, so a region excludes them.',
            },
            reason('Players read it.'),
          ]}
          send={(values) => {
            const queue = textOrNone(values, 'queue');
            const region = textOrNone(values, 'region');
            return operator.forgiveAll({
              from: timeIn(values, 'from'),
              to: timeIn(values, 'to'),
              ...(queue === undefined ? {} : { queue }),
              ...(region === undefined ? {} : { region }),
              reason: textIn(values, 'reason'),
            });
          }}
          done={(answer) => {
            const { forgiven } = answer as AnswerOf<'forgivePenalties'>;
            return `${numberWords(forgiven)} ${forgiven === 1 ? 'penalty is' : 'penalties are'} forgiven.`;
          }}
        />
      }
    >
      <Text size="sm">
        During an outage of servers or a network, players leave and miss matches. Forgive the penalties of
        that time in one queue or region, or everywhere. Penalties that look like an outage are lifted by
        themselves; single ones are forgiven on a player’s page.
      </Text>
    </Panel>
  );
}
