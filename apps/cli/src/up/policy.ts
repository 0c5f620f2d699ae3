import { own } from '@muster/domain';
import { policies } from '@muster/live-balance';

/** @throws Error with a sentence for people when the arena cannot show a policy: there is none of that name, or it does nothing */
export function checkPolicy(name: string): void {
  if (name !== 'none' && own(policies, name)) return;
  const names = Object.keys(policies).filter((each) => each !== 'none');
  throw new Error(`There is no policy "${name}" to show; take one of ${names.join(', ')}.`);
}
