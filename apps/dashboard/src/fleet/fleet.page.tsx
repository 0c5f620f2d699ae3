import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function FleetPage(): ReactElement {
  return <Page title="Fleet">…</Page>;
}
