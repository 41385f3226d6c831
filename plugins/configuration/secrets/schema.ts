import { Bytes, Flag, field, Kind, kept, MapOf, type ObjectOf, StringMap, Text } from 'orch/sdk'

/** What a Secret is when it does not say. */
export const opaque = 'Opaque'

export const Secret = Kind('core.v1.Secret', {
  immutable: kept(5, Flag()),
  data: field(2, MapOf(Bytes())),
  stringData: field(4, StringMap()),
  type: field(3, Text({ default: opaque })),
})
export type Secret = ObjectOf<typeof Secret>
