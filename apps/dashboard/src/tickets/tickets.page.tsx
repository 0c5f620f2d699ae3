import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function TicketsPage(): ReactElement {
  return <Page title="Tickets">…</Page>;
}
