import { RegionName } from '@muster/contracts';
import type { SpareSlots } from '@muster/domain';

/** The maximum number of spare slots of a build in a region. */
const mostSlots = 100_000;

/**
 * Reads spare slots by region, such as `eu=8,us=4,*=2`; `*` is any other region with servers of the build.
 *
 * @returns what is wrong as a sentence, if the text is not of this form
 */
export function readSpareSlots(text: string): SpareSlots | string {
  const byRegion = new Map<string, number>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [region = '', count = '', ...more] = entry.split('=').map((part) => part.trim());
    const wrong =
      more.length > 0 || count === ''
        ? 'is not a region with a number of slots'
        : region !== '*' && !RegionName.safeParse(region).success
          ? 'does not begin with the name of a region'
          : !/^\d{1,6}$/.test(count) || Number(count) > mostSlots
            ? `does not give a whole number from 0 to ${mostSlots}`
            : byRegion.has(region)
              ? 'names a region for the second time'
              : null;
    if (wrong !== null)
      return `"${entry.slice(0, 80)}" ${wrong}; write a region and a number of slots, such as eu=8, or *=2 for every other region`;
    byRegion.set(region, Number(count));
  }
  const elsewhere = byRegion.get('*') ?? 0;
  byRegion.delete('*');
  return { byRegion, elsewhere };
}
