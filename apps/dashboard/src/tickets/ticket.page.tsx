import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function TicketPage(): ReactElement {
  return <Page title="Ticket">…</Page>;
}
