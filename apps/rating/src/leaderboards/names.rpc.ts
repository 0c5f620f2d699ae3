import {
  DisplayName,
  PlayerId,
  rpc,
  type GetNamesReply,
  type GetNamesRequest,
  type NoteNamesReply,
  type NoteNamesRequest,
} from '@muster/contracts';
import { Controller, Inject } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { Names } from './names.js';

@Controller()
export class NamesRpc {
  constructor(@Inject(Names) private readonly names: Names) {}

  @GrpcMethod(rpc.rating.service, 'GetNames')
  async get({ playerIds }: GetNamesRequest): Promise<GetNamesReply> {
    const known = await this.names.of(playerIds);
    return { names: [...known].map(([playerId, name]) => ({ playerId, name })) };
  }

  @GrpcMethod(rpc.rating.service, 'NoteNames')
  async note({ names }: NoteNamesRequest): Promise<NoteNamesReply> {
    const shown = names.flatMap(({ playerId, name }): [string, string][] => {
      const valid = DisplayName.safeParse(name);
      return PlayerId.safeParse(playerId).success && valid.success ? [[playerId, valid.data]] : [];
    });
    return { noted: await this.names.note(Object.fromEntries(shown)) };
  }
}
