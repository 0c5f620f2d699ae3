/** The rules of a user that may do what services do, and nothing else: the line of docs/redis.md. @param realm a glob */
export function aclRules(realm: string): string {
  const keys = `resetkeys ~muster:{${realm}}* ~muster-jobs:{${realm}}* resetchannels &muster:{${realm}}:wake`;
  const commands =
    '-@all +@read +@write +@transaction +eval +evalsha +wait +time +publish +subscribe +unsubscribe +hello +auth +ping +quit';
  const connections =
    '+select +asking +readonly +readwrite +client|setname +cluster|slots +cluster|info +cluster|keyslot';
  return `${keys} ${commands} ${connections} -@dangerous +info +client|list -randomkey`;
}
