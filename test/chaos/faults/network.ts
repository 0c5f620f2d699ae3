import { CuttableProxy, type Swallowed } from '../../support/cuttable-proxy.js';
import { ReplyDropper } from '../../support/reply-dropper.js';
import type { Row, Surroundings } from './row.js';
import { Stores, type StoreName } from './stores.js';

const seconds = 15;
/** Longer than a connection may be silent, so that every link is replaced during the fault. */
const halfOpenSeconds = 20;

/** The network delivers every request to a store, and loses replies for a while. */
export function dropsReplies(store: StoreName): Row {
  let proxy: ReplyDropper | undefined;
  return {
    name: `${store}-drops-replies`,
    what: `replies of ${store} are lost after it has carried out the request, for ${seconds} s`,
    seconds,
    surround: async () => {
      const around = await storesBehindProxy(store, (port) => ReplyDropper.start(port));
      proxy = around.proxy;
      return around;
    },
    begin: async () => {
      const end = proxy?.drop();
      return async () => {
        end?.();
        if (proxy?.dropped === 0) throw new Error(`no reply of ${store} was dropped`);
      };
    },
  };
}

const halves: Readonly<Record<Swallowed, string>> = {
  both: 'half-open',
  requests: 'half-open-to',
  answers: 'half-open-from',
};

/** The links to a store are open, and what is sent on them is acknowledged and vanishes; so on new ones, for a while. */
export function halfOpen(store: StoreName, which: Swallowed): Row {
  let proxy: CuttableProxy | undefined;
  return {
    name: `${store}-${halves[which]}`,
    what: `all links to ${store} acknowledge and swallow ${which === 'both' ? 'all bytes' : which}, new ones for ${halfOpenSeconds} s`,
    seconds: halfOpenSeconds,
    surround: async () => {
      const around = await storesBehindProxy(store, (port) =>
        CuttableProxy.start(`http://127.0.0.1:${port}`),
      );
      proxy = around.proxy;
      return around;
    },
    begin: async () => {
      proxy?.swallow(which);
      return async () => proxy?.reopen();
    },
  };
}

interface Proxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts both stores, one of them behind a proxy. */
async function storesBehindProxy<P extends Proxy>(
  store: StoreName,
  proxyBefore: (port: number) => Promise<P>,
): Promise<Surroundings & { readonly proxy: P }> {
  const stores = await Stores.start();
  const proxy = await proxyBefore(Number(new URL(stores[store].url).port));
  const through = (name: StoreName): string => {
    const address = new URL(stores[name].url);
    if (name === store) address.port = String(proxy.port);
    return address.href;
  };
  return {
    proxy,
    env: { REDIS_URL: through('redis'), DATABASE_URL: through('postgres') },
    remove: async () => {
      await proxy.stop();
      await stores.remove();
    },
  };
}
