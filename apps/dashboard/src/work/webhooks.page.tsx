import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function WebhooksPage(): ReactElement {
  return <Page title="Webhooks">…</Page>;
}
