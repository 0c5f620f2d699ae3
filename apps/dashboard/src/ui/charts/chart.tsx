import { Button, Table, Text } from '@mantine/core';
import { lazy, Suspense, useState, type ReactElement } from 'react';
import { heightOf, type ChartProps } from './chart-props.js';
import { Empty } from '../states.js';
import { numberWords, timeWords } from '../values/words.js';

export type { ChartProps, Series } from './chart-props.js';

// What draws is loaded when the first chart is shown: the figures of a page do not wait for it.
const Drawing = lazy(async () => ({ default: (await import('./drawing.js')).Drawing }));

/** A chart over time, or over another number; its numbers as a table at a press. */
export function Chart(props: ChartProps): ReactElement {
  const [isTable, setTable] = useState(false);
  const { label, unit, x, xUnit, series, words = numberWords } = props;
  const xWords = xUnit === undefined ? timeWords : (value: number) => `${numberWords(value)} ${xUnit}`;
  const isEmpty = series.every(({ values }) => values.every((value) => typeof value !== 'number'));
  return (
    <div>
      {isEmpty ? (
        <div style={{ minHeight: heightOf(props) }}>
          <Empty>{xUnit === undefined ? 'There is no value in this time.' : 'There is no value yet.'}</Empty>
        </div>
      ) : isTable ? (
        <div role="region" tabIndex={0} aria-label={label} style={{ maxHeight: 260, overflow: 'auto' }}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{xUnit === undefined ? 'time' : xUnit}</Table.Th>
                {series.map((each) => (
                  <Table.Th key={each.label} className="number">
                    {each.label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {x.map((at, i) => (
                <Table.Tr key={`${at} ${i}`}>
                  <Table.Td>{xWords(at)}</Table.Td>
                  {series.map((each) => {
                    const value = each.values[i];
                    return (
                      <Table.Td key={each.label} className="number">
                        {value === null || value === undefined ? '–' : words(value)}
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ) : (
        <Suspense fallback={<div style={{ height: heightOf(props) }} />}>
          <Drawing {...props} />
        </Suspense>
      )}
      <Text size="xs" c="dimmed" component="div">
        {unit}
        {!isEmpty && (
          <Button size="compact-xs" variant="subtle" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show the chart' : 'Show the numbers'}
          </Button>
        )}
      </Text>
    </div>
  );
}
