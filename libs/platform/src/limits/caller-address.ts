import { own } from '@muster/domain';
import ip from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

/** An address and how many of its bits count. */
export type Network = ReturnType<typeof ip.parseCIDR>;

/** Names of networks. `private` is what no router of the internet passes on. */
const named: Readonly<Record<string, readonly string[]>> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: [
    '127.0.0.0/8',
    '::1/128',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    'fc00::/7',
    'fe80::/10',
  ],
};

/** @returns null for what is no address, no network and no name of networks */
function networksOf(part: string): Network[] | null {
  const known = own(named, part);
  if (known) return known.map((each) => ip.parseCIDR(each));
  if (ip.isValidCIDR(part)) return [ip.parseCIDR(part)];
  if (!ip.isValid(part)) return null;
  const address = ip.parse(part);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}

/** Networks in a setting, with commas between them: `private`, `loopback`, `none`, addresses, or such as `10.0.0.0/8`. */
export const Networks = z.string().transform((text, context): readonly Network[] => {
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  const wrong = parts.filter((part) => networksOf(part) === null);
  if (wrong.length === 0) return parts.flatMap((part) => networksOf(part) ?? []);
  context.addIssue({
    code: 'custom',
    message: `must be private, loopback, none, addresses or networks such as 10.0.0.0/8, separated by commas, not ${wrong.join(', ')}`,
  });
  return z.NEVER;
});

/** What is known of an address by its text. */
interface Known {
  /** The address as limits count it: of version 6 the network of one customer, which has as many addresses as it likes. */
  readonly counted: string;
  readonly isTrusted: boolean;
  readonly isExempt: boolean;
}

/** What is read of a request. */
export interface Addressed {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Hops that are followed; a longer chain is made up. */
const mostHops = 16;
const addressesKept = 20_000;

/**
 * Where calls come from. `X-Forwarded-For` is what proxies said one after another, and its beginning what the caller made up: it
 * is read from its end, as far as trusted proxies wrote it.
 */
export class CallerAddresses {
  private readonly known = new LRUCache<string, Known>({ max: addressesKept });

  /**
   * @param trusted networks of proxies that write `X-Forwarded-For`
   * @param exempt networks whose addresses no limit counts
   */
  constructor(
    private readonly trusted: readonly Network[],
    private readonly exempt: readonly Network[] = [],
  ) {}

  /** The address of a caller, in the form that limits count; null if no limit counts it. */
  of({ headers, socket }: Addressed): string | null {
    const peer = this.about(socket.remoteAddress ?? '');
    if (!peer) return null;
    const forwarded = headers['x-forwarded-for'];
    const caller = peer.isTrusted && forwarded !== undefined ? this.behind(peer, forwarded) : peer;
    return caller.isExempt ? null : caller.counted;
  }

  /** Whether the peer of a connection may say for whom it calls. */
  trusts({ socket }: Pick<Addressed, 'socket'>): boolean {
    return this.about(socket.remoteAddress ?? '')?.isTrusted ?? false;
  }

  private behind(peer: Known, forwarded: string | string[]): Known {
    const text = String(forwarded);
    let caller = peer;
    for (let end = text.length, hops = 0; end > 0 && hops < mostHops && caller.isTrusted; hops++) {
      const comma = text.lastIndexOf(',', end - 1);
      const hop = this.about(withoutPort(text.slice(comma + 1, end).trim()));
      // Not an address: the proxy before it is the last that is known.
      if (!hop) break;
      caller = hop;
      end = comma;
    }
    return caller;
  }

  private about(text: string): Known | null {
    const found = this.known.get(text);
    if (found) return found;
    if (text.length > 64 || !ip.isValid(text)) return null;
    const address = ip.process(text);
    const about = {
      counted: countedOf(address),
      isTrusted: isWithin(address, this.trusted),
      isExempt: isWithin(address, this.exempt),
    };
    this.known.set(text, about);
    return about;
  }
}

/** Some proxies name the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

type Address = Network[0];

const isWithin = (address: Address, networks: readonly Network[]): boolean =>
  networks.some((network) => address.kind() === network[0].kind() && address.match(network));

function countedOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as InstanceType<typeof ip.IPv6>).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
