import { type Static, Type } from 'orch/sdk'

export const WorkloadOptions = Type.Object({
  maxStreamConnections: Type.Integer({
    minimum: 0,
    default: 500,
    description: 'Connections of exec, attach and port-forward that may be open in one process.',
  }),
  streamIdleTimeout: Type.String({
    format: 'duration',
    default: '4h',
    description: 'How long nothing may pass over such a connection before it is closed.',
  }),
})
export type WorkloadOptions = Static<typeof WorkloadOptions>
