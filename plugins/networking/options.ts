import { type Static, Type } from 'orch/sdk'

export const NetworkingOptions = Type.Object({
  serviceClusterIpRange: Type.String({
    default: '10.0.0.0/24',
    description: 'Range from which Services get their addresses; two ranges, of both families, separated by a comma.',
  }),
  serviceNodePortRange: Type.String({
    pattern: '^[0-9]+-[0-9]+$',
    default: '30000-32767',
    description: 'Range of ports on the nodes that Services may open.',
  }),
  advertiseAddress: Type.String({
    default: '',
    description: 'Address under which this server is known to others; found out when empty.',
  }),
})
export type NetworkingOptions = Static<typeof NetworkingOptions>
