import { textUpTo } from '@muster/domain/schemas';
import { z } from 'zod';

/** The id of an event that an operator or a server names, so that a repeat counts once. */
export const EventId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/,
    'must be an id of letters, digits and _ . : @ - (128 at most)',
  );

/** A reason or a note, of an operator, a server or a player. */
export const Text = textUpTo(500);
