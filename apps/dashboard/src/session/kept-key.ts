// The key of this tab: in the storage of its session, never in an address or a cookie. A new tab asks the others for it, so that a
// link opens without signing in again.
const place = 'muster.key';
const channelName = 'muster.session';
const answerMs = 150;

type Message = { readonly ask: true } | { readonly key: string };

/** The key of this tab, or of another one. */
export function keptKey(): Promise<string | null> {
  const own = sessionStorage.getItem(place);
  if (own) return Promise.resolve(own);
  const channel = new BroadcastChannel(channelName);
  return new Promise<string | null>((resolve) => {
    const end = (key: string | null): void => {
      channel.close();
      resolve(key);
    };
    const timer = setTimeout(() => end(null), answerMs);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (!('key' in data)) return;
      clearTimeout(timer);
      sessionStorage.setItem(place, data.key);
      end(data.key);
    });
    channel.postMessage({ ask: true } satisfies Message);
  });
}

export const keepKey = (key: string): void => sessionStorage.setItem(place, key);
export const forgetKey = (): void => sessionStorage.removeItem(place);

/** Tells new tabs the key of this one. */
export function answerNewTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const key = sessionStorage.getItem(place);
    if ('ask' in data && key) channel.postMessage({ key } satisfies Message);
  });
}
