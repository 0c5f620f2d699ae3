import type { OnApplicationShutdown } from '@nestjs/common';

/** The open connections of this process. They are closed last, in reverse order. */
export class Connections implements OnApplicationShutdown {
  private readonly open: (() => unknown)[] = [];

  /** @param close called once, after the service has answered its last call */
  add(close: () => unknown): void {
    this.open.unshift(close);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const close of this.open.splice(0)) await close();
  }
}
