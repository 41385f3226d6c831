import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { CustomResourceDefinition } from './definitions/schema.js'
import { customResourceNames } from './names.js'

/** Samples for `orch conformance`. The name of a definition follows from its group and plural name. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = customResourceNames(vendor)
  let made = 0
  return {
    samples: {
      [`customresourcedefinitions.${group}`]: {
        valid: () => {
          // A deleted definition remains until its objects are gone, so every sample has a name of its own.
          const plural = `widgets${++made}`
          return {
            metadata: { name: `${plural}.example.com` },
            spec: {
              group: 'example.com',
              scope: 'Namespaced',
              names: { plural, singular: `widget${made}`, kind: `Widget${made}`, listKind: `Widget${made}List` },
              versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
            },
          }
        },
        invalid: {
          'no version': ({ spec }: CustomResourceDefinition) => {
            spec.versions = []
          },
          'a schema that is not structural': ({ spec }: CustomResourceDefinition) => {
            spec.versions![0]!.schema = { openAPIV3Schema: { type: 'object', properties: { spec: {} } } }
          },
          'names of another definition': ({ spec }: CustomResourceDefinition) => {
            spec.names = { ...spec.names, plural: 'gadgets' }
          },
        },
      },
    },
  }
}
