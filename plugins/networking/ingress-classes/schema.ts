import { embedded, field, Kind, kept, needed, type ObjectOf, type Static, Struct, Text } from 'orch/sdk'

export const IngressClassParametersReference = Struct('networking.v1.IngressClassParametersReference', {
  apiGroup: kept(1, Text()),
  kind: needed(2, Text()),
  name: needed(3, Text()),
  scope: kept(4, Text(), { default: 'Cluster' }),
  namespace: kept(5, Text()),
})
export type IngressClassParametersReference = Static<typeof IngressClassParametersReference>

export const IngressClassSpec = Struct('networking.v1.IngressClassSpec', {
  controller: field(1, Text()),
  parameters: kept(2, IngressClassParametersReference),
})
export type IngressClassSpec = Static<typeof IngressClassSpec>

export const IngressClass = Kind('networking.v1.IngressClass', {
  spec: embedded(2, IngressClassSpec),
})
export type IngressClass = ObjectOf<typeof IngressClass>
