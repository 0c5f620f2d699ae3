import { Alert, Group, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action, type Field } from '../ui/action.js';
import { Panel } from '../ui/panel.js';
import { Ago } from '../ui/values/time.js';
import { inputOfIso } from '../ui/values/words.js';
import { pauseFields, pauseOf, timeOf } from './pause-actions.js';
import { isInForce, pauseWords, type Pause } from './pause-words.js';

const startField = (now: Pause | undefined, hasBegun: boolean): Field => ({
  name: 'startsAt',
  label: 'Begins',
  kind: 'time',
  isOptional: true,
  description: 'Leave it empty to begin now.',
  ...(now && !hasBegun ? { initial: inputOfIso(new Date(now.startsAt).toISOString()) } : {}),
});

/** Maintenance of all queues: what is announced or in force, and how it is announced, changed and ended. */
export function Maintenance({ now }: { readonly now: Pause | undefined }): ReactElement {
  const { operator } = useSession();
  const hasBegun = isInForce(now);
  return (
    <Panel
      title="Maintenance"
      actions={
        <>
          <Action
            call="announceMaintenance"
            label={now ? 'Change maintenance' : 'Announce maintenance'}
            text="No queue takes tickets or forms matches from the beginning on. Matches that were formed go on. Players read the message before it begins, too."
            fields={[
              startField(now, hasBegun),
              ...pauseFields(
                now,
                'Players are told to come back then. Leave it empty to last until somebody ends it.',
              ),
            ]}
            isGrave
            send={(values) =>
              operator.announceMaintenance({ ...pauseOf(values), startsAt: timeOf(values, 'startsAt') })
            }
            done="Maintenance is announced."
          />
          {now && (
            <Action
              call="endMaintenance"
              label={hasBegun ? 'End maintenance' : 'Withdraw it'}
              text={
                hasBegun
                  ? 'All queues take tickets again, but for those with a pause of their own.'
                  : 'The announcement is withdrawn; the queues go on as they do now.'
              }
              send={() => operator.endMaintenance()}
              done={hasBegun ? 'Maintenance is over.' : 'The announcement is withdrawn.'}
            />
          )}
        </>
      }
    >
      {now ? (
        <Alert color={hasBegun ? 'red' : 'yellow'} title={hasBegun ? 'In force' : 'Announced'}>
          <Stack gap={4}>
            <Text size="sm" className="wraps">
              “{now.message}”
            </Text>
            <Group gap={4}>
              <Text size="sm" component="div">
                {hasBegun ? 'Began' : 'Begins'} <Ago at={now.startsAt} />.
              </Text>
              <Text size="sm">{pauseWords(now)}</Text>
            </Group>
          </Stack>
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          None is announced. Maintenance pauses all queues at once, now or from a time on.
        </Text>
      )}
    </Panel>
  );
}
