import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function CasePage(): ReactElement {
  return <Page title="Case">…</Page>;
}
