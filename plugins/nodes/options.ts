import { type Static, Type } from 'orch/sdk'

const tolerationSeconds = (state: string) =>
  Type.Integer({
    default: 300,
    description: `How long a Pod without a matching toleration stays on a node that ${state}.`,
  })

export const NodeOptions = Type.Object({
  defaultNotReadyTolerationSeconds: tolerationSeconds('is not ready'),
  defaultUnreachableTolerationSeconds: tolerationSeconds('cannot be reached'),
})
export type NodeOptions = Static<typeof NodeOptions>
