import { Table, Text } from '@mantine/core';
import type { QueueRules } from '@muster/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { fieldSchema } from './rule-schema.js';
import { labelOf, valueWords } from './rule-words.js';

/** The rules of a queue as they are read: a row for each field, with its meaning. */
export function RulesTable({ rules }: { readonly rules: QueueRules }): ReactElement {
  const fields = Object.entries(rules).filter(
    ([field, value]) => value !== undefined && field !== 'version' && field !== 'paused',
  );
  return (
    <div role="region" tabIndex={0} aria-label="Rules" style={{ overflow: 'auto' }}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Rule</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th visibleFrom="md">Meaning</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map(([field, value]) => (
            <Table.Tr key={field}>
              <Table.Th scope="row" fw={500}>
                {labelOf(field)}
              </Table.Th>
              <Table.Td className="wraps">
                {field === 'pool' ? (
                  <Link to="/pools/$pool" params={{ pool: String(value) }}>
                    {String(value)}
                  </Link>
                ) : (
                  valueWords(field, value)
                )}
              </Table.Td>
              <Table.Td visibleFrom="md" maw={520}>
                <Text size="xs" c="dimmed">
                  {fieldSchema([field]).description}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
