import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function WebhookPage(): ReactElement {
  return <Page title="Webhook">…</Page>;
}
