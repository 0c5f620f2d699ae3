/** Wakes long polls in this and other replicas. Delivery is best effort. */
export interface Notifier {
  wake(topic: string): void;
  /** Resolves on a wake-up, at the time-out, or when the signal aborts. */
  wait(topic: string, ms: number, signal?: AbortSignal): Promise<void>;
}

export const commandsOf = (serverId: string): string => `commands of ${serverId}`;
/** Notified when a slot may be free. */
export const slots = 'slots';
