/** The page of what is searched for: ids of the coordinator tell what they are, everything else is a player. */
export function placeOf(text: string) {
  if (text === '') return null;
  if (text.startsWith('mat_')) return { to: '/matches/$matchId', params: { matchId: text } } as const;
  if (text.startsWith('tkt_')) return { to: '/tickets/$ticketId', params: { ticketId: text } } as const;
  if (text.startsWith('whk_')) return { to: '/webhooks/$webhookId', params: { webhookId: text } } as const;
  return { to: '/players/$playerId', params: { playerId: text } } as const;
}
