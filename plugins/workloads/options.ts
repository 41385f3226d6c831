import { type Static, Type } from 'orch/sdk'

export const WorkloadOptions = Type.Object({
  maxStreamConnections: Type.Integer({
    minimum: 0,
    default: 500,
    description: 'Maximum number of open exec, attach and port-forward connections per process.',
  }),
  streamIdleTimeout: Type.String({
    format: 'duration',
    default: '4h',
    description: 'How long such a connection may be idle before it is closed.',
  }),
})
export type WorkloadOptions = Static<typeof WorkloadOptions>
