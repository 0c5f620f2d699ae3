/** Wakes long polls, here and in other replicas. Only speed. */
export interface Notifier {
  wake(topic: string): void;
  /** Resolves when woken, when the time is up, or when the signal fires. */
  wait(topic: string, ms: number, signal?: AbortSignal): Promise<void>;
}

export const commandsOf = (serverId: string): string => `commands of ${serverId}`;
/** Rung when a slot may have come free. */
export const slots = 'slots';
