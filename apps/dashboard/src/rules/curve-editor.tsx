import { Button, CloseButton, Fieldset, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { Chart } from '../ui/charts/chart.js';
import { cornersOf, drawnCurves, withCorner } from './replay/curve.js';
import { fieldSchema } from './rule-schema.js';
import { curveUnit, labelOf } from './rule-words.js';

/** Edits a limit that grows with waiting: its corners, beside the curve in force. */
export function CurveEditor({
  field,
  value,
  inForce,
  flaw,
  change,
}: {
  readonly field: string;
  readonly value: unknown;
  readonly inForce: unknown;
  readonly flaw: string | undefined;
  /** Called with a whole curve, or with one number of it by its path within. */
  readonly change: (path: readonly (string | number)[], value: unknown) => void;
}): ReactElement {
  const corners = useMemo(() => cornersOf(value), [value]);
  const { x, limits } = useMemo(() => drawnCurves([cornersOf(inForce), corners]), [inForce, corners]);
  const series = useMemo(
    () => [
      { label: 'in force', values: limits[0] ?? [] },
      { label: 'draft', values: limits[1] ?? [] },
    ],
    [limits],
  );
  const unit = curveUnit(field);
  const label = labelOf(field);
  return (
    <Fieldset legend={label}>
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {fieldSchema([field]).description}
        </Text>
        {corners.map(({ afterSeconds, limit }, i) => (
          <Group key={i} gap="xs" wrap="nowrap" align="end">
            <NumberInput
              label={i === 0 ? 'After, s' : undefined}
              hideControls
              aria-label={`${label}, corner ${i + 1}, after`}
              size="xs"
              min={0}
              value={afterSeconds}
              disabled={i === 0 && afterSeconds === 0}
              onChange={(entered) => typeof entered === 'number' && change([i, 'afterSeconds'], entered)}
            />
            <NumberInput
              label={i === 0 ? `Limit, ${unit}` : undefined}
              hideControls
              aria-label={`${label}, corner ${i + 1}, limit`}
              size="xs"
              min={0}
              placeholder="no limit"
              value={limit ?? ''}
              onChange={(entered) =>
                (typeof entered === 'number' || entered === '') &&
                change([i, 'limit'], entered === '' ? null : entered)
              }
            />
            <CloseButton
              aria-label={`Remove corner ${i + 1} of ${label}`}
              disabled={corners.length === 1}
              onClick={() => change([], corners.toSpliced(i, 1))}
            />
          </Group>
        ))}
        {flaw !== undefined && (
          <Text size="xs" c="red" role="alert">
            {flaw}
          </Text>
        )}
        <Group>
          <Button size="compact-xs" variant="default" onClick={() => change([], withCorner(corners))}>
            Add a corner
          </Button>
        </Group>
        <Chart
          label={`${label} by seconds waited, in force and in the draft`}
          unit={`Limit in ${unit} by seconds waited; where the line ends there is none.`}
          x={x}
          xUnit="s"
          series={series}
          height={120}
        />
      </Stack>
    </Fieldset>
  );
}
