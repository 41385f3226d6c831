import { type Static, Type } from 'orch/sdk'

export const QuotaOptions = Type.Object({
  defaultNamespaceCpuRequest: Type.String({
    default: '100m',
    description:
      'Default CPU request of containers in the default namespace, as long as it has no LimitRange; 0 for none.',
  }),
})
export type QuotaOptions = Static<typeof QuotaOptions>
