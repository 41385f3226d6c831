import { Kind } from '../resource/meta.js'
import type { SentObjectOf } from '../resource/resource.js'
import { Bool, Bytes, field, kept, MapOf, StringMap } from '../resource/schema.js'

/** Configuration as keys and values, for Pods to consume. */
export const ConfigMap = Kind(
  'core.v1.ConfigMap',
  {
    immutable: kept(
      4,
      Bool(),
      'Whether the data is immutable. Once true, it stays true, and only metadata can be changed.',
    ),
    data: field(
      2,
      StringMap(),
      'Strings by key. Keys consist of letters, digits, -, _ and dots, and must not appear in binaryData as well.',
    ),
    binaryData: field(3, MapOf(Bytes()), 'Bytes by key, for data that is not UTF-8.'),
  },
  { description: 'Configuration as keys and values, for Pods to consume.' },
)
export type ConfigMap = SentObjectOf<typeof ConfigMap>
