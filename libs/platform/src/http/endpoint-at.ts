import { endpointOf, endpoints, type EndpointName } from '@muster/contracts';

const names = new Map(
  (Object.keys(endpoints) as EndpointName[]).map((name) => {
    const { method, path } = endpointOf(name);
    return [`${method} ${path}`, name];
  }),
);

/** The endpoint of a method and a route; undefined of any other, such as what callers make up. */
export const endpointAt = (method: string, route = ''): EndpointName | undefined =>
  names.get(`${method} ${route}`);
