import { Tabs } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useFilters } from './filters.js';

/** A part of a page that is shown alone. */
export interface PageTab {
  /** In the address, as `tab`. */
  readonly name: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

/** Parts of a page of which one is shown; which one stands in the address. The first is shown without. */
export function PageTabs({ tabs }: { readonly tabs: readonly PageTab[] }): ReactElement {
  const { filters, setFilters } = useFilters();
  const [first] = tabs;
  const shown = tabs.find(({ name }) => name === filters['tab']) ?? first;
  // Filters of a part are not those of another.
  const others = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
  return (
    <Tabs
      value={shown?.name ?? null}
      onChange={(name) =>
        setFilters({ ...others, tab: name === first?.name ? undefined : (name ?? undefined) })
      }
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
