import { RegionName } from '@muster/contracts';
import type { SpareSlots } from '@muster/domain';
import { z } from 'zod';

/** The maximum number of spare slots of a build in a region. */
const mostSlots = 100_000;

/** Spare slots by region as text, such as `eu=8,us=4,*=2`; `*` is any other region with servers of the build. */
export const spareSlots = z.string().transform((text, context): SpareSlots => {
  const byRegion = new Map<string, number>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [region = '', count = '', ...more] = entry.split('=').map((part) => part.trim());
    const wrong = (why: string): never => {
      context.addIssue({
        code: 'custom',
        message: `"${entry.slice(0, 80)}" ${why}; write a region and a number of slots, such as eu=8, or *=2 for every other region`,
      });
      return z.NEVER;
    };
    if (more.length > 0 || count === '') return wrong('is not a region with a number of slots');
    if (region !== '*' && !RegionName.safeParse(region).success)
      return wrong('does not begin with the name of a region');
    if (!/^\d{1,6}$/.test(count) || Number(count) > mostSlots)
      return wrong(`does not give a whole number from 0 to ${mostSlots}`);
    if (byRegion.has(region)) return wrong('names a region for the second time');
    byRegion.set(region, Number(count));
  }
  const elsewhere = byRegion.get('*') ?? 0;
  byRegion.delete('*');
  return { byRegion, elsewhere };
});
