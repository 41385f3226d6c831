import { embedded, field, inlined, Kind, Struct, Text } from 'orch/sdk'
import type { BrokenPlugin } from './broken-plugin.js'
import { currentVersion, type Gadget, gadgetPlugin, type OldGadget, oldVersion } from './gadgets.js'

/** Types with one defect each. */
export const brokenTypes: Readonly<Record<string, BrokenPlugin>> = {
  'defaults that increment a value': {
    plugin: gadgetPlugin({
      type: {
        versions: [
          {
            ...currentVersion,
            defaults: ({ spec }: Gadget) => void Object.assign(spec!, { size: (spec?.size ?? 0) + 1 }),
          },
        ],
      },
    }),
    finds: 'defaulting is idempotent',
    says: /defaulting a second time changed the object/,
  },
  'two fields with the same Protobuf number': {
    plugin: gadgetPlugin({
      type: {
        versions: [
          {
            name: 'v1',
            schema: Kind('gadgets.v1.Gadget', {
              spec: embedded(
                2,
                Struct('gadgets.v1.Spec', {
                  color: field(1, Text()),
                  ...inlined(1, Struct('gadgets.v1.Inner', { size: field(2, Text()) })),
                }),
              ),
            }),
          },
        ],
      },
    }),
    finds: 'an object round-trips through JSON, YAML and Protobuf',
    says: /Protobuf/,
  },
  'validation that throws': {
    plugin: gadgetPlugin({
      type: { strategy: { validate: ({ spec }: Gadget) => (spec!.color!.length > 1000 ? [] : []) } },
    }),
    finds: 'validation never throws',
    says: /Cannot read properties of undefined/,
  },
  'validation that changes the object': {
    plugin: gadgetPlugin({
      type: {
        strategy: {
          validate(gadget: Gadget) {
            gadget.spec!.color = gadget.spec?.color?.trim() ?? ''
            return []
          },
        },
      },
    }),
    finds: 'validation never throws',
    says: /read only|not extensible/,
  },
  'a column that throws': {
    plugin: gadgetPlugin({
      type: {
        columns: [{ name: 'Color', type: 'string', description: '', cell: ({ spec }: Gadget) => spec!.color!.trim() }],
      },
    }),
    finds: 'columns and selectable fields',
    says: /Cannot read properties of undefined/,
  },
  'a conversion that loses a field': {
    plugin: gadgetPlugin({
      type: {
        versions: [
          currentVersion,
          {
            ...oldVersion,
            toStorage: ({ spec, ...rest }: OldGadget) => ({ ...rest, spec: { color: spec?.paint } }),
          },
        ],
      },
    }),
    finds: 'round-trips through the storage version',
    says: /from v1beta1 to v1 and back lost something/,
  },
  'a status that clients can set on create': {
    plugin: gadgetPlugin({
      type: { strategy: { prepareForUpdate: (draft: Gadget, { status }: Gadget) => void (draft.status = status) } },
    }),
    finds: 'cannot set the status of a new object',
    says: /create of gadgets stores the status that a client sends.*status\.seen/s,
  },
  'a status that clients can set by an update of the object': {
    plugin: gadgetPlugin({ type: { strategy: { prepareForCreate: (draft: Gadget) => void (draft.status = {}) } } }),
    finds: 'leaves its status to the subresource',
    says: /update of gadgets stores the status that a client sends.*status\.seen/s,
  },
  'a spec that every write changes': {
    plugin: gadgetPlugin({
      type: { strategy: { prepareForUpdate: ({ spec }: Gadget) => void (spec.size = (spec.size ?? 0) + 1) } },
    }),
    finds: 'generation starts at 1',
    says: /a label does not change the generation/,
  },
  'a type without valid objects': {
    plugin: gadgetPlugin({
      type: {
        strategy: { validate: () => [{ type: 'invalid', field: 'spec', detail: 'never good enough' }] as never },
      },
    }),
    given: {},
    finds: 'there is a valid object',
    says: [/Export `conformance`/, /never good enough/],
  },
  'an object that makes the server fail': {
    plugin: gadgetPlugin({ type: { strategy: { prepareForCreate: ({ spec }: Gadget) => void spec!.color!.trim() } } }),
    finds: 'no object causes a server error',
    says: /POST returns 500/,
  },
}
