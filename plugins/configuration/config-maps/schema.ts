import { Bytes, Flag, field, Kind, kept, MapOf, type ObjectOf, StringMap } from 'orch/sdk'

export const ConfigMap = Kind('core.v1.ConfigMap', {
  immutable: kept(4, Flag()),
  data: field(2, StringMap()),
  binaryData: field(3, MapOf(Bytes())),
})
export type ConfigMap = ObjectOf<typeof ConfigMap>
