import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function AccessPage(): ReactElement {
  return <Page title="Keys and audit">…</Page>;
}
