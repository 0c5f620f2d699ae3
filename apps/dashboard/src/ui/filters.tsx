import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useId, useState, type ReactElement, type ReactNode } from 'react';

/** What an address says behind `?`. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** The filters of a page, and how they are changed. Another filter begins at the first page of a list. */
export function useFilters(): {
  readonly filters: FilterValues;
  readonly setFilters: (changes: FilterValues) => void;
} {
  const filters = useSearch({ strict: false }) as FilterValues;
  const navigate = useNavigate();
  const setFilters = useCallback(
    (changes: FilterValues) =>
      void navigate({
        to: '.',
        search: (before: FilterValues) =>
          Object.fromEntries(
            Object.entries({ ...before, cursor: undefined, ...changes }).filter(
              ([, value]) => value !== undefined && value !== '',
            ),
          ),
      }),
    [navigate],
  );
  return { filters, setFilters };
}

/** Filters beside each other. */
export const FilterBar = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <Group component="search" gap="sm" align="flex-end">
    {children}
  </Group>
);

/** A text to filter by; it counts when Enter is pressed, or another field is gone to. */
export function TextFilter({
  name,
  label,
  placeholder,
  type = 'text',
  suggestions,
}: {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'number';
  /** What is offered while one types. */
  readonly suggestions?: readonly string[];
}): ReactElement {
  const { filters, setFilters } = useFilters();
  const set = filters[name] ?? '';
  const [text, setText] = useState(set);
  useEffect(() => setText(set), [set]);
  const take = (): void => {
    if (text.trim() !== set) setFilters({ [name]: text.trim() });
  };
  const listId = useId();
  const input = (
    <TextInput
      size="xs"
      w={160}
      type={type}
      list={suggestions && listId}
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
    />
  );
  if (!suggestions) return input;
  return (
    <>
      {input}
      <datalist id={listId}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}

/** One of some values to filter by, or any. */
export function ChoiceFilter({
  name,
  label,
  any = 'any',
  choices,
}: {
  readonly name: string;
  readonly label: string;
  /** The words for no filter. */
  readonly any?: string;
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
}): ReactElement {
  const { filters, setFilters } = useFilters();
  const set = filters[name] ?? '';
  const options = choices.map((each) => (typeof each === 'string' ? { value: each, label: each } : each));
  // A value of the address that is none of them stays to be seen.
  const others = set === '' || options.some(({ value }) => value === set) ? [] : [{ value: set, label: set }];
  return (
    <NativeSelect
      size="xs"
      w={160}
      label={label}
      data={[{ value: '', label: any }, ...options, ...others]}
      value={set}
      onChange={(event) => setFilters({ [name]: event.currentTarget.value })}
    />
  );
}

/** The pages of a list that an answer gives cursors for. The page before is where the browser goes back to. */
export function Pager({ next }: { readonly next: string | null | undefined }): ReactElement | null {
  const { filters, setFilters } = useFilters();
  const isFirst = filters['cursor'] === undefined;
  if (isFirst && !next) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" gap="xs">
      <Button
        size="xs"
        variant="default"
        disabled={isFirst}
        onClick={() => setFilters({ cursor: undefined })}
      >
        First page
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!next}
        onClick={() => setFilters({ cursor: next ?? undefined })}
      >
        Next page
      </Button>
    </Group>
  );
}
