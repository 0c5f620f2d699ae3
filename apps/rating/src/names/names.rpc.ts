import {
  DisplayName,
  PlayerId,
  rpc,
  type GetNamesReply,
  type GetNamesRequest,
  type NoteNamesReply,
  type NoteNamesRequest,
} from '@muster/contracts';
import { RpcMethod } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Names } from './names.js';

@Controller()
export class NamesRpc {
  constructor(@Inject(Names) private readonly names: Names) {}

  @RpcMethod(rpc.rating, 'GetNames')
  async get({ playerIds }: GetNamesRequest): Promise<GetNamesReply> {
    const known = await this.names.of(playerIds);
    return { names: [...known].map(([playerId, name]) => ({ playerId, name })) };
  }

  @RpcMethod(rpc.rating, 'NoteNames')
  async note({ names }: NoteNamesRequest): Promise<NoteNamesReply> {
    const shown = names.flatMap(({ playerId, name }): [string, string][] => {
      const valid = DisplayName.safeParse(name);
      return PlayerId.safeParse(playerId).success && valid.success ? [[playerId, valid.data]] : [];
    });
    return { noted: await this.names.note(Object.fromEntries(shown)) };
  }
}
