import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { counted, percentWords } from '../ui/values/words.js';
import { binsOf, type Bin } from './bins.js';

/** A page of matches is long: it is read seldom. */
const everyMs = 300_000;
const mostMatches = 100;
const dayMs = 86_400_000;

/** How fair the last matches were: the statistics have quantiles alone, so these are counted. */
export function ChancesPanel({ queue }: { readonly queue: string | undefined }): ReactElement {
  const { operator } = useSession();
  const bins = useAsked(
    ['overview chances', { params: { queue } }],
    async (signal) => {
      const limit = mostMatches;
      const query = queue === undefined ? { limit } : { limit, queue, from: Date.now() - dayMs };
      const { matches } = await operator.calls.listMatches({ query }, { signal });
      return binsOf(matches.flatMap(({ origin, prediction }) => (origin === 'queue' ? [prediction] : [])));
    },
    { everyMs },
  );
  return (
    <Panel title="Chance of the favourite, last matches">
      <Shown of={bins}>{(answer) => <Bars bins={answer} />}</Shown>
    </Panel>
  );
}

function Bars({ bins }: { readonly bins: readonly Bin[] }): ReactElement {
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(...bins.map(({ count }) => count));
  const last = bins.findLastIndex(({ count }) => count > 0);
  if (all === 0) return <Empty>No matches of two teams yet.</Empty>;
  return (
    <>
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={6}>
        <caption>
          <VisuallyHidden>Matches by the chance of the favourite</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>chance</Table.Th>
            <Table.Td aria-hidden w="100%" />
            <Table.Th className="number">matches</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bins.slice(0, Math.max(4, last + 1)).map(({ from, to, count }) => (
            <Table.Tr key={from}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {percentWords(from).replace(' %', '')}–{percentWords(to)}
              </Table.Td>
              <Table.Td aria-hidden>
                <div
                  style={{ height: 12, width: `${(100 * count) / most}%`, background: 'var(--series-1)' }}
                />
              </Table.Td>
              <Table.Td className="number">{count}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed">
        The last {counted(all, 'match', 'matches')} of two teams. At 50 % both have the same chance.
      </Text>
    </>
  );
}
