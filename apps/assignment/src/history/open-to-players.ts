import type { Message, MessageCode } from '@muster/domain';

/** Messages with ratings in them: for operators, not for players. */
const ofRatings: ReadonlySet<MessageCode> = new Set<MessageCode>([
  'match.put-together',
  'split.sums',
  'split.bound',
  'split.rejected',
]);

/** Marks a sentence with ratings in it, where the previous release stored no messages. */
const unit = 'rating points';

/** The sentences of a match’s explanation that disclose no rating, with their messages if any. */
export function openToPlayers(
  why: readonly string[],
  messages: readonly Message[] | undefined,
): { why: string[]; messages: Message[] | undefined } {
  const isOpen = (i: number): boolean => {
    const code = messages?.[i]?.code;
    return !why[i]?.includes(unit) && !(code && ofRatings.has(code));
  };
  return { why: why.filter((_, i) => isOpen(i)), messages: messages?.filter((_, i) => isOpen(i)) };
}
