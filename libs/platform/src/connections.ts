import type { OnApplicationShutdown } from '@nestjs/common';

/** What this process has open to others. Closed last of all, the last opened first. */
export class Connections implements OnApplicationShutdown {
  private readonly open: (() => unknown)[] = [];

  /** @param close called once, when the service has answered its last call */
  add(close: () => unknown): void {
    this.open.unshift(close);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const close of this.open.splice(0)) await close();
  }
}
