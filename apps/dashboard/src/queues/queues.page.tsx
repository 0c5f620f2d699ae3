import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function QueuesPage(): ReactElement {
  return <Page title="Queues">…</Page>;
}
