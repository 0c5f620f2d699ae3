import ip from 'ipaddr.js';
import type { Network } from '../networks.js';

type Address = Network[0];

/** Global unicast addresses of version 6. */
const publicV6 = ip.parseCIDR('2000::/3');

/**
 * Which addresses webhooks may reach: public ones by https, and by http too those of networks that a setting names. Without it,
 * one who may make webhooks could reach what listens beside the services, such as the metadata of a cloud's machine.
 */
export class ReceiverNetworks {
  constructor(private readonly named: readonly Network[]) {}

  /** @returns what is wrong with an address, as far as it is known before its name is looked up; null if nothing is */
  objectionTo({ protocol, hostname, username, password }: URL): string | null {
    if (username !== '' || password !== '')
      return 'must have no user name and no password; messages are signed';
    const isSecure = protocol === 'https:';
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (ip.isValid(literal)) return this.allows(literal, isSecure) ? null : this.refusal(literal);
    if (isSecure || this.named.length > 0) return null;
    return 'must be an https address; http is for networks of WEBHOOK_NETWORKS';
  }

  /** Whether an address that a name was found to have may be reached. */
  allows(address: string, isSecure: boolean): boolean {
    const read = ip.process(address);
    return this.named.some((network) => isIn(read, network)) || (isSecure && isPublic(read));
  }

  /** Why an address may not be reached. */
  refusal(address: string): string {
    return `${address} is ${isPublic(ip.process(address)) ? 'reached by https only' : 'not public'}; WEBHOOK_NETWORKS can name its network`;
  }
}

const isIn = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network);

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, publicV6));
