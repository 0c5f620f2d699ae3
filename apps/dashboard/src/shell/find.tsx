import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactElement } from 'react';
import { placeOf } from './place-of.js';

/** Finds what has an id: a player, a match, a ticket, a server. */
export function Find(): ReactElement {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const find = (event: FormEvent): void => {
    event.preventDefault();
    const place = placeOf(text.trim());
    if (!place) return;
    setText('');
    void navigate(place);
  };
  return (
    <form onSubmit={find} role="search" style={{ flexGrow: 1, minWidth: 60, maxWidth: 480 }}>
      <TextInput
        size="xs"
        aria-label="Player, match or ticket"
        placeholder="Player, match or ticket"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
