import { Kind } from '../resource/meta.js'
import type { SentObjectOf } from '../resource/resource.js'
import { Bool, Bytes, field, kept, MapOf, StringMap, Text } from '../resource/schema.js'

/** The default type of a Secret. */
export const opaqueSecretType = 'Opaque'

/** Secret data as keys and values, for Pods to consume. Total size at most 1 MiB. */
export const Secret = Kind(
  'core.v1.Secret',
  {
    immutable: kept(
      5,
      Bool(),
      'Whether the data is immutable. Once true, it stays true, and only metadata can be changed.',
    ),
    data: field(2, MapOf(Bytes()), 'Bytes by key, base64 in JSON. Keys consist of letters, digits, -, _ and dots.'),
    stringData: field(4, StringMap(), 'Strings that are merged into data when the object is written. Never returned.'),
    type: field(
      3,
      Text({ default: opaqueSecretType }),
      'Purpose of the Secret, which determines the required keys. It cannot be changed.',
    ),
  },
  { description: 'Secret data as keys and values, for Pods to consume. Total size at most 1 MiB.' },
)
export type Secret = SentObjectOf<typeof Secret>
