import { Badge, Switch, Text } from '@mantine/core';
import { roleWords, operatorRoles, type BodyOf } from '@muster/contracts';
import { useState, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { useFilters } from '../ui/filters.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberIn, textIn, textOrNone } from '../ui/values/values.js';
import { isUsable, keyState, type Key } from './key-state.js';
import { ShownOnce, type Secret } from '../ui/shown-once.js';

/** The keys of operators. */
export function Keys(): ReactElement {
  const { who } = useSession();
  const { filters, setFilters } = useFilters();
  const isAll = filters['keys'] === 'all';
  const keys = useCall('listKeys', {}, { everyMs: 30_000 });
  return (
    <Panel title="Keys of operators" actions={<Create />}>
      <Switch
        mb="sm"
        label="Show revoked and expired keys"
        checked={isAll}
        onChange={(event) => setFilters({ keys: event.currentTarget.checked ? 'all' : undefined })}
      />
      <Shown of={keys}>
        {(answer) => (
          <DataTable
            caption="Keys of operators, newest first"
            rows={isAll ? answer.keys : answer.keys.filter((key) => isUsable(key, Date.now()))}
            columns={columnsFor(who.keyId)}
            keyOf={({ keyId }) => keyId}
            empty="No valid keys. Create one for each person and each tool, and keep OPERATOR_KEY for emergencies."
          />
        )}
      </Shown>
    </Panel>
  );
}

const columnsFor = (ownKeyId: string | null): readonly Column<Key>[] => [
  {
    header: 'Name',
    cell: ({ name, keyId }) => (
      <>
        {name}
        <Text size="xs" c="dimmed">
          {keyId}
          {keyId === ownKeyId && ', this session'}
        </Text>
      </>
    ),
    by: ({ name }) => name,
  },
  { header: 'Role', cell: ({ role }) => role, by: ({ role }) => operatorRoles.indexOf(role) },
  { header: 'State', cell: (key) => <StateOf of={key} /> },
  {
    header: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <>
        <Ago at={createdAt} /> by {createdBy}
      </>
    ),
    by: ({ createdAt }) => createdAt,
  },
  {
    header: 'Expires',
    cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Ago at={expiresAt} />),
    by: ({ expiresAt }) => expiresAt ?? Infinity,
  },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} />),
    by: ({ lastUsedAt }) => lastUsedAt ?? 0,
  },
  {
    header: 'Actions',
    cell: (key) => isUsable(key, Date.now()) && <Revoke of={key} isOwn={key.keyId === ownKeyId} />,
  },
];

function StateOf({ of }: { readonly of: Key }): ReactElement {
  const state = keyState(of, Date.now());
  return (
    <Badge color={state === 'valid' ? 'green' : 'gray'} variant="light">
      {state}
    </Badge>
  );
}

const roles = operatorRoles.map((role) => ({ value: role, label: `${role}: ${roleWords[role]}` }));

function Create(): ReactElement {
  const { operator } = useSession();
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      <Action
        call="createKey"
        label="Create a key"
        text="The next dialog shows the key, once."
        fields={[
          {
            name: 'name',
            label: 'Name',
            kind: 'text',
            description:
              'The person or tool that holds it, as shown in the audit log. Two keys may share a name during a rotation.',
          },
          {
            name: 'role',
            label: 'Role',
            kind: 'choice',
            choices: roles,
            initial: 'viewer',
            description: 'Each role may also do what the roles before it may.',
          },
          {
            name: 'days',
            label: 'Expires in (days)',
            kind: 'number',
            isOptional: true,
            initial: 90,
            min: 1,
            max: 3_650,
            description: 'Empty: valid until it is revoked.',
          },
          { ...reason('Shown in the audit log.'), isOptional: true },
        ]}
        send={async (values) => {
          const made = await operator.createKey({
            name: textIn(values, 'name'),
            role: textIn(values, 'role') as BodyOf<'createKey'>['role'],
            expiresInDays: numberIn(values, 'days'),
            reason: textOrNone(values, 'reason'),
          });
          setSecret({
            title: `Key of ${made.name}`,
            value: made.key,
            text: `It signs in with the role ${made.role}.`,
          });
        }}
        done="Key created."
      />
      <ShownOnce secret={secret} stored={() => setSecret(null)} />
    </>
  );
}

function Revoke({ of: { keyId, name }, isOwn }: { readonly of: Key; readonly isOwn: boolean }): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="revokeKey"
      label="Revoke"
      title={`Revoke key ${keyId} of ${name}`}
      text={`All services refuse the key within five seconds. This cannot be undone.${
        isOwn ? ' You are signed in with this key and will be signed out.' : ''
      }`}
      fields={[{ ...reason('Shown in the audit log.'), isOptional: true }]}
      isGrave
      send={(values) => operator.revokeKey(keyId, { reason: textOrNone(values, 'reason') })}
      done={`Key ${keyId} of ${name} is revoked.`}
    />
  );
}
