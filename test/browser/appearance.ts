import axe from 'axe-core';
import { z } from 'zod';
import type { Address } from './addresses.js';
import type { Look, Visitor } from './visitor.js';

export const looks: readonly Look[] = [390, 1_440, 2_560].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

const Findings = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
  }),
);

/** Findings of these count. */
const counted: readonly (string | null)[] = ['serious', 'critical'];

const ruleset = { runOnly: ['wcag2a', 'wcag2aa'], resultTypes: ['violations'], preload: false };

/** What people with an assistive technology cannot use, by axe-core. */
async function findings({ page }: Visitor): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = Findings.parse(
    await page.evaluate(
      `axe.run(document, ${JSON.stringify(ruleset)}).then(({ violations }) => JSON.parse(JSON.stringify(violations)))`,
    ),
  );
  return found
    .filter(({ impact }) => counted.includes(impact))
    .map(({ id, help, nodes }) => {
      const [first] = nodes;
      return `${id} (${nodes.length}): ${help}: ${first?.html ?? ''} ${first?.failureSummary ?? ''}`;
    });
}

const Sizes = z.object({ content: z.number(), window: z.number(), widest: z.string() });

/** Whether the page scrolls sideways, and what makes it. Tables scroll inside of their region. */
async function overflow({ page }: Visitor): Promise<string[]> {
  const { content, window, widest } = Sizes.parse(
    await page.evaluate(`(() => {
      const { scrollWidth: content, clientWidth: window } = document.documentElement;
      const outside = [...document.querySelectorAll('main *')].find((each) => {
        const { right } = each.getBoundingClientRect();
        return right > window + 1 && !each.closest('[role=region], .mantine-ScrollArea-root');
      });
      return { content, window, widest: outside ? outside.outerHTML.slice(0, 200) : '' };
    })()`),
  );
  return content > window ? [`it scrolls sideways: ${content} px in ${window} px; ${widest}`] : [];
}

/** What is wrong with a page as it looks, at every width and in both themes. */
export async function wrongLooks(visitor: Visitor, { name, path }: Address): Promise<string[]> {
  await visitor.open(path);
  const wrong = new Map<string, string[]>();
  for (const look of looks) {
    await visitor.look(look);
    for (const each of [...(await findings(visitor)), ...(await overflow(visitor))])
      wrong.set(each, [...(wrong.get(each) ?? []), `${look.width} ${look.scheme}`]);
  }
  return [...wrong].map(([what, where]) => `${name}, at ${where.join(', ')}: ${what}`);
}
