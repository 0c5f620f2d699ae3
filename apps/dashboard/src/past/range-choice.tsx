import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { useFilters } from '../ui/filters.js';
import { rangeNamed, ranges, type RangeName } from './ranges.js';

/** The range that the address names, by `range`. */
export function useRange(): RangeName {
  return rangeNamed(useFilters().filters['range']);
}

/** Chooses the range of the charts of a page. */
export function RangeChoice(): ReactElement {
  const { filters, setFilters } = useFilters();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Time shown"
      data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
      value={rangeNamed(filters['range'])}
      onChange={(range) => setFilters({ range })}
    />
  );
}
