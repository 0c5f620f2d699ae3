import { TicketsRecovering } from '@muster/domain';

/** The refusal of a call while the tickets of running matches are being restored. */
export function recovering(): TicketsRecovering {
  return new TicketsRecovering(
    'The tickets of running matches are being restored. Try again in a moment: repeating the same call is safe.',
  );
}
