import { type Static, Type } from 'orch/sdk'

export const NodeOptions = Type.Object({
  eventTtl: Type.String({
    format: 'duration',
    default: '1h',
    description: 'How long events are kept after they were last written.',
  }),
})
export type NodeOptions = Static<typeof NodeOptions>
