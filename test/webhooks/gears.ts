import { definePlugin, defineResource, field, Int32, Kind, type ObjectOf, Struct, Text } from 'orch/sdk'

/** A type with two versions of different shape, another group that shows the same objects, and something to connect to. */
const GearV2 = Kind('acme.v2.Gear', { spec: field(2, Struct('acme.v2.GearSpec', { teeth: field(1, Int32()) })) })
const GearV1 = Kind('acme.v1.Gear', { teeth: field(2, Int32()) })
const OldGear = Kind('old.v1.Gear', { toothCount: field(2, Text()) })
type Stored = ObjectOf<typeof GearV2>

const v1 = {
  name: 'v1',
  schema: GearV1,
  toStorage: ({ teeth, ...rest }: ObjectOf<typeof GearV1>) => ({ ...rest, spec: { teeth } }),
  fromStorage: ({ spec, ...rest }: Stored) => ({ ...rest, teeth: spec?.teeth }),
}
const oldV1 = {
  name: 'v1',
  schema: OldGear,
  toStorage: ({ toothCount, ...rest }: ObjectOf<typeof OldGear>) => ({ ...rest, spec: { teeth: Number(toothCount) } }),
  fromStorage: ({ spec, ...rest }: Stored) => ({ ...rest, toothCount: String(spec?.teeth) }),
}

export const gears = definePlugin({
  name: 'gears',
  register(to) {
    const gear = { kind: 'Gear', resource: 'gears', namespaced: true } as const
    to.resource(
      defineResource({
        ...gear,
        group: 'acme.test',
        versions: [{ name: 'v2', schema: GearV2, storage: true }, v1],
        subresources: {
          spin: {
            kind: 'action',
            group: 'acme.test',
            version: 'v2',
            objectKind: 'Spin',
            schema: Kind('acme.v2.Spin', { speed: field(2, Int32()) }),
            connect: true,
            handlers: { create: ({ body }) => ({ object: body }) },
          },
        },
      }),
      defineResource({
        ...gear,
        group: 'old.acme.test',
        storedAs: { group: 'acme.test', resource: 'gears' },
        versions: [oldV1, { name: 'v2', schema: GearV2, storage: true, served: false }],
      }),
    )
  },
})
