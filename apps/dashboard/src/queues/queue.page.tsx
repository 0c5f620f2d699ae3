import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function QueuePage(): ReactElement {
  return <Page title="Queue">…</Page>;
}
