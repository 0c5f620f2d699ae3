import type { fromJSON } from '@grpc/proto-loader';

/** A field of type `map<string, string>`. */
const textMap = (id: number) => ({ keyType: 'string', type: 'string', id });

/**
 * The used part of Agones' allocation service, with the package, names and field numbers of its published definition:
 * https://github.com/googleforgames/agones, proto/allocation/allocation.proto (Apache License 2.0). In the form of
 * protobuf.js, so that no file has to be found at run time.
 */
export const agonesSchema: Parameters<typeof fromJSON>[0] = {
  nested: {
    allocation: {
      nested: {
        AllocationService: {
          methods: {
            Allocate: { requestType: 'AllocationRequest', responseType: 'AllocationResponse', comment: '' },
          },
        },
        AllocationRequest: {
          fields: {
            namespace: { type: 'string', id: 1 },
            scheduling: { type: 'SchedulingStrategy', id: 5 },
            metadata: { type: 'MetaPatch', id: 7 },
            gameServerSelectors: { rule: 'repeated', type: 'GameServerSelector', id: 8 },
          },
          nested: { SchedulingStrategy: { values: { Packed: 0, Distributed: 1 } } },
        },
        AllocationResponse: {
          fields: {
            gameServerName: { type: 'string', id: 2 },
            ports: { rule: 'repeated', type: 'GameServerStatusPort', id: 3 },
            address: { type: 'string', id: 4 },
          },
          nested: {
            GameServerStatusPort: {
              fields: { name: { type: 'string', id: 1 }, port: { type: 'int32', id: 2 } },
            },
          },
        },
        MetaPatch: {
          fields: {
            labels: textMap(1),
            annotations: textMap(2),
          },
        },
        GameServerSelector: {
          fields: {
            matchLabels: textMap(1),
            gameServerState: { type: 'GameServerState', id: 2 },
          },
          nested: { GameServerState: { values: { READY: 0, ALLOCATED: 1 } } },
        },
      },
    },
  },
};
