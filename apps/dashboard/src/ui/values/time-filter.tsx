import { TextInput } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { useFilters } from '../filters.js';
import { inputOfIso, isoOfInput } from './words.js';

/** A time to filter by, in the time of this machine; in the address it stands with its offset. */
export function TimeFilter({ name, label }: { readonly name: string; readonly label: string }): ReactElement {
  const { filters, setFilters } = useFilters();
  const set = inputOfIso(filters[name] ?? '');
  const [text, setText] = useState(set);
  useEffect(() => setText(set), [set]);
  const take = (): void => {
    if (text !== set) setFilters({ [name]: isoOfInput(text) });
  };
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
    />
  );
}
